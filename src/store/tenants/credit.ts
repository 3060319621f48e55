import type pg from 'pg'
import type { Drawn } from '../../domain/agreement/settlement.ts'
import { asOwner } from '../connection/asOwner.ts'
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

/** The credit that an order draws on: an existing one (`orderId`), or a future one that revises another (`supersedes`). */
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

/** Counts what is drawn on every agreement again, from the orders, as the user of the URL (who must own the tables). To be called after a restore. */
export function recountCredit(databaseUrl: string): Promise<void> {
  return asOwner(databaseUrl, async (client) => {
    await client.query('select recount_credit()')
  })
}

const OPEN = "status not in ('canceled', 'rejected', 'failed')"

/** Of a family only one order can be placed: its most expensive open or placed one counts, and what is still owed of canceled ones. */
const DRAWN_BY_FAMILY = (agreement: string, family: string) =>
  `(select coalesce(sum(drawn) filter (where status = 'canceled'), 0) + coalesce(max(drawn) filter (where status <> 'canceled'), 0)
      from orders where agreement_id = ${agreement} and root = ${family} and drawn <> 0)`

/**
 * The figure that the database keeps, and the few changes that are not in it yet (migration 0191): of an order without revisions the amount, of a family
 * what it counts for now instead of what it counted for. One statement, because the figure and the changes must be of one moment.
 */
const EXPOSURE_OF = (agreement: string) =>
  `with changes as materialized (select amount, family from credit_changes where agreement_id = ${agreement})
    select (coalesce((select drawn from credit_drawn where agreement_id = ${agreement}), 0) + coalesce((select sum(amount) from changes), 0)
      + coalesce((select sum(${DRAWN_BY_FAMILY(agreement, 'changed.family')}
          - coalesce((select drawn from credit_families where agreement_id = ${agreement} and family = changed.family), 0))
        from (select distinct family from changes where family is not null) changed), 0))::text`

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
