import type { OrderState } from '../order/state.ts'

/**
 * Returns an order with only the parts that its document and mail need: without the requested lines, bookings without impressions, and
 * artifacts other than the receipt. These are most of an order, which is copied when it is passed to another thread.
 */
export function forDocument({ request, facts, bookings, artifacts, ...order }: OrderState): OrderState {
  const { line_items: _, ...asked } = request
  return {
    ...order,
    request: asked,
    facts: { ...facts, lines: [] },
    bookings: bookings.filter(({ impressions_per_unit }) => impressions_per_unit !== undefined),
    artifacts: artifacts.flatMap((artifact) => (artifact.name === 'placement_receipt' ? [{ ...artifact, daylocks: [] }] : [])),
    plans: [],
  }
}
