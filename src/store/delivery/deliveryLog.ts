import { type RawBuilder, sql as raw } from 'kysely'
import { type DropReason, EVENT_TYPES, type EventType, WEBHOOK_TEST } from '../../contract/vocabulary.ts'
import type { Delivery, DeliveryListQuery, RedeliverRange } from '../../contract/webhook.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database, Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { wakeSender } from './deliveries.ts'

/** The log of deliveries as tenants read it, and redelivery. The caller has checked that the endpoint is the tenant's. */

type Sql = Pick<Database, 'sql'>

/** Lists deliveries, newest first, below `before`, of the types that the reader may read. */
export async function listDeliveries(
  { sql }: Sql,
  endpointId: string,
  { status, order_id }: Pick<DeliveryListQuery, 'status' | 'order_id'>,
  readable: readonly EventType[],
  before: string | undefined,
  limit: number,
): Promise<Delivery[]> {
  let query = sql.selectFrom('deliveries').select(COLUMNS).where('endpoint_id', '=', endpointId)
  if (readable.length < EVENT_TYPES.length) query = query.where('event_type', 'in', shownTypes(readable))
  if (status !== undefined) query = query.where('status', '=', status)
  if (order_id !== undefined) query = query.where('order_id', '=', order_id)
  const bound = before === undefined ? undefined : numberOf(before)
  if (bound !== undefined) query = query.where('delivery_no', '<', bound)
  return (await query.orderBy('delivery_no', 'desc').limit(limit).execute()).map(shown)
}

/** Adds pings to the readable types, since a ping contains nothing that scopes guard. */
function shownTypes(readable: readonly EventType[]): Delivery['event_type'][] {
  return [...readable, WEBHOOK_TEST]
}

/**
 * Sends the content of a delivery again, as a new delivery that names it. Undefined if the endpoint has no delivery with this id, or none
 * that the caller may read, since the answer tells what was sent.
 */
export async function redeliver(
  { sql }: Sql,
  endpointId: string,
  deliveryId: string,
  readable: readonly EventType[],
): Promise<Delivery | undefined> {
  const delivery_no = numberOf(deliveryId)
  if (delivery_no === undefined) return undefined
  return sql.transaction().execute(async (tx) => {
    const again = await sendAgain(tx, sentTo(tx, endpointId, readable).where('delivery_no', '=', delivery_no))
      .returning(COLUMNS)
      .executeTakeFirst()
    if (again === undefined) return undefined
    await wakeSender(tx, endpointId)
    return shown(again)
  })
}

/** The most deliveries per request; for more, a client asks for a shorter time range. */
const MAX_BATCH = 10_000

/**
 * Sends the deliveries of a time range again, in order, for the types that the caller may read. Returns their number. INVALID_INPUT if
 * there are too many for one request.
 */
export async function redeliverRange(
  { sql }: Sql,
  endpointId: string,
  { from, to = new Date().toISOString(), status = 'dropped', skip_delivered = false }: RedeliverRange,
  readable: readonly EventType[],
): Promise<number> {
  return sql.transaction().execute(async (tx) => {
    const sent = sentTo(tx, endpointId, readable)
    const stretch = (skip_delivered ? sent.where(raw<boolean>`not ${ARRIVED}`) : sent)
      .where('status', '=', status)
      .where('redelivery_of', 'is', null)
      .where('created_at', '>=', instant(from))
      .where('created_at', '<', instant(to))
      .orderBy('delivery_no')
      .limit(MAX_BATCH + 1)
    const { numInsertedOrUpdatedRows: count = 0n } = await sendAgain(tx, stretch).executeTakeFirst()
    if (count > MAX_BATCH)
      throw new Refusal('INVALID_INPUT', `More than ${MAX_BATCH} deliveries are in this range: ask for a shorter one.`, {
        field: 'from',
        most: MAX_BATCH,
      })
    if (count > 0n) await wakeSender(tx, endpointId)
    return Number(count)
  })
}

