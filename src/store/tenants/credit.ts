import type pg from 'pg'
import type { Drawn } from '../../domain/agreement/settlement.ts'
import { asOwner } from '../connection/asOwner.ts'
import type { Database, Tx } from '../connection/database.ts'
import { lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** The amounts that orders draw on the credit of agreements. */

/** Returns what the orders under an agreement draw on its credit, as decimal text (choices, Pacing, credit). */
export async function readExposure(on: Pick<Database['pool'], 'query'>, agreementId: string): Promise<string> {
  const { rows } = await on.query<{ exposure: string }>(EXPOSURE.bind({ agreement_id: agreementId }))
  return rows[0]?.exposure ?? '0'
}

/** An agreement's current cap, null if it has none, with what is drawn on it in total and by the family's most expensive order. */
export type Credit = Pick<Drawn, 'exposure' | 'family'> & { credit_limit: number | null }

/** Returns the credit that an order draws on: an existing order (`orderId`), or a future one that revises another (`supersedes`). */
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

/** Locks an agreement's credit. Everything that draws on it takes this lock, after the locks of orders, and so sees all earlier draws. */
export function creditLock(agreementId: string): pg.QueryConfig {
  return lockOn(`agreement:${agreementId}`)
}

/** Returns the credit that an order draws on; nothing else can draw until the transaction ends. */
export async function lockCredit(tx: Tx, agreementId: string, orderId: string): Promise<Credit> {
  await runOn(tx, creditLock(agreementId))
  const { rows } = await runOn<Credit>(tx, CREDIT.bind({ agreement_id: agreementId, of_family: orderId, own: orderId }))
  return rows[0] as Credit
}

/** Recounts what is drawn on every agreement, from the orders, as the URL's user (who must own the tables). Call it after a restore. */
export function recountCredit(databaseUrl: string): Promise<void> {
  return asOwner(databaseUrl, async (client) => {
    await client.query('select recount_credit()')
  })
}

const OPEN = "status not in ('canceled', 'rejected', 'failed')"

/** SQL: a family's draw. Since only one of its orders can be placed, the highest open or placed one counts, plus what canceled ones owe. */
const DRAWN_BY_FAMILY = (agreement: string, family: string) =>
  `(select coalesce(sum(drawn) filter (where status = 'canceled'), 0) + coalesce(max(drawn) filter (where status <> 'canceled'), 0)
      from orders where agreement_id = ${agreement} and root = ${family} and drawn <> 0)`

/**
 * SQL: the figure that the database keeps, plus the few changes that it does not include yet (migration 0010): the amount of an order
 * without revisions, and a family's present draw less its counted one. One statement, as figure and changes must be of one moment.
 */
const EXPOSURE_OF = (agreement: string) =>
  `with changes as materialized (select amount, family from credit_changes where agreement_id = ${agreement})
    select (coalesce((select drawn from credit_drawn where agreement_id = ${agreement}), 0) + coalesce((select sum(amount) from changes), 0)
      + coalesce((select sum(${DRAWN_BY_FAMILY(agreement, 'changed.family')}
          - coalesce((select drawn from credit_families where agreement_id = ${agreement} and family = changed.family), 0))
        from (select distinct family from changes where family is not null) changed), 0))::text`

/** Reads what the orders under an agreement draw: always one row. */
const EXPOSURE = statement('read-exposure', ['agreement_id'], `select (${EXPOSURE_OF(':agreement_id')}) as exposure`)

/** Reads an agreement's cap, what is drawn on it, and what an order's family draws without `own`: always one row. */
const CREDIT = statement(
  'read-credit',
  ['agreement_id', 'of_family', 'own'],
  `select (select body->'credit_limit' from agreements where agreement_id = :agreement_id) as credit_limit, (${EXPOSURE_OF(':agreement_id')}) as exposure,
    (select coalesce(max(m.drawn), 0)::text from (select coalesce(root, order_id) as root from orders where order_id = :of_family) family, orders m
      where (m.order_id = family.root or m.root = family.root) and m.agreement_id = :agreement_id and m.${OPEN}
        and m.order_id is distinct from :own) as family`,
)
