import { createHash } from 'node:crypto'
import pg from 'pg'
import { hashColumn } from '../../../src/store/orders/auditChain.ts'
import { LINES_OF } from '../../../src/store/orders/renderSnapshot.ts'
import { brokenBooking } from './invariantsBooked.ts'
import { creditOfLog } from './invariantsCredit.ts'
import { brokenDisputes } from './invariantsDisputed.ts'
import { datesOfFamilies } from './invariantsFamilies.ts'
import { brokenInOrder, type StoredOrder } from './invariantsFold.ts'
import { brokenInvoices, brokenNumbers } from './invariantsInvoices.ts'
import { MAKEGOOD_INVARIANTS } from './invariantsMakegoods.ts'
import { brokenReconciliations, RECONCILED_INVARIANTS } from './invariantsReconciled.ts'
import { LOG_INVARIANTS } from './invariantsSql.ts'

/** One broken promise; the numbers are those of the list of invariants, I1 to I20. */
export interface Violation {
  invariant: `I${number}`
  order_id?: string | null
  problem: string
}

/** A create that was answered with 201, as its client remembers it. */
export interface Acknowledged {
  buyer_entity: string
  external_order_id: string
  order_id: string
  /** The bytes that were sent. */
  body?: string | Buffer
}

/**
 * Checks a database against the invariants in one read-only snapshot, so that a live one may be checked too. Connects as the user of the
 * URL, who must be able to read the log. I1 checks the creates that clients saw answered, if given; I9 treats a due time as an outbox row
 * that will come.
 */
export async function checkInvariants(databaseUrl: string, acknowledged: readonly Acknowledged[] = []): Promise<Violation[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    const found = await unkept(client, acknowledged)
    for (const { invariant, text } of [...LOG_INVARIANTS, ...RECONCILED_INVARIANTS, ...MAKEGOOD_INVARIANTS]) {
      const { rows } = await client.query<Omit<Violation, 'invariant'>>(text)
      found.push(...rows.map((row) => ({ invariant, ...row })))
    }
    const drawn = creditOfLog()
    const billed = datesOfFamilies()
    for await (const stored of ordersOf(client)) {
      const { order, violations } = brokenInOrder(stored)
      found.push(
        ...violations,
        ...drawn.add(order, stored),
        ...billed.add(order, stored),
        ...brokenInvoices(stored, order),
        ...brokenBooking(stored, order),
      )
    }
    return [
      ...found,
      ...(await drawn.compare(client)),
      ...(await brokenNumbers(client)),
      ...(await brokenDisputes(client)),
      ...(await brokenReconciliations(databaseUrl)),
    ]
  } finally {
    await client.end()
  }
}

/** Checks that every 201 has exactly one order with that body. */
async function unkept(client: pg.Client, acknowledged: readonly Acknowledged[]): Promise<Violation[]> {
  const found: Violation[] = []
  for (const { buyer_entity, external_order_id, order_id, body } of acknowledged) {
    const { rows } = await client.query<{ order_id: string; request_sha256: Buffer }>(
      'select order_id, request_sha256 from orders join order_records using (order_id) where buyer_entity = $1 and external_order_id = $2',
      [buyer_entity, external_order_id],
    )
    const [row] = rows
    const broken = (problem: string) => found.push({ invariant: 'I1', order_id, problem })
    if (row === undefined || rows.length > 1) broken(`${rows.length} orders under ${buyer_entity} ${external_order_id}`)
    else if (row.order_id !== order_id) broken(`${external_order_id} was answered with this order and is ${row.order_id}`)
    else if (body !== undefined && !row.request_sha256.equals(createHash('sha256').update(body).digest())) broken('another body was stored')
  }
  return found
}

const PAGE = 200

async function* ordersOf(client: pg.Client): AsyncGenerator<StoredOrder> {
  for (let after = ''; ; ) {
    const { rows } = await client.query<StoredOrder>(ORDERS, [after, PAGE])
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.order_id
  }
}

const ORDERS = `
  select o.order_id, o.seller, o.buyer_entity, o.external_order_id, o.status, o.substatus, o.last_seq, o.updated_at, o.parked_since,
    o.decide_by, o.elapsed_s, o.due_at, o.placed_at, o.agreement_id, o.supersedes, o.root, o.exposure, o.drawn, o.settled_gross, o.invoice_due_at, o.advertiser_id, o.line_count, o.units::float8 as units, o.first_air_date::text as first_air_date, o.month_lines, o.snapshot_head || o.snapshot_lines || '}' as snapshot, r.reply, r.request, r.facts,
    encode(r.request_sha256, 'hex') as sent_sha256,
    array(select body from order_events e where e.order_id = o.order_id order by seq) as events,
    array(select ${hashColumn('e')} from order_events e where e.order_id = o.order_id order by seq) as hashes,
    exists (select from outbox where target = o.order_id) as in_outbox,
    array(select json_build_object('invoice_id', invoice_id, 'broadcast_month', broadcast_month, 'kind', kind, 'n', n, 'credits', credits, 'reason', reason,
      'order_seq', order_seq, 'currency', currency, 'gross', gross::text, 'commission_pct', commission_pct::text, 'commission', commission::text, 'net', net::text,
      'credited', credited::text, 'status', status, 'issued_at', to_char(issued_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      'paid_at', to_char(paid_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'lines', lines) from invoices i where i.order_id = o.order_id) as invoices,
    array(select agreed::jsonb || jsonb_build_object('makegood_id', makegood_id, 'agreed_at', to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'))
      from makegoods m where m.order_id = o.order_id and m.status = 'accepted' order by makegood_id) as makegoods,
    (select json_build_object('booked_seq', b.booked_seq, 'spots', (
        select coalesce(json_agg(json_build_array(unit_id, air_date, kind, network, units, price::text, gross::text)), '[]')
        from booked_spots s where s.order_id = o.order_id))
      from booked_orders b where b.order_id = o.order_id and b.booked_seq is not null) as booked,
    coalesce((select json_object_agg(locked_rate_id, json_build_object('unit', gross_rate_unit::text, 'cpm', gross_rate_cpm::text))
      from rate_entries e where e.seller = o.seller and e.locked_rate_id in
        (select line->'rate'->>'locked_rate_id' from json_array_elements(${LINES_OF('o')}) line)), '{}'::json) as prices
  from orders o join order_records r using (order_id) where o.order_id > $1 order by o.order_id limit $2`
