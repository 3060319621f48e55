import { FixtureUnsatisfied, NotHeld } from '../story.ts'
import { freshTenant, type Target } from '../target.ts'
import { eventually, expected, type Wire, type WireReply } from '../wire.ts'

export interface SellerOptions {
  /** How long the seller may take to decide, in milliseconds. */
  readonly patienceMs: number
  /** A product that the seller's program counters, whatever is ordered of it. */
  readonly counters?: string | undefined
}

/** A seller, and a buyer of the sandbox that orders from it on demand. */
export interface SellerWorld extends SellerOptions {
  readonly seller: string
  readonly wire: Wire
  /** The profile as it was declared when the run began. */
  readonly profile: WireReply['body']
  /** A buyer that nobody knew before this run. */
  readonly buyer: Wire
  /** Has the sandbox's buyer order; returns the id of the order. */
  order(body: object): Promise<string>
  read(order_id: string): Promise<WireReply['body']>
  events(order_id: string): Promise<WireReply['body'][]>
  /** The order once it has one of these statuses. */
  until(order_id: string, statuses: readonly string[], fix: string): Promise<WireReply['body']>
}

/** The statuses of an order that its seller has decided. */
export const DECIDED = ['placed', 'negotiating', 'rejected'] as const

export async function openSellerWorld({ wire, entity }: Target, options: SellerOptions): Promise<SellerWorld> {
  const profile = expected(await wire.get('/me/capabilities'), 200, 'use a token with catalog:read')
  const { wire: buyer } = await freshTenant(wire, 'buyer', 'Conformance of a seller')
  const read = async (order_id: string) => expected(await wire.get(`/me/orders/${order_id}`), 200, 'use a token with orders:read')
  return {
    ...options,
    ...{ seller: entity, wire, profile, buyer, read },
    async order(body) {
      const { status, body: first } = await wire.post('/sandbox/orders', body)
      const demanded = status === 201 ? await decided(wire, first) : first
      if (demanded.order_id !== undefined) return demanded.order_id
      const { error_code, error_message } = demanded.error ?? demanded
      const cause = `the buyer of the sandbox could not order: ${error_code}, ${error_message}`
      const fix = 'publish a catalog, a rate card and avails for the weeks ahead, as any buyer would need them'
      throw error_code === 'INVALID_INPUT' || status === 422 ? new FixtureUnsatisfied(cause, fix) : new NotHeld(cause, fix)
    },
    async events(order_id) {
      return expected(await wire.get(`/events?order=${order_id}`), 200, 'use a token with orders:read').events
    },
    until: (order_id, statuses, fix) =>
      eventually(
        () => read(order_id),
        ({ status }) => statuses.includes(status),
        { patienceMs: options.patienceMs, cause: ({ status }) => `${order_id} is still ${status}`, fix },
      ),
  }
}

/** Waits until the buyer of a busy sandbox has ordered, or could not. */
function decided(wire: Wire, { external_order_id }: WireReply['body']): Promise<WireReply['body']> {
  return eventually(
    async () => expected(await wire.get(`/sandbox/orders/${external_order_id}`), 200, 'use a token with orders:read'),
    ({ status }) => status !== 'requested',
    { patienceMs: 60_000, cause: () => `the buyer of the sandbox has not ordered ${external_order_id}`, fix: 'see that the worker runs' },
  )
}
