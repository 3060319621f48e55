import { asOwner } from '../connection/asOwner.ts'

/**
 * Leaves a row in the outbox for every open order that has none, as the user of the URL (who must own the tables): an engine that lost its runs gets them
 * again. Where a run is there it looks at its order once more, which does no harm. Returns how many rows it left.
 */
export function wakeOpenOrders(databaseUrl: string): Promise<number> {
  return asOwner(databaseUrl, async (client) => {
    let woken = 0
    for (let after = ''; ; ) {
      const { rows } = await client.query<{ last: string | null; woken: number }>(WAKE, [after, SLICE])
      const [{ last, woken: more } = { last: null, woken: 0 }] = rows
      woken += more
      if (last === null) return woken
      after = last
    }
  })
}

const SLICE = 10_000

/** The open ones of the next orders in the order of their ids, each a transaction of its own: the last id that it has seen, null at the end. */
const WAKE = `
  with slice as (
    select order_id, settled from orders where order_id > $1 order by order_id limit $2
  ), woken as (
    insert into outbox (kind, target)
      select 'order', order_id from slice
      where not settled and order_id not in (select target from outbox where kind = 'order')
      returning 1
  )
  select (select max(order_id) from slice) as last, (select count(*)::int from woken) as woken`