/** Selects what an endpoint was sent, of the types that the caller may read, in the form in which it is sent again. */
function sentTo(tx: Tx, endpointId: string, readable: readonly EventType[]) {
  return tx
    .selectFrom('deliveries')
    .select(['endpoint_id', 'event_type', 'order_id', 'seq', 'event_id', 'delivery_no'])
    .where('endpoint_id', '=', endpointId)
    .where('event_type', 'in', shownTypes(readable))
}

function sendAgain(tx: Tx, sent: ReturnType<typeof sentTo>) {
  return tx.insertInto('deliveries').columns(['endpoint_id', 'event_type', 'order_id', 'seq', 'event_id', 'redelivery_of']).expression(sent)
}

/** SQL: whether another delivery of the same event to the same endpoint has arrived. */
const ARRIVED = raw<boolean>`exists (select from deliveries again where again.endpoint_id = deliveries.endpoint_id and again.status = 'delivered'
  and again.delivery_no <> deliveries.delivery_no and again.order_id is not distinct from deliveries.order_id
  and again.seq is not distinct from deliveries.seq and again.event_id is not distinct from deliveries.event_id)`

/** Converts an instant to a number: PostgreSQL refuses some ISO datetimes, such as year 0 and an offset of sixteen hours. */
function instant(text: string): RawBuilder<string> {
  return raw<string>`to_timestamp(${Date.parse(text)}::float8 / 1000)`
}

/** Queues a ping, or in its place an example of an event: what is in no log and no feed. The log of deliveries knows both as pings. */
export async function sendTest({ sql }: Sql, tenant: string, endpointId: string, example?: object): Promise<Delivery> {
  const event_id = newId('evt_')
  const body = example ?? { event_type: WEBHOOK_TEST, event_id, occurred_at: new Date().toISOString(), data: { endpoint_id: endpointId } }
  return sql.transaction().execute(async (tx) => {
    await tx
      .insertInto('notices')
      .values({ event_id, tenant, body: JSON.stringify(body) })
      .execute()
    const row = await tx
      .insertInto('deliveries')
      .values({ endpoint_id: endpointId, event_type: WEBHOOK_TEST, event_id })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
    await wakeSender(tx, endpointId)
    return shown(row)
  })
}

const COLUMNS = [
  'delivery_no',
  'event_type',
  'order_id',
  'seq',
  'event_id',
  'status',
  'dropped_reason',
  'redelivery_of',
  'created_at',
  'attempts',
] as const

function shown(row: {
  delivery_no: string
  event_type: Delivery['event_type']
  order_id: string | null
  seq: number | null
  event_id: string | null
  status: Delivery['status']
  dropped_reason: DropReason | null
  redelivery_of: string | null
  created_at: string
  attempts: string
}): Delivery {
  const { delivery_no, event_type, order_id, seq, event_id, status, dropped_reason, redelivery_of, created_at, attempts } = row
  return {
    delivery_id: idOf(delivery_no),
    event_type,
    event_id: event_id ?? `${order_id}:${seq}`,
    ...(order_id === null || seq === null ? {} : { order_id, seq }),
    status,
    ...(dropped_reason === null ? {} : { dropped_reason }),
    ...(redelivery_of === null ? {} : { redelivery_of: idOf(redelivery_of) }),
    created_at,
    attempts: JSON.parse(attempts) as Delivery['attempts'],
  }
}

/** Pads the number with zeros, so that ids sort in the order of creation. */
function idOf(deliveryNo: string): string {
  return `dlv_${BigInt(deliveryNo).toString(32).padStart(13, '0')}`
}

function numberOf(deliveryId: string): string | undefined {
  const [, digits] = /^dlv_([0-7][0-9a-v]{12})$/.exec(deliveryId) ?? []
  if (digits === undefined) return undefined
  return [...digits].reduce((sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)), 0n).toString()
}
