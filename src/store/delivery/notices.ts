import { sql } from 'kysely'
import type { EventType } from '../../contract/vocabulary.ts'
import type { Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { queueNotices } from './deliveries.ts'

/** An event outside the life of an order, with everyone who may see it and the data for each (choices, Non-lifecycle data). */
export interface Notice {
  readonly event_type: Exclude<EventType, 'order.status_changed'>
  readonly seller: string
  readonly occurred_at: string
  /** Groups the tenants that receive the same data. A notice without recipients is not stored. */
  readonly shown: readonly { readonly to: readonly string[]; readonly data: object }[]
}

/**
 * Writes notices with one feed row per recipient and the deliveries of its endpoints, in the transaction that made them true
 * (architecture, Readers written with the event).
 */
export async function announce(tx: Tx, notices: readonly Notice[]): Promise<void> {
  const event_ids: string[] = []
  const event_types: string[] = []
  const tenants: string[] = []
  const bodies: string[] = []
  for (const { shown, ...envelope } of notices) {
    const event_id = newId('evt_')
    for (const { to, data } of shown) {
      const { event_type, seller, occurred_at } = envelope
      const body = JSON.stringify({ event_type, event_id, seller, occurred_at, data })
      for (const tenant of to) {
        event_ids.push(event_id)
        event_types.push(event_type)
        tenants.push(tenant)
        bodies.push(body)
      }
    }
  }
  if (tenants.length === 0) return
  await sql`
    with sent as (
      select * from unnest(${event_ids}::text[], ${event_types}::text[], ${tenants}::text[], ${bodies}::text[])
        with ordinality as s(event_id, event_type, tenant, body, place)
    ), kept as (
      insert into notices (event_id, tenant, body) select event_id, tenant, body from sent
    ), ${sql.raw(queueNotices('select event_id, event_type, tenant, place from sent'))}
    insert into feed (tenant, event_type, event_id) select tenant, event_type, event_id from sent order by place`.execute(tx)
}
