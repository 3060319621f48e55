import { asOwner } from '../connection/asOwner.ts'

/**
 * Adds an outbox row for every open order that has none, as the URL's user (who must own the tables), so that a Temporal server that lost
 * its runs gets them again. An existing run checks its order once more, which does no harm. Returns the number of orders that get their runs,
 * those included whose row was there already.
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

/** Handles the next orders by id, each time in its own transaction, and wakes the open ones. Returns the last id seen, which is null at the end, and their number. */
const WAKE = `
  with slice as (
    select order_id, closed from orders where order_id > $1 order by order_id limit $2
  ), woken as (
    insert into outbox (kind, target)
      select 'order', order_id from slice
      where not closed and order_id not in (select target from outbox where kind = 'order')
      returning 1
  )
  select (select max(order_id) from slice) as last, (select count(*)::int from slice where not closed) as woken`
