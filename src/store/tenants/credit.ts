import type pg from 'pg'
import type { Drawn } from '../../domain/agreement/settlement.ts'
import type { Database, Tx } from '../connection/database.ts'
import { lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** What orders draw on the credit of agreements. */

/** What the orders under an agreement draw on its credit, as decimal text (choices, Pacing, credit). */
export async function readExposure(on: Pick<Database['pool'], 'query'>, agreementId: string): Promise<string> {
  const { rows } = await on.query<{ exposure: string }>(EXPOSURE.bind({ agreement_id: agreementId }))
  return rows[0]?.exposure ?? '0'
}

/** An agreement's current cap, null if it has none, with what is drawn on it in all and by the most expensive order of the family. */
export type Credit = Pick<Drawn, 'exposure' | 'family'> & { credit_limit: number | null }

/** The credit that an order draws on: one that there is (`orderId`), or is to be and revises another (`supersedes`). */
export async function readCredit(
  on: Pick<Database['pool'], 'query'>,
  agreementId: string,
  { orderId, supersedes }: { orderId?: string | undefined; supersedes?: string | undefined },
): Promise<Credit> {
  const { rows } = await on.query<Credit>(
    CREDIT.bind({ agreement_id: agreementId, of_family: orderId ?? supersedes ?? null, own: orderId ?? null }),
  )
  return rows[0] as Credit
}

/** Taken by everything that draws on the credit of an agreement, after the locks of orders: each sees what the one before has drawn. */
export function creditLock(agreementId: string): pg.QueryConfig {
  return lockOn(`agreement:${agreementId}`)
}

/** The credit that an order draws on; nothing else draws until the transaction ends. */
export async function lockCredit(tx: Tx, agreementId: string, orderId: string): Promise<Credit> {
  await runOn(tx, creditLock(agreementId))
  const { rows } = await runOn<Credit>(tx, CREDIT.bind({ agreement_id: agreementId, of_family: orderId, own: orderId }))
  return rows[0] as Credit
}

const OPEN = "status not in ('canceled', 'rejected', 'failed')"

/**
 * The sum of what the orders draw. Only one order of a family can be placed, so the most expensive open or placed one counts, and
 * what is still owed of canceled ones. The conditions are those of the index `orders_drawn`, which has all that is read,
 * also by the policies of the table.
 */
const EXPOSURE_OF = (agreement: string) =>
  `select (coalesce((select sum(drawn) from orders where agreement_id = ${agreement} and drawn <> 0 and root is null), 0)
    + coalesce((select sum(coalesce(canceled, 0) + coalesce(dearest, 0)) from (
        select sum(drawn) filter (where status = 'canceled') as canceled, max(drawn) filter (where status <> 'canceled') as dearest
        from orders where agreement_id = ${agreement} and drawn <> 0 and root is not null group by root) families), 0))::text`

/** What the orders under an agreement draw: always one row. */
const EXPOSURE = statement('read-exposure', ['agreement_id'], `select (${EXPOSURE_OF(':agreement_id')}) as exposure`)

/** The cap of an agreement, what is drawn on it, and what the family of an order draws without `own`: always one row. */
const CREDIT = statement(
  'read-credit',
  ['agreement_id', 'of_family', 'own'],
  `select (select body->'credit_limit' from agreements where agreement_id = :agreement_id) as credit_limit, (${EXPOSURE_OF(':agreement_id')}) as exposure,
    (select coalesce(max(m.drawn), 0)::text from (select coalesce(root, order_id) as root from orders where order_id = :of_family) family, orders m
      where (m.order_id = family.root or m.root = family.root) and m.agreement_id = :agreement_id and m.${OPEN}
        and m.order_id is distinct from :own) as family`,
)
