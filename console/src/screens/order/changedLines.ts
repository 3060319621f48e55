import type { Order, OrderLine } from '../../api/queries/orders.ts'

/** Returns the asks in `then` whose status, units or counters differ in `now`. */
export function changedLines(then: Order, now: Order): Set<string> {
  const after = new Map(now.line_items.map((line) => [line.unit_id, line]))
  const asks = then.line_items.filter(({ in_response_to }) => in_response_to === undefined)
  const changed = asks.filter((line) => {
    const later = after.get(line.unit_id)
    return later === undefined || !isSame(line, later) || counters(then, line) !== counters(now, line)
  })
  return new Set(changed.map(({ unit_id }) => unit_id))
}

function isSame(one: OrderLine, other: OrderLine): boolean {
  return one.status === other.status && one.num_accepted === other.num_accepted && one.units === other.units
}

function counters({ line_items }: Order, { unit_id }: OrderLine): string {
  return line_items
    .filter((line) => line.in_response_to === unit_id)
    .map((line) => `${line.unit_id} ${line.status}`)
    .join()
}
