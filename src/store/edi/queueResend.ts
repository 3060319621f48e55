import type pg from 'pg'
import type { KeyUsed, RequestKey } from '../../domain/requestKey.ts'
import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'
import { readMail, type StoredMail } from './mails.ts'

/** A resend that a side of an order asks for; the caller has checked that it may. */
export interface Resend {
  readonly orderId: string
  readonly tenant: string
  /** The mail whose document is sent again; undefined for the first mail of an order that was placed or canceled when it had no address. */
  readonly messageId: string | undefined
  readonly key: RequestKey | undefined
  readonly perDay: number
  /** Builds the reply to the request from the new mail. */
  readonly reply: (mail: StoredMail) => string
}

export type Resent = { readonly reply: string } | { readonly used: KeyUsed } | { readonly retryAfter: number } | 'already queued'

type Pool = Pick<Database, 'pool'>

/**
 * Queues a mail with the document of an earlier one, and wakes its agreement's run. Serves the sides of an order one after another, which
 * enforces `perDay` and their keys. `retryAfter`, in seconds: the tenant has used up its share of the day.
 */
export async function queueResend({ pool }: Pool, { orderId, tenant, messageId, key, perDay, reply }: Resend): Promise<Resent> {
  return lockedTransaction(pool, lockOn(`edi:${orderId}`), async (client) => {
    const used = key && (await findKey(client, orderId, tenant, key))
    if (used !== undefined) return { used }
    const { rows } = await client.query<{ retry_after: number }>(SHARE.bind({ order_id: orderId, tenant, max: perDay }))
    const [exhausted] = rows
    if (exhausted !== undefined) return { retryAfter: exhausted.retry_after }
    const message_id = newId('edi_')
    const queue = messageId === undefined ? QUEUE_FIRST.bind({ message_id, order_id: orderId }) : QUEUE.bind({ message_id, of: messageId })
    if ((await client.query(queue)).rowCount === 0) return 'already queued'
    const mail = (await readMail({ pool: client }, orderId, message_id)) as StoredMail
    const text = reply(mail)
    const kept = { message_id, order_id: orderId, tenant, reply: text }
    await client.query(KEEP.bind({ ...kept, key: key?.key ?? null, body_hash: key?.body_hash ?? null }))
    return { reply: text }
  })
}

/** Returns what a key of this tenant has answered for this order before; undefined if the key is new. */
export async function findResend({ pool }: Pool, orderId: string, tenant: string, key: RequestKey): Promise<KeyUsed | undefined> {
  return findKey(pool, orderId, tenant, key)
}

async function findKey(
  client: Pick<pg.ClientBase, 'query'>,
  orderId: string,
  tenant: string,
  { key, body_hash }: RequestKey,
): Promise<KeyUsed | undefined> {
  const { rows } = await client.query<{ body_hash: Buffer; reply: string }>(FIND_KEY.bind({ order_id: orderId, tenant, key }))
  const [row] = rows
  if (row === undefined) return undefined
  return row.body_hash.equals(body_hash) ? { reply: row.reply } : 'other_body'
}

/** Deletes up to `limit` requests that are more than two days old. Returns their number. */
export async function deleteOldResends({ pool }: Pool, limit: number): Promise<number> {
  return (await pool.query(FORGET.bind({ limit }))).rowCount ?? 0
}

/** Reads what a key was used for, or no row. */
const FIND_KEY = statement(
  'find-resend-key',
  ['order_id', 'tenant', 'key'],
  'select body_hash, reply from edi_resends where order_id = :order_id and tenant = :tenant and key = :key',
)

/** Reads how long a tenant that has used up its share of 24 hours must wait; no row if it need not wait. */
const SHARE = statement(
  'share-of-resends',
  ['order_id', 'tenant', 'max'],
  `select greatest(1, ceil(extract(epoch from asked_at + interval '1 day' - now())))::int as retry_after from edi_resends
    where order_id = :order_id and tenant = :tenant and asked_at > now() - interval '1 day'
    order by asked_at desc offset :max::int - 1 limit 1`,
)

/** Queues the document of a mail again and wakes its agreement's run. Stores times in milliseconds, as they are read. */
const QUEUE = statement(
  'queue-resend',
  ['message_id', 'of'],
  `with queued as (
      insert into edi_messages (message_id, order_id, agreement_id, seller, buyer_entity, thread, document, document_id, supersedes, resend_of, created_at)
      select :message_id, order_id, agreement_id, seller, buyer_entity, thread, document, document_id, supersedes, message_id, date_trunc('milliseconds', now())
      from edi_messages where message_id = :of returning agreement_id
    )
    insert into outbox (kind, target) select 'mail', agreement_id from queued`,
)

/**
 * Queues the document of an order's state and wakes its agreement's run. Does nothing if that state has a mail, or if the closing step has
 * yet to queue it, since that step knows its place in the thread.
 */
const QUEUE_FIRST = statement(
  'queue-first-mail',
  ['message_id', 'order_id'],
  `with queued as (
      insert into edi_messages (message_id, order_id, seq, agreement_id, seller, buyer_entity, thread, document, document_id, created_at)
      select :message_id, order_id, last_seq, agreement_id, seller, buyer_entity, coalesce(root, order_id),
        case status when 'placed' then 'confirmed' else 'cancelled' end, :message_id, e.occurred_at
      from orders o join order_events e using (order_id)
      where order_id = :order_id and e.seq = o.last_seq and placed_at is not null and status in ('placed', 'canceled') and closed
      on conflict (order_id, seq) do nothing returning agreement_id
    )
    insert into outbox (kind, target) select 'mail', agreement_id from queued`,
)

/** Stores a request with its reply. */
const KEEP = statement(
  'keep-resend',
  ['message_id', 'order_id', 'tenant', 'key', 'body_hash', 'reply'],
  `insert into edi_resends (message_id, order_id, tenant, asked_at, key, body_hash, reply)
    values (:message_id, :order_id, :tenant, now(), :key, :body_hash, :reply)`,
)

/** Deletes some requests that are older than two days. */
const FORGET = statement(
  'forget-resends',
  ['limit'],
  `delete from edi_resends where message_id in (select message_id from edi_resends where asked_at < now() - interval '2 days' limit :limit)`,
)
