import { type DueMail, dueMails, type PlacedOrder } from '../../domain/edi/dueMails.ts'
import type { Database } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'

/**
 * Queues the mails that the events of an order and of its family require, and wakes their sender; does nothing if the order's agreement has
 * no mail address. Idempotent. Queues a family's mails together, since a thread's mails are sent in the order in which they were queued.
 */
export async function planMails({ pool }: Pick<Database, 'pool'>, orderId: string): Promise<void> {
  const { rows } = await pool.query<PlacedOrder>(PLACED.bind({ order_id: orderId }))
  const mails = dueMails(rows)
  if (mails.length > 0) await pool.query(QUEUE.bind(columnsOf(mails)))
}

function columnsOf(mails: readonly DueMail[]) {
  return {
    message_ids: mails.map(() => newId('edi_')),
    order_ids: mails.map(({ order_id }) => order_id),
    seqs: mails.map(({ seq }) => seq),
    documents: mails.map(({ document }) => document),
    times: mails.map(({ created_at }) => created_at),
  }
}

/** SQL: true if the agreement of an order has an address for order mail. */
export function hasMailAddress(order: string): string {
  return `exists (select from agreements a where a.agreement_id = ${order}.agreement_id and a.body->'edi' is not null)`
}

/** Finds a family's orders placed under one order's agreement, if that has a mail address. By union: a join with `or` would scan all. */
const PLACED = statement(
  'read-placed-for-mail',
  ['order_id'],
  `with own as materialized (
      select order_id, root, agreement_id from orders own where order_id = :order_id and placed_at is not null and ${hasMailAddress('own')}
    ), family as (
      select order_id, agreement_id from own union select m.order_id, m.agreement_id from own join orders m on m.root = own.root
    )
    select m.order_id, m.last_seq, m.placed_at, c.occurred_at as canceled_at, substring(c.command_id from '^order:(.*):supersede$') as canceled_for
      from own join family f on f.agreement_id = own.agreement_id
      cross join lateral (select * from orders where order_id = f.order_id and placed_at is not null offset 0) m
      left join order_events c on m.status = 'canceled' and c.order_id = m.order_id and c.seq = m.last_seq`,
)

/**
 * Queues mails in the given order, unless their event has one, with an outbox row. Mails an ended placement only if the agreement has not
 * changed since: otherwise it may have had no address then, and the closing at that time has decided against a mail.
 */
const QUEUE = statement(
  'queue-mails',
  ['message_ids', 'order_ids', 'seqs', 'documents', 'times'],
  `with queued as (
      insert into edi_messages (message_id, order_id, seq, agreement_id, seller, buyer_entity, thread, document, document_id, created_at)
      select new.message_id, o.order_id, new.seq, o.agreement_id, o.seller, o.buyer_entity, coalesce(o.root, o.order_id), new.document,
          new.message_id, new.created_at
        from unnest(:message_ids::text[], :order_ids::text[], :seqs::int[], :documents::text[], :times::timestamptz[])
          with ordinality as new (message_id, order_id, seq, document, created_at, place)
        join orders o on o.order_id = new.order_id join agreements a on a.agreement_id = o.agreement_id
        where new.document = 'cancelled' or a.updated_at <= new.created_at or (o.status = 'placed' and not o.closed)
        order by new.place
      on conflict (order_id, seq) do nothing returning agreement_id
    )
    insert into outbox (kind, target) select distinct 'mail', agreement_id from queued`,
)
