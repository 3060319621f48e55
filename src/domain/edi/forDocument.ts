import type { OrderState } from '../order/state.ts'

/**
 * Returns an order with no more than its document and its mail are made of: without what was asked for, bookings without impressions, and artifacts but
 * for the receipt. The rest is most of an order, and is copied where it goes to another thread.
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
