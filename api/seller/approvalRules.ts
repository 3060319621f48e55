import type { PutApprovalRules } from '../../src/contract/approvalRules.ts'
import { readApprovalRules, saveApprovalRules } from '../../src/store/sellers.ts'
import { actorOf, type Handler, ok } from '../endpoint.ts'

export const getApprovalRules: Handler = async ({ db }, { caller }) => ok(await readApprovalRules(db, caller.entity))

/** Replaces them all. They are looked at once, when an order comes to its seller: what is parked by then stays with people. */
export const putApprovalRules: Handler<PutApprovalRules> = async ({ db }, { caller, body }) => {
  await saveApprovalRules(db, actorOf(caller), body.rules)
  return ok(await readApprovalRules(db, caller.entity))
}
