import type { OrderAudit } from '../../contract/orderAudit.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { AUDIT_ALGORITHM, hashColumn, notifyEndpoint, recordHash, sha256, sharedFacts } from './auditChain.ts'
import type { Reader } from './command.ts'

/** Returns a page of an order's audit bundle; undefined if the order is not the reader's. A page ends at the event that fills its bytes. */
export async function readAudit(
  { pool }: Pick<Database, 'pool'>,
  reader: Reader,
  orderId: string,
  afterSeq: number,
): Promise<OrderAudit | undefined> {
  const { rows } = await pool.query<AuditRow>(
    AUDIT.bind({
      order_id: orderId,
      side: reader.side,
      entity: reader.entity,
      after_seq: afterSeq,
      page_bytes: PAGE_BYTES,
      page_events: PAGE_EVENTS,
    }),
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { last_seq, head_hash, events } = row
  const record = row.request === null ? undefined : recordOf({ ...row, request: row.request }, reader)
  let previous = record?.hash ?? row.after_hash ?? ''
  const shown = events.map((event) => {
    const prev_hash = previous
    previous = event.hash
    return { seq: event.seq, prev_hash, hash: event.hash, body: event.body }
  })
  const last = shown.at(-1)
  return {
    algorithm: AUDIT_ALGORITHM,
    order_id: orderId,
    last_seq,
    head_hash,
    ...(record === undefined ? {} : { record }),
    events: shown,
    next_after_seq: last === undefined || last.seq >= last_seq ? null : last.seq,
  }
}

/** Below one MiB because the bundle escapes quotes, which brings a page close to it. */
const PAGE_BYTES = 768 * 1024
const PAGE_EVENTS = 500

interface AuditRow {
  order_id: string
  last_seq: number
  head_hash: string
  after_hash: string | null
  sent_sha256: string
  /** Null, like the rest of the record, on later pages. */
  request: string | null
  facts: string
  reply: string
  events: { seq: number; hash: string; body: string }[]
}

/** Returns the record for a side. The reply and the endpoint of notify_url are private to the buyer: the seller gets only their hashes. */
function recordOf({ order_id, sent_sha256, request, facts, reply }: AuditRow & { request: string }, { side }: Reader) {
  const own = { reply, notify_endpoint: notifyEndpoint(facts) }
  const shared = sharedFacts(facts)
  return {
    hash: recordHash({ order_id, sent_sha256, request, facts, reply }),
    sent_sha256,
    request,
    request_sha256: sha256(request),
    facts: shared,
    facts_sha256: sha256(shared),
    ...(side === 'buyer' ? own : {}),
    reply_sha256: sha256(own.reply),
    notify_endpoint_sha256: sha256(own.notify_endpoint),
  }
}

/** Reads the record and a page of the events of an order, in one row; none if the order is not the reader's. */
const AUDIT = statement(
  'read-audit',
  ['order_id', 'side', 'entity', 'after_seq', 'page_bytes', 'page_events'],
  `select o.order_id, o.last_seq, encode(r.request_sha256, 'hex') as sent_sha256, case when :after_seq = 0 then r.request end as request, r.facts, r.reply,
      (select ${hashColumn('e')} from order_events e where e.order_id = o.order_id and e.seq = o.last_seq) as head_hash,
      (select ${hashColumn('e')} from order_events e where e.order_id = o.order_id and e.seq = :after_seq) as after_hash,
      coalesce((select json_agg(json_build_object('seq', seq, 'hash', hash, 'body', body) order by seq) from (
        select seq, body, ${hashColumn('e')} as hash, sum(octet_length(body)) over (order by seq) - octet_length(body) as before from (
          select * from order_events where order_id = :order_id and seq > :after_seq order by seq limit :page_events) e) page where before < :page_bytes), '[]') as events
    from orders o join order_records r using (order_id)
    where o.order_id = :order_id and case :side when 'buyer' then o.buyer_entity else o.seller end = :entity`,
)
