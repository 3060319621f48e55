import type pg from 'pg'
import { newId } from '../../../src/store/connection/newId.ts'

interface Message {
  readonly order_id: string
  readonly status?: 'queued' | 'sent' | 'failed' | 'bounced' | 'skipped'
  readonly status_reason?: string
  readonly to_address?: string
  readonly subject?: string
}

/** Writes a mail of an order into the database as if it had been made for it; returns its message_id. */
export async function ediMessage(owner: pg.Pool, message: Message): Promise<string> {
  const { order_id, status = 'sent', status_reason = null, to_address = 'billing@agency.example', subject = 'CONFIRMED' } = message
  const message_id = `edi_${newId('ord_').slice(4)}`
  await owner.query(
    `insert into edi_messages (message_id, order_id, agreement_id, seller, buyer_entity, thread, document, document_id, status, status_reason,
        to_address, subject, attempts, created_at, sent_at)
      select $1, order_id, 'agr-edi', seller, buyer_entity, order_id, 'confirmed', $1, $3, $4, $5, $6, 1, now(),
        case when $3 in ('sent', 'bounced') then now() end
      from orders where order_id = $2`,
    [message_id, order_id, status, status_reason, to_address, subject],
  )
  return message_id
}
