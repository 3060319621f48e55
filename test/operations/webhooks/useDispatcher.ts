import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { deliveryActivities } from '../../../activities/deliveries.ts'
import { createOutboundClient } from '../../../src/adapters/http/outboundCall.ts'
import type { Delivery } from '../../../src/contract/webhook.ts'
import { ATTEMPT_TIMES } from '../../../src/domain/webhooks/attempts.ts'
import { type DeliveryState, openWebhookDispatcher, type WebhookDispatcher } from '../../../src/operations/webhooks/dispatcher.ts'
import { callingInActivities } from '../../../worker/inActivity.ts'
import { type Receiver, startReceiver } from '../../support/http/receiver.ts'
import type { Market } from '../../support/market.ts'
import { type Used, useMarket } from '../../support/useMarket.ts'

/** A market whose webhooks are sent by a dispatcher in this process, to a new receiver in each test. */
export interface Dispatching {
  readonly market: Market & Used
  readonly outbound: ReturnType<typeof createOutboundClient>
  readonly dispatcher: WebhookDispatcher
  readonly receiver: Receiver
  /** The id of a new endpoint of acme. */
  endpointAt(url: string, more?: Record<string, unknown>): Promise<string>
  /** Sends what waits for an endpoint, as its workflow does. */
  deliver(endpointId: string): Promise<DeliveryState>
  ping(endpointId: string): Promise<Delivery>
  /** Its deliveries, the oldest first. */
  logOf(endpointId: string): Promise<Delivery[]>
  // biome-ignore lint/suspicious/noExplicitAny: the body of a reply
  endpoint(endpointId: string): Promise<any>
  /** What the relay does with what lies in the outbox. */
  relayed(endpointId: string): Promise<void>
  /** Keeps every post waiting until the function that it returns is called, and from then on for `afterwardsMs`. */
  holdAnswers(afterwardsMs: number): () => void
}

/** The times of the product with a tenth of its waits. */
export const TIMES = { ...ATTEMPT_TIMES, waitsMs: [200, 800] } as const
/** How long a sender of these tests stays after it has sent something: not long enough for the second wait. */
export const STAYS_MS = 300

/** What the activity of a dispatcher does for an endpoint, once. */
export const delivering = (dispatcher: WebhookDispatcher, endpointId: string): Promise<DeliveryState> =>
  new MockActivityEnvironment().run(deliveryActivities(dispatcher).deliver, endpointId)

/** The same until nothing waits, or for long, as its workflow does it. */
export async function deliverAll(dispatcher: WebhookDispatcher, endpointId: string): Promise<DeliveryState> {
  for (;;) {
    const state = await delivering(dispatcher, endpointId)
    const wait = state.at === null ? undefined : Date.parse(state.at) - Date.now()
    if (wait === undefined || wait > 5_000) return state
    await sleep(wait + 20) // a timer may be early
  }
}

export function useDispatcher(): Dispatching {
  const market = useMarket()
  const outbound = callingInActivities(createOutboundClient({ allowLoopback: true }))
  const use = { market, outbound } as { -readonly [Key in keyof Dispatching]: Dispatching[Key] }
  beforeAll(() => {
    use.dispatcher = openWebhookDispatcher({ db: market.deps.db, secrets: market.deps.secrets, outbound, times: TIMES, stayMs: STAYS_MS })
  })
  market.beforeStop(() => outbound.close())
  beforeEach(async () => {
    use.receiver = await startReceiver()
  })
  afterEach(async () => {
    use.receiver.close()
    const { items } = (await market.acme.get('/webhooks/endpoints')).body
    for (const { endpoint_id } of items) await market.acme.delete(`/webhooks/endpoints/${endpoint_id}`)
  })
  return Object.assign(use, {
    endpointAt: async (url: string, more: Record<string, unknown> = {}) =>
      (await market.acme.post('/webhooks/endpoints', { url, ...more })).body.endpoint_id as string,
    deliver: (endpointId: string) => deliverAll(use.dispatcher, endpointId),
    ping: async (endpointId: string) => (await market.acme.post(`/webhooks/endpoints/${endpointId}/test`, undefined)).body as Delivery,
    logOf: async (endpointId: string) =>
      (await market.acme.get(`/webhooks/endpoints/${endpointId}/deliveries?limit=200`)).body.items.reverse() as Delivery[],
    endpoint: async (endpointId: string) => (await market.acme.get(`/webhooks/endpoints/${endpointId}`)).body,
    relayed: async (endpointId: string) => {
      const { rowCount } = await market.deps.db.pool.query(`delete from outbox where kind = 'endpoint' and target = $1`, [endpointId])
      if (rowCount !== 0) use.dispatcher.wake(endpointId)
    },
    holdAnswers: (afterwardsMs: number) => {
      const held: (() => void)[] = []
      use.receiver.answer((res) => held.push(() => res.writeHead(204).end()))
      return () => {
        use.receiver.answer((res) => setTimeout(() => res.writeHead(204).end(), afterwardsMs))
        for (const answer of held) answer()
      }
    },
  })
}
