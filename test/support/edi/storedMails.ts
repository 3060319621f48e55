import type { EdiAttempt } from '../../../src/contract/edi.ts'
import type { EdiDocument, EdiStatus } from '../../../src/contract/vocabulary/edi.ts'
import type { Database } from '../../../src/store/connection/database.ts'
import { newId } from '../../../src/store/connection/newId.ts'

interface Stored {
  seq?: number
  document?: EdiDocument
  status?: EdiStatus
  status_reason?: string
  stuck?: 'dns'
  warnings?: readonly string[]
  attempts?: readonly EdiAttempt[]
  scx?: string | null
  csv?: string | null
  created_at?: string
  sent_at?: string
  to_address?: string
  filename?: string
  bounced_at?: string
}

const AT = '2030-05-01T12:00:00.000Z'

/** Writes a mail of an order as its agreement's run does, with a document unless it is queued or skipped. */
export async function storeMail({ db }: { db: Database }, orderId: string, stored: Stored = {}): Promise<string> {
  const { seq = 4, document = 'confirmed', status = 'sent', attempts = [], warnings = [], scx = '<adx/>', csv = null, ...more } = stored
  const order = await db.sql
    .selectFrom('orders')
    .select(['seller', 'buyer_entity', 'agreement_id'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const message_id = newId('edi_')
  const isMade = status !== 'queued' && status !== 'skipped'
  const made = {
    to_address: 'billing@acme.example',
    subject: 'CONFIRMED',
    filename: 'SCX_cable_ext_v1_confirmed.scx',
    sha256: 'a'.repeat(64),
  }
  await db.sql
    .insertInto('edi_messages')
    .values({
      ...{ message_id, order_id: orderId, seq, thread: orderId, document, document_id: message_id, status, created_at: AT },
      ...{ seller: order.seller, buyer_entity: order.buyer_entity, agreement_id: order.agreement_id ?? 'agr-1' },
      ...(isMade ? { ...made, message_ref: `${message_id}@orders.example` } : {}),
      ...(status === 'sent' || status === 'bounced' ? { sent_at: AT, may_have_gone: true } : {}),
      ...more,
      warnings: JSON.stringify(warnings),
      attempts: attempts.length,
    })
    .execute()
  if (isMade) {
    const content = { headers: '{}', terms: '{}', descriptors: '{}', text: '' }
    const bytes = { scx: scx === null ? null : Buffer.from(scx), csv: csv === null ? null : Buffer.from(csv) }
    await db.sql
      .insertInto('edi_documents')
      .values({ document_id: message_id, ...content, ...bytes })
      .execute()
  }
  for (const [index, { at, outcome, code, enhanced, latency_ms }] of attempts.entries()) {
    const attempt = { at, outcome, code: code ?? null, enhanced: enhanced ?? null, latency_ms, reason: null }
    await db.sql
      .insertInto('edi_attempts')
      .values({ message_id, n: index + 1, ...attempt })
      .execute()
  }
  return message_id
}
