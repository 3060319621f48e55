import type { EventType } from '../../contract/vocabulary.ts'
import { batches } from '../connection/batches.ts'
import { arraysOf, JSON_TEXT, namesOf, valuesOf } from '../connection/columns.ts'
import type { Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
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
  for (const some of batches(rowsOf(notices), BATCH)) await runOn(tx, ANNOUNCE.bind(valuesOf(COLUMNS, some)))
}

/** Recipients per statement. */
const BATCH = 5_000
const COLUMNS = { event_id: 'text', event_type: 'text', tenant: 'text', body: JSON_TEXT } as const

function* rowsOf(notices: readonly Notice[]): Generator<Record<keyof typeof COLUMNS, string>> {
  for (const { shown, ...envelope } of notices) {
    const event_id = newId('evt_')
    for (const { to, data } of shown) {
      const { event_type, seller, occurred_at } = envelope
      const body = JSON.stringify({ event_type, event_id, seller, occurred_at, data })
      for (const tenant of to) yield { event_id, event_type, tenant, body }
    }
  }
}

/** Writes notices, their feed rows and deliveries. Returns nothing. */
const ANNOUNCE = statement(
  'announce-notices',
  namesOf(COLUMNS),
  `with sent as (
      select * from unnest(${arraysOf(COLUMNS)}) with ordinality as s(${namesOf(COLUMNS).join(', ')}, place)
    ), kept as (
      insert into notices (event_id, tenant, body) select event_id, tenant, body from sent
    ), ${queueNotices('select event_id, event_type, tenant, place from sent')}
    insert into feed (tenant, event_type, event_id) select tenant, event_type, event_id from sent order by place`,
)
