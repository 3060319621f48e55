import type { ApprovalRules, PutApprovalRules } from '../../../src/contract/approvalRules.ts'
import { readRuleActivity } from '../../../src/store/tenants/ruleActivity.ts'
import { readApprovalRules, saveApprovalRules } from '../../../src/store/tenants/sellers.ts'
import { actorOf, type Call } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { etagOf, ifMatch } from '../../http/ifMatch.ts'
import { ok, type Reply } from '../../http/reply.ts'

export const getApprovalRules: Handler = (deps, { caller }) => approvalRules(deps, caller)

/** Replaces all rules. An order is matched once, when it reaches its seller; parked orders stay with people. */
export const putApprovalRules: Handler<PutApprovalRules> = async (deps, { caller, body, headers }) => {
  await saveApprovalRules(deps.db, actorOf(caller), body.rules, ifMatch(headers))
  return approvalRules(deps, caller)
}

/** Returns the rules with the results of each. A rule that was replaced under the same id keeps its count. */
async function approvalRules({ db }: Deps, { entity }: Call['caller']): Promise<Reply> {
  const { rules, in_force } = await readApprovalRules(db, entity)
  const activity = await readRuleActivity(db, entity)
  const used = rules.map((rule) => ({ ...rule, last_30_days: activity.get(rule.id) ?? UNUSED }))
  return ok({ rules: used, in_force } satisfies ApprovalRules, etagOf(rules))
}

const UNUSED = { approved: 0, rejected: 0, held: 0, last_used_at: null }
