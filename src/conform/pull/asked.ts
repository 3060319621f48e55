import { randomUUID } from 'node:crypto'
import type { HoldLine } from '../../contract/hold.ts'
import type { OrderSnapshot } from '../../contract/order.ts'
import type { AvailabilityRequest, HoldRequest } from '../../contract/pullApi.ts'

/** Makes a fictitious order in the form that a seller reads, with a new id and two lines of a product in a future week. */
export function askedOrder() {
  const now = new Date().toISOString()
  const order_id = `ord_conform${randomUUID().replaceAll('-', '')}`
  return {
    order_id,
    external_order_id: 'conformance',
    seller: 'seller',
    buyer_entity: 'conformance',
    workflow: 'catalog',
    status: 'seller_review',
    substatus: 'awaiting_remote_decision',
    last_seq: 3,
    rate_version: 'card-1',
    taxonomy_version: 'taxonomy-1',
    buyer_metadata: { advertiser_id: 'advertiser-1' },
    issued_at: now,
    revision: { version: 1, supersedes: null },
    settlement_mode: 'direct',
    cancellation_terms: null,
    created_at: now,
    updated_at: now,
    totals: { gross: 1_000, currency: 'USD' },
    events_url: `/v1/events?order=${order_id}`,
    line_items: UNITS.map((unit_id) => ({
      ...LINE,
      unit_id,
      provider: 'Seller',
      network: 'NET',
      allocation: [],
      num_accepted: 0,
      status: 'pending' as const,
      reason: null,
      rate: {
        market_class: 'scatter' as const,
        advertiser_class: 'general',
        buy_type: 'preemptible' as const,
        unit_cost: 100,
        locked_rate_id: 'lr_1',
        currency: 'USD',
        rate_basis: 'per_unit' as const,
      },
      availability: null,
      posting_policy: { policy: null, source: 'unstated' as const },
      include_mirror: false,
    })),
    artifacts: [],
    allowed_actions: ['decide'],
    waiting_on: { party: 'seller', since: now, overdue: false },
  } satisfies OrderSnapshot
}

const UNITS = ['unit_conform1', 'unit_conform2']
const LINE = { product_id: 'product-1', period: { grain: 'week', start: '2099-W02' }, units: 5, spot_length: 30 } satisfies HoldLine

export function linesOf({ line_items }: ReturnType<typeof askedOrder>): AvailabilityRequest['lines'] {
  return line_items.map(({ unit_id, product_id, period, units }) => ({ unit_id, product_id, period, units }))
}

export function aHoldRequest(): HoldRequest {
  return {
    hold_id: `hold_conform${randomUUID().replaceAll('-', '')}`,
    lines: [LINE],
    expires_at: new Date(Date.now() + 600_000).toISOString(),
  }
}
