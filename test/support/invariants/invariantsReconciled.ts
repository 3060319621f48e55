import { readRelatedOrders } from '../../../src/operations/settlement/readRelatedOrders.ts'
import { reconciledOrder } from '../../../src/operations/settlement/reconciledOrder.ts'
import { type Database, openDatabase } from '../../../src/store/connection/database.ts'
import { readToReconcile } from '../../../src/store/settlement/readToReconcile.ts'
import type { Violation } from './invariants.ts'

/** The number of orders that are reconciled again. */
const SAMPLE = 50

/** Checks that each reconciliation equals a new one of its spots and rows, unless the order is due. Samples orders, in its own snapshot. */
export async function brokenReconciliations(databaseUrl: string): Promise<Violation[]> {
  const db = openDatabase(databaseUrl, { max: 1, statementTimeout: 60_000 })
  const client = await db.pool.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    const { rows } = await client.query<{ seller: string; order_ids: string[] }>(SAMPLED, [SAMPLE])
    const pool = client as unknown as Database['pool']
    const found: Violation[] = []
    for (const { seller, order_ids } of rows) {
      const orders = await readToReconcile({ pool }, seller, order_ids)
      const relatedOrdersOf = await readRelatedOrders({ pool }, seller, orders)
      for (const order of orders) {
        if (reconciledOrder(order, relatedOrdersOf(order)).digest === order.head.digest) continue
        found.push({
          invariant: 'I18',
          order_id: order.head.order_id,
          problem: 'its reconciliation is not what its spots and rows come to',
        })
      }
    }
    return found
  } finally {
    client.release(true)
    await db.close()
  }
}

const SAMPLED = `
  select seller, array_agg(order_id) as order_ids from (
    select r.seller, r.order_id from reconciliations r
    where state = 'reconciled' and not exists (select from reconcile_due d where d.order_id = r.order_id)
      -- the run of an agreed makegood marks its order
      and not exists (select from makegoods m where m.order_id = r.order_id and m.status = 'accepted' and not m.followed)
    order by md5(r.order_id) limit $1
  ) sampled group by seller`

const COUNTS = ['ordered', 'aired_in_spec', 'aired_out_of_spec', 'makegood', 'missed', 'open', 'unordered', 'duplicate', 'billed']
const AMOUNTS = ['ordered_gross', 'billed_gross', 'variance_gross']
const total = (name: string) => `coalesce((r.totals->>'${name}')::numeric, 0)`
const totals = (...names: string[]) => names.map(total).join(' + ')

/** Checks of the sums and buckets of all reconciliations; every row of an answer is one violation. */
export const RECONCILED_INVARIANTS: readonly { invariant: 'I18'; text: string }[] = [
  {
    invariant: 'I18',
    text: `select r.order_id, 'its lines do not add up to its totals' as problem from reconciliations r
      cross join lateral (
        select ${[...COUNTS, ...AMOUNTS].map((name) => `coalesce(sum((l.body->>'${name}')::numeric), 0) as ${name}`).join(', ')}
        from reconciliation_lines l where (l.order_id, l.result) = (r.order_id, r.result)
      ) lines
      where state = 'reconciled' and (${[...COUNTS, ...AMOUNTS].map((name) => `${total(name)} <> lines.${name}`).join(' or ')})`,
  },
  {
    invariant: 'I18',
    text: `select r.order_id, 'a spot or a row of it is in no bucket, or in two' as problem from reconciliations r
      where state = 'reconciled' and not exists (select from reconcile_due d where d.order_id = r.order_id) and (
        ${total('ordered')} <> ${totals('aired_in_spec', 'aired_out_of_spec', 'makegood', 'missed', 'open')}
        or ${total('ordered')} <> (select coalesce(sum(units), 0) from booked_spots s where s.order_id = r.order_id)
        or (select count(*) from as_run_rows a where a.order_id = r.order_id and ran)
          <> ${totals('aired_in_spec', 'aired_out_of_spec', 'unordered', 'duplicate')} + coalesce((r.totals->>'makegood_airings')::numeric, ${total('makegood')})
        or (select count(*) from billed_rows b where b.order_id = r.order_id and ran) <> ${total('billed')})`,
  },
  {
    invariant: 'I18',
    text: `select r.order_id, 'a spot or a bill of it, which is too large to be matched, is in no bucket, or in another' as problem from reconciliations r
      where state = 'too_large' and not exists (select from reconcile_due d where d.order_id = r.order_id) and (
        ${total('ordered')} <> (select coalesce(sum(units), 0) from booked_spots s where s.order_id = r.order_id)
        or ${total('open')} <> ${total('ordered')}
        or ${total('billed')} <> (select count(*) from billed_rows b where b.order_id = r.order_id and ran)
        or ${totals('aired_in_spec', 'aired_out_of_spec', 'makegood', 'missed', 'unordered', 'duplicate')} <> 0
        or ${total('ordered_gross')} <> (select round(coalesce(sum(gross), 0), 2) from booked_spots s where s.order_id = r.order_id)
        or ${total('billed_gross')} <> (select round(coalesce(sum(rate), 0), 2) from billed_rows b where b.order_id = r.order_id and ran)
        or ${total('variance_gross')} <> ${total('billed_gross')} - ${total('ordered_gross')}
        or exists (select from reconciliation_lines l where l.order_id = r.order_id))`,
  },
  {
    invariant: 'I18',
    text: `select distinct l.order_id, 'it has lines of no result' as problem from reconciliation_lines l
      where not exists (select from reconciliations r where (r.order_id, r.result) = (l.order_id, l.result))
        and not exists (select from reconcile_due d where d.order_id = l.order_id)`,
  },
]
