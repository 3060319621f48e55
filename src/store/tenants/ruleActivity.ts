import { sql as raw } from 'kysely'
import type { ApprovalRule, RuleActivity } from '../../contract/approvalRules.ts'
import type { Database, Tx } from '../connection/database.ts'

/** The activity of a seller's approval rules, counted by day. */

const DAYS = 30
const SHARDS = 8

/** Counts a rule's verdict on an order, in the transaction that carries it out. */
export async function countRule(tx: Tx, seller: string, orderId: string, { id, then }: Pick<ApprovalRule, 'id' | 'then'>): Promise<void> {
  const [approved, rejected, held] = [Number(then === 'approve'), Number(then === 'reject'), Number(then === 'hold')]
  await raw`insert into approval_rule_days as d (seller, rule_id, day, shard, approved, rejected, held, last_used_at)
    values (${seller}, ${id}, (now() at time zone 'UTC')::date, abs(hashtext(${orderId}) % ${raw.raw(String(SHARDS))}), ${approved}, ${rejected}, ${held}, now())
    on conflict (seller, rule_id, day, shard) do update set approved = d.approved + excluded.approved, rejected = d.rejected + excluded.rejected,
      held = d.held + excluded.held, last_used_at = greatest(d.last_used_at, excluded.last_used_at)`.execute(tx)
}

/** Returns the activity of the last 30 days by rule id; a rule that was not used is missing. */
export async function readRuleActivity({ sql }: Pick<Database, 'sql'>, seller: string): Promise<Map<string, RuleActivity>> {
  const { rows } = await raw<RuleActivity & { rule_id: string }>`
    select rule_id, sum(approved)::int as approved, sum(rejected)::int as rejected, sum(held)::int as held, max(last_used_at) as last_used_at
    from approval_rule_days where seller = ${seller} and day > ${beforeDays()}::date group by rule_id`.execute(sql)
  return new Map(rows.map(({ rule_id, ...activity }) => [rule_id, activity]))
}

/** Deletes the days that no read shows any more. */
export async function deleteOldRuleActivity(tx: Tx, seller: string): Promise<void> {
  await raw`delete from approval_rule_days where seller = ${seller} and day <= ${beforeDays()}::date`.execute(tx)
}

function beforeDays(): string {
  return new Date(Date.now() - DAYS * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10)
}
