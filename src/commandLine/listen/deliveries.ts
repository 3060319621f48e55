import { type Client, type components, type Event, isOrderEvent, pause } from '../../../client/src/index.ts'
import { say } from '../output.ts'

type Delivery = components['schemas']['DeliveryList']['items'][number]

export interface DeliveriesSeen {
  readonly events: readonly string[] | undefined
  readonly statuses: readonly string[] | undefined
  /** All deliveries of this endpoint; else only the tests and redeliveries of each. */
  readonly endpoint: string | undefined
  readonly signal: AbortSignal
}

const LOOK_MS = 1_000
/** How many deliveries a look reads. More in a second come with the next look: they are listed newest first. */
const LOOKED_AT = 200

/** Calls `post` with the event of each delivery that begins from now on. The feed has no tests, and an event only once. */
export async function followDeliveries(client: Client, sees: DeliveriesSeen, post: (event: Event) => Promise<void>): Promise<void> {
  const seen = new Map<string, ReadonlySet<string>>()
  for (; ; await pause(LOOK_MS, sees.signal)) {
    for (const endpoint_id of await endpointsOf(client, sees)) {
      const query = { limit: LOOKED_AT }
      const { items } = (await client.operations.listDeliveries({ path: { endpoint_id }, query })).body
      const before = seen.get(endpoint_id)
      seen.set(endpoint_id, new Set(items.map(({ delivery_id }) => delivery_id)))
      if (before === undefined) continue // what there was before the first look
      const begun = items.filter(({ delivery_id }) => !before.has(delivery_id)).reverse()
      for (const delivery of begun) if (isMeant(delivery, sees)) await postDelivery(client, endpoint_id, delivery, sees, post)
    }
  }
}

async function endpointsOf({ operations }: Client, { endpoint }: DeliveriesSeen): Promise<string[]> {
  if (endpoint !== undefined) return [endpoint]
  const { items } = (await operations.listWebhookEndpoints({ query: { limit: 20 } })).body
  return items.map(({ endpoint_id }) => endpoint_id)
}

const TEST = 'webhook.test'

function isMeant({ event_type, redelivery_of }: Delivery, { endpoint, events }: DeliveriesSeen): boolean {
  if (endpoint === undefined && event_type !== TEST && redelivery_of === undefined) return false
  return events === undefined || events.includes(event_type) || event_type === TEST
}

async function postDelivery(
  client: Client,
  endpoint_id: string,
  delivery: Delivery,
  { statuses }: DeliveriesSeen,
  post: (event: Event) => Promise<void>,
): Promise<void> {
  const event = await eventOf(client, endpoint_id, delivery)
  if (event === undefined) say(`${delivery.event_id} (${delivery.event_type}) is not in the log of an order, and cannot be brought again.`)
  else if (statuses === undefined || !isOrderEvent(event) || statuses.includes(event.status)) await post(event)
}

/** Returns the event of a delivery, whose list has no bodies: that of an order is in its log, and a test is made as the marketplace makes it. */
async function eventOf({ operations }: Client, endpoint_id: string, delivery: Delivery): Promise<Event | undefined> {
  const { event_type, event_id, order_id, seq, created_at } = delivery
  if (event_type === TEST) return { event_type: TEST, event_id, occurred_at: created_at, data: { endpoint_id } } as unknown as Event
  if (order_id === undefined || seq === undefined) return undefined
  const { events } = (await operations.replayEvents({ query: { order: order_id, after_seq: String(seq - 1), limit: 1 } })).body
  return events.find((event) => event.seq === seq)
}
