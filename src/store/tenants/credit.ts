import type pg from 'pg'
import type { Drawn } from '../../domain/agreement/settlement.ts'
import type { Database, Tx } from '../connection/database.ts'
import { lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** What orders draw on the credit of agreements. */

/** What the open and placed orders under an agreement may come to, as decimal text: what its credit is drawn by (choices, Pacing, credit). */
export async function readExposure(on: Pick<Database['pool'], 'query'>, agreementId: string): Promise<string> {
  const { rows } = await on.query<{ exposure: string }>(EXPOSURE.bind({ agreement_id: agreementId }))
  return rows[0]?.exposure ?? '0'
}

/** An agreement's cap as it is now, null where it has none, with what is drawn on it, and by the dearest of the order's family. */
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

/** Of an order and its revisions one can be placed in the end: the dearest of them counts. */
const EXPOSURE_OF = (agreement: string) =>
  `select coalesce(sum(drawn), 0)::text from (select max(gross) as drawn from orders
     where agreement_id = ${agreement} and ${OPEN} group by coalesce(root, order_id)) families`

/** What the orders under an agreement may come to: always one row. */
const EXPOSURE = statement('read-exposure', ['agreement_id'], `select (${EXPOSURE_OF(':agreement_id')}) as exposure`)

/** The cap of an agreement, what is drawn on it, and what the family of an order draws without `own`: always one row. */
const CREDIT = statement(
  'read-credit',
  ['agreement_id', 'of_family', 'own'],
  `select (select body->'credit_limit' from agreements where agreement_id = :agreement_id) as credit_limit, (${EXPOSURE_OF(':agreement_id')}) as exposure,
    (select coalesce(max(m.gross), 0)::text from (select coalesce(root, order_id) as root from orders where order_id = :of_family) family, orders m
      where (m.order_id = family.root or m.root = family.root) and m.agreement_id = :agreement_id and m.${OPEN}
        and m.order_id is distinct from :own) as family`,
)
