import { beforeAll, describe, expect, it } from '@jest/globals'
import { announced, attachment, CSV, PDF, putContent, sha256Of, uploaded } from '../../support/files/uploads.ts'
import { useMarket } from '../../support/useMarket.ts'

/** The spec's sentences on a create, each with what it promises: a row quotes its sentence, sends a body, and reads the answer. */

const market = useMarket()
let ids: Record<'spot' | 'other' | 'third' | 'short' | 'archived' | 'foreign', string>
let uploads: Record<'pdf' | 'foreign' | 'pending' | 'rejected', string>
beforeAll(async () => {
  const { acme, zenith, cable } = market
  const creative = async (code: string, length_seconds = 30, buyer = acme): Promise<string> =>
    (await buyer.post('/creatives', { creative_code: code, name: code, length_seconds })).body.creative_id
  ids = {
    spot: await creative('A'),
    other: await creative('B'),
    third: await creative('C'),
    short: await creative('S', 15),
    archived: await creative('OLD'),
    foreign: await creative('F', 30, zenith),
  }
  await acme.post(`/creatives/${ids.archived}/archive`, undefined)
  uploads = {
    pdf: await uploaded(market, acme),
    foreign: await uploaded(market, zenith),
    pending: await announced(acme, PDF),
    rejected: await announced(acme, CSV),
  }
  expect((await putContent(market, acme, uploads.rejected, CSV)).status).toBe(422)
  const relation = { effective: { start: '2020-01-01', end: '2099-12-31' } }
  const grant = async (seller: typeof cable, id: string, buyer_entity: string, more: object) =>
    expect((await seller.put(`/me/agreements/${id}`, { buyer_entity, ...relation, ...more })).status).toBe(201)
  const cancellation_terms = { notice_days: 14, late_fee_pct: 25 }
  await grant(cable, 'agr-terms', 'acme', {
    settlement_mode: 'direct',
    cancellation_terms,
    posting_policy_overrides: [{ product_id: '*', posting_policy: 'post-48h' }],
  })
  await grant(cable, 'agr-cleared', 'acme', { settlement_mode: 'cleared', credit_limit: 20_000 })
  await grant(cable, 'agr-weeks', 'zenith', { settlement_mode: 'direct', permitted_grains: ['week'] })
  await grant(market.station, 'agr-station', 'acme', { settlement_mode: 'direct' })
})

type Json = Record<string, unknown>
interface Answer {
  status: number
  code?: string
  details?: Json
  /** What the snapshot of the created order then reads. */
  reads?: Json
  /** What the reply itself reads. */
  reply?: Json
  buyer?: 'zenith'
}
type Row = [sentence: string, body: () => Json, answer: Answer | (() => Answer)]

const order = (more: Json = {}) => market.order(more)
const line = (more: Json = {}, rate: Json = {}) => order({ line_items: [market.line(more, rate)] })
const without = (member: string, more: Json = {}) => {
  const { [member]: _, ...rest } = order(more)
  return rest
}
const invalid = (field: string, more: Json = {}): Answer => ({ status: 422, code: 'INVALID_INPUT', details: { field, ...more } })
const missing = (field: string): Answer => invalid(field, { missing: [field] })
const created = (reads: Json = {}): Answer => ({ status: 201, reads })
const rotation = (traffic_instructions: unknown) => line({ creative_id: ids.spot, traffic_instructions })
const split = (name: keyof typeof ids, pct?: number) => ({ creative_id: ids[name], ...(pct === undefined ? {} : { pct }) })
const attached = (upload: keyof typeof uploads, more: Json = {}) => order({ attachments: [attachment(uploads[upload], PDF, more)] })
const SPLITS = 'line_items.0.traffic_instructions.creative_splits'
const shares = (instructions: Json) => created({ line_items: [expect.objectContaining({ traffic_instructions: instructions })] })
const firstLine = (more: Json) => created({ line_items: [expect.objectContaining(more)] })

const HEAD: Row[] = [
  ['seller: Counterparty, taken from the sellers list.', () => order({ seller: 'nobody' }), invalid('seller')],
  ["external_order_id: Buyer's idempotency key, echoed on every event.", () => without('external_order_id'), missing('external_order_id')],
  ['rate_version: The rate card commit priced against.', () => order({ rate_version: 'july' }), invalid('rate_version')],
  ['rate_version: required', () => without('rate_version'), missing('rate_version')],
  ['buyer_metadata: required', () => without('buyer_metadata'), missing('buyer_metadata')],
  ['line_items: Makes workflow `catalog`.', () => order(), created({ workflow: 'catalog' })],
  [
    'attachments: Only valid beside line_items on a catalog order.',
    () => without('line_items', { request: { request_type: 'open', brief: 'x' }, attachments: [attachment(uploads.pdf)] }),
    invalid('attachments'),
  ],
  [
    'issued_at: an offset is kept as sent, not rewritten to UTC.',
    () => order({ issued_at: '2030-01-05T09:00:00-05:00' }),
    created({ issued_at: '2030-01-05T09:00:00-05:00' }),
  ],
  ['issued_at: ISO datetime', () => order({ issued_at: 'yesterday' }), invalid('issued_at')],
  [
    'flight: If stated, every date any line can land on must lie inside it.',
    () => order({ flight: { start: '2030-06-03', end: '2030-06-06' } }),
    invalid('flight', { line: 0, date: '2030-06-07' }),
  ],
  [
    'revision: `version` is platform-assigned; a sent version is ignored.',
    () => order({ version: 9 }),
    created({ revision: { version: 1, supersedes: null } }),
  ],
  [
    'revision: The order this one revises.',
    () => order({ revision: { supersedes: 'ord_none', version: 7 } }),
    invalid('revision.supersedes'),
  ],
  [
    'settlement_mode: resolved from agreement_id (`direct` when none presented). A matching value is a no-op',
    () => order({ settlement_mode: 'direct' }),
    created({ settlement_mode: 'direct' }),
  ],
  [
    'settlement_mode: a contradicting one is 422 INVALID_INPUT with details.field `settlement_mode`.',
    () => order({ settlement_mode: 'cleared', agreement_id: 'agr-terms' }),
    invalid('settlement_mode'),
  ],
  [
    'notify_url: Webhook target for this order; must be registered and allowlisted.',
    () => order({ notify_url: 'https://hooks.example.com/none' }),
    invalid('notify_url'),
  ],
  [
    "agreement_id: Attaches the agreement's terms (cancellation_terms snapshot, posting policy override).",
    () => order({ agreement_id: 'agr-terms' }),
    () =>
      created({
        cancellation_terms: { notice_days: 14, late_fee_pct: 25 },
        line_items: [expect.objectContaining({ posting_policy: { policy: 'post-48h', source: 'agreement_all' } })],
      }),
  ],
  ['agreement_id: Omitting attaches nothing.', () => order(), created({ cancellation_terms: null })],
  [
    'agreement_id: Must resolve to an agreement with the same seller, else 422 INVALID_INPUT with details.agreement_id.',
    () => order({ agreement_id: 'agr-station' }),
    invalid('agreement_id', { agreement_id: 'agr-station' }),
  ],
  [
    'buyer_entity: Server-derived from the credential and echoed on every read.',
    () => order({ buyer_entity: 'acme' }),
    created({ buyer_entity: 'acme' }),
  ],
  [
    'buyer_entity: If sent and different from the resolved acting buyer: 403 TENANT_MISMATCH, nothing created.',
    () => order({ buyer_entity: 'zenith' }),
    { status: 403, code: 'TENANT_MISMATCH' },
  ],
  ...['break', 'pod', 'program'].map(
    (scope): Row => [
      `buyer_requests: \`${scope}\` gives 422 INVALID_INPUT with details.field \`buyer_requests.scope\`.`,
      () => order({ buyer_requests: { min_separation_seconds: 600, scope } }),
      invalid('buyer_requests.scope'),
    ],
  ),
  [
    'buyer_requests: Recorded and surfaced at the approval gate, never scheduled around.',
    () => order({ buyer_requests: { min_separation_seconds: 600, scope: 'campaign' } }),
    created({ buyer_requests: { min_separation_seconds: 600, scope: 'campaign' } }),
  ],
  ['workflow: A sent value is ignored.', () => order({ workflow: 'document' }), created({ workflow: 'catalog' })],
  ['Zero of line_items/request/document is 422 INVALID_INPUT.', () => without('line_items'), invalid('line_items')],
  [
    'Two of line_items/request/document is 422 INVALID_INPUT.',
    () => order({ document: { upload_id: uploads.pdf, format: 'pdf' } }),
    invalid('document'),
  ],
]

const RULES: Row[] = [
  [
    '1. `buyer_metadata.advertiser_id` is required; otherwise 422 INVALID_INPUT with details.missing',
    () => order({ buyer_metadata: {} }),
    missing('buyer_metadata.advertiser_id'),
  ],
  ['1. an empty string counts as missing', () => order({ buyer_metadata: { advertiser_id: '' } }), missing('buyer_metadata.advertiser_id')],
  [
    '2. an unknown top-level key is 422 INVALID_INPUT with details.field naming it.',
    () => order({ buyer_metadata: { advertiser_id: 'a', budget_code: 'x' } }),
    invalid('buyer_metadata.budget_code'),
  ],
  [
    '2. Known keys: advertiser_id, campaign_id, estimate_id, buyer_contact.',
    () => order({ buyer_metadata: { advertiser_id: 'a', campaign_id: 'c', estimate_id: 'e', buyer_contact: {} } }),
    created({ buyer_metadata: { advertiser_id: 'a', campaign_id: 'c', estimate_id: 'e', buyer_contact: {} } }),
  ],
  [
    '2. There is no advertiser_class key and no advertiser-category key.',
    () => order({ buyer_metadata: { advertiser_id: 'a', advertiser_class: 'general' } }),
    invalid('buyer_metadata.advertiser_class'),
  ],
  [
    '3. none is format-checked; unknown nested fields are kept verbatim.',
    () => order({ buyer_metadata: { advertiser_id: 'a', buyer_contact: { email: 'not an address', phone: '?', pager: { no: [1] } } } }),
    created({ buyer_metadata: { advertiser_id: 'a', buyer_contact: { email: 'not an address', phone: '?', pager: { no: [1] } } } }),
  ],
  [
    '5. a day-grain line is checked on its own date',
    () =>
      order({
        flight: { start: '2030-06-04', end: '2030-06-04' },
        line_items: [market.line({ period: { grain: 'day', start: '2030-06-05' } })],
      }),
    invalid('flight', { line: 0, date: '2030-06-05' }),
  ],
  [
    '5. a week line is checked on the Monday, Wednesday and Friday of every week it touches.',
    () => order({ flight: { start: '2030-06-04', end: '2030-06-09' } }),
    invalid('flight', { line: 0, date: '2030-06-03' }),
  ],
  [
    '5. a month line is checked on the Monday, Wednesday and Friday of every week it touches.',
    () =>
      order({
        flight: { start: '2030-06-01', end: '2030-06-30' },
        line_items: [market.line({ period: { grain: 'month', start: '2030-06' } })],
      }),
    invalid('flight', { line: 0, date: '2030-05-27' }),
  ],
  [
    '6. Creation returns immediately; everything after intake arrives as events.',
    () => order(),
    { status: 201, reply: { status: 'submitted' } },
  ],
  [
    'warnings: raised when a day-grain line names a date for which the seller published no day-grain avail; one entry per product.',
    () =>
      order({
        line_items: ['2030-06-06', '2030-06-05', '2030-06-04'].map((start) => market.line({ units: 2, period: { grain: 'day', start } })),
      }),
    {
      status: 201,
      reply: { warnings: [{ code: 'DATE_GRAIN_AVAILS_MISSING', product_id: 'prime', dates: ['2030-06-04', '2030-06-06'] }] },
    },
  ],
]

const LINES: Row[] = [
  [
    'product_id: From the seller catalog; unknown is 422 INVALID_INPUT.',
    () => line({ product_id: 'news' }),
    invalid('line_items.0.product_id'),
  ],
  [
    'period: start formats are YYYY-MM-DD, YYYY-Www, YYYY-MM respectively.',
    () => line({ period: { grain: 'week', start: '2030-06-03' } }),
    invalid('line_items.0.period.start'),
  ],
  [
    "period: Grain must be offered by the product's grains, else 422 GRAIN_NOT_OFFERED",
    () =>
      line(
        { product_id: 'weekend', period: { grain: 'day', start: '2030-06-08' } },
        { unit_cost: 99.99, locked_rate_id: market.price('weekend', '2030-W23') },
      ),
    { status: 422, code: 'GRAIN_NOT_OFFERED', details: { field: 'line_items.0.period.grain', permitted_grains: undefined } },
  ],
  [
    "period: details.permitted_grains is present only when an agreement's permitted_grains excluded a grain the product sells.",
    () => line({ period: { grain: 'day', start: '2030-06-05' } }),
    { status: 422, code: 'GRAIN_NOT_OFFERED', details: { permitted_grains: ['week'] }, buyer: 'zenith' },
  ],
  ['units: required', () => line({ units: undefined }), missing('line_items.0.units')],
  [
    'impressions_goal: A catalog line carrying it is 422 INVALID_INPUT.',
    () => line({ impressions_goal: 5000 }),
    invalid('line_items.0.impressions_goal'),
  ],
  ['spot_length: A length the cited rate entry prices.', () => line({ spot_length: 15 }), invalid('line_items.0.spot_length')],
  ['include_mirror: Default false', () => order(), firstLine({ include_mirror: false })],
  [
    "include_mirror: books the product's paired mirror airing.",
    () => line({ include_mirror: true }),
    firstLine({ include_mirror: true, mirror: expect.objectContaining({ product_id: 'prime-west', network: 'CBL-W' }) }),
  ],
  [
    'rc_impressions: Impression estimates per audience code at order time.',
    () => line({ rc_impressions: { 'A25-54': 41_000 } }),
    firstLine({ rc_impressions: { 'A25-54': 41_000 } }),
  ],
  [
    'creative_id: Unresolved: 422 UNKNOWN_CREATIVE',
    () => line({ creative_id: ids.foreign }),
    { status: 422, code: 'UNKNOWN_CREATIVE', details: { field: 'line_items.0.creative_id' } },
  ],
  ['creative_id: archived: 422 REFERENCE_ARCHIVED', () => line({ creative_id: ids.archived }), { status: 422, code: 'REFERENCE_ARCHIVED' }],
  [
    'creative_id: record length_seconds differing from spot_length: 422 CREATIVE_LENGTH_MISMATCH.',
    () => line({ creative_id: ids.short }),
    { status: 422, code: 'CREATIVE_LENGTH_MISMATCH' },
  ],
  [
    'creative_snapshot: {creative_code, name, length_seconds} frozen when the reference was persisted; read only.',
    () => line({ creative_id: ids.spot, creative_snapshot: { name: 'Mine' } }),
    firstLine({ creative_snapshot: { creative_code: 'A', name: 'A', length_seconds: 30 } }),
  ],
  [
    'do_not_air: A request only: stored, not validated against the flight.',
    () => order({ flight: { start: '2030-06-01', end: '2030-06-30' }, line_items: [market.line({ do_not_air: ['2031-01-01'] })] }),
    firstLine({ do_not_air: ['2031-01-01'] }),
  ],
  [
    'Provider and network of a line are not sent; they derive from product_id and are echoed on reads.',
    () => line({ provider: 'Mine', network: 'MINE' }),
    () => firstLine({ network: 'CBL', provider: expect.not.stringMatching(/^Mine$/) }),
  ],
]

const ROTATIONS: Row[] = [
  [
    'equal: pct omitted on every entry; three variants read back 33.34, 33.33, 33.33.',
    () => rotation({ rotation: 'equal', creative_splits: [split('spot'), split('other'), split('third')] }),
    () => shares({ rotation: 'equal', creative_splits: [split('spot', 33.34), split('other', 33.33), split('third', 33.33)] }),
  ],
  [
    'weighted: required on every entry, summing to exactly 100.',
    () => rotation({ rotation: 'weighted', creative_splits: [split('spot', 33.4), split('other', 33.3), split('third', 33.3)] }),
    () => shares({ rotation: 'weighted', creative_splits: [split('spot', 33.4), split('other', 33.3), split('third', 33.3)] }),
  ],
  [
    'Anything else is 422 INVALID_INPUT: equal with any pct',
    () => rotation({ rotation: 'equal', creative_splits: [split('spot'), split('other', 50)] }),
    invalid(`${SPLITS}.1.pct`),
  ],
  [
    'weighted with a missing pct',
    () => rotation({ rotation: 'weighted', creative_splits: [split('spot', 50), split('other')] }),
    missing(`${SPLITS}.1.pct`),
  ],
  [
    'or a sum not 100',
    () => rotation({ rotation: 'weighted', creative_splits: [split('spot', 50), split('other', 49.99)] }),
    invalid(SPLITS),
  ],
  ['rotation without creative_splits.', () => rotation({ rotation: 'equal' }), missing(SPLITS)],
  [
    'Percentages compare as exact decimals to two places.',
    () => rotation({ rotation: 'weighted', creative_splits: [split('spot', 50.005), split('other', 49.995)] }),
    invalid(`${SPLITS}.0.pct`),
  ],
  [
    "The line's creative_id must be one of the splits",
    () => rotation({ rotation: 'equal', creative_splits: [split('other'), split('third')] }),
    invalid(SPLITS),
  ],
  [
    'every split resolves in the buyer registry on the same terms as the primary',
    () => rotation({ rotation: 'equal', creative_splits: [split('spot'), split('foreign')] }),
    { status: 422, code: 'UNKNOWN_CREATIVE', details: { field: `${SPLITS}.1.creative_id` } },
  ],
  [
    'and its length must match the line.',
    () => rotation({ rotation: 'equal', creative_splits: [split('spot'), split('short')] }),
    { status: 422, code: 'CREATIVE_LENGTH_MISMATCH', details: { field: `${SPLITS}.1.creative_id` } },
  ],
  [
    'There is no sequential rotation.',
    () => rotation({ rotation: 'sequential', creative_splits: [split('spot')] }),
    invalid('line_items.0.traffic_instructions.rotation'),
  ],
]

const RATES: Row[] = [
  ['market_class: `scatter` or `discounted`', () => line({}, { market_class: 'remnant' }), invalid('line_items.0.rate.market_class')],
  ['advertiser_class: Prices the line.', () => line({}, { advertiser_class: 'charity' }), invalid('line_items.0.rate.advertiser_class')],
  ['buy_type: enum', () => line({}, { buy_type: 'barter' }), invalid('line_items.0.rate.buy_type')],
  [
    'unit_cost or cpm: Exactly one, else 422 INVALID_INPUT. (both)',
    () => line({}, { unit_cost: 1250.5, cpm: 1 }),
    invalid('line_items.0.rate.unit_cost'),
  ],
  [
    'unit_cost or cpm: Exactly one, else 422 INVALID_INPUT. (neither)',
    () => line({}, { unit_cost: undefined }),
    invalid('line_items.0.rate.unit_cost'),
  ],
  [
    'rate_basis: Derived by the platform from which cost field is present; emitted on reads, ignored if sent.',
    () => line({}, { rate_basis: 'cpm' }),
    firstLine({ rate: expect.objectContaining({ rate_basis: 'per_unit', unit_cost: 1250.5 }) }),
  ],
  [
    'rate_basis: `per_second` is refused 422 INVALID_INPUT.',
    () => line({}, { rate_basis: 'per_second' }),
    invalid('line_items.0.rate.rate_basis'),
  ],
  [
    'locked_rate_id: a booked price is a price the seller published, never a number the buyer computed.',
    () => line({}, { unit_cost: 1250.49 }),
    () => invalid('line_items.0.rate.unit_cost', { locked_rate_id: market.price('prime', '2030-W23') }),
  ],
  [
    'locked_rate_id: Taken from the avails read, unchanged.',
    () => line({}, { locked_rate_id: 'lr_mine' }),
    invalid('line_items.0.rate.locked_rate_id', { locked_rate_id: 'lr_mine' }),
  ],
]

const ATTACHMENTS: Row[] = [
  ['upload_id: an upload in status `uploaded` belonging to the buyer.', () => attached('pdf'), created()],
  ['format: Required', () => attached('pdf', { format: undefined }), missing('attachments.0.format')],
  ['role: Required', () => attached('pdf', { role: 'invoice' }), invalid('attachments.0.role')],
  ['filename: Required.', () => attached('pdf', { filename: undefined }), missing('attachments.0.filename')],
  [
    "sha256: must equal the upload's stored hash, else 422 INVALID_INPUT (reported separately from the id causes).",
    () => attached('pdf', { sha256: sha256Of(CSV) }),
    invalid('attachments.0.sha256'),
  ],
  ...(['foreign', 'pending', 'rejected'] as const).map(
    (which): Row => [
      `an upload that is ${which} gives the same 422 INVALID_INPUT and creates nothing.`,
      () => attached(which),
      invalid('attachments.0.upload_id'),
    ],
  ),
  [
    'an upload that does not resolve gives the same 422 INVALID_INPUT and creates nothing.',
    () => order({ attachments: [attachment('upl_none')] }),
    invalid('attachments.0.upload_id'),
  ],
]

const ERRORS: Row[] = [
  [
    'CREDIT_LIMIT: A cleared order that would breach the credit cap, at create.',
    () => order({ agreement_id: 'agr-cleared', line_items: [market.line({ units: 16 })] }),
    { status: 422, code: 'CREDIT_LIMIT' },
  ],
  ['The package term is gone: package, package_id and packages[] are refused.', () => order({ packages: [] }), invalid('packages')],
  ['package_id is refused on a line.', () => line({ package_id: 'p' }), invalid('line_items.0.package_id')],
]

const holds = async (_: string, body: () => Json, answer: Row[2]) => {
  const expected = typeof answer === 'function' ? answer() : answer
  const sent = body()
  const buyer = market[expected.buyer ?? 'acme']
  const reply = await buyer.post('/orders', sent)
  expect({ status: reply.status, code: reply.body.error_code }).toEqual({ status: expected.status, code: expected.code })
  expect(reply.body).toMatchObject(expected.reply ?? {})
  if (expected.status === 201) return expect(await market.snapshot(reply.body.order_id)).toMatchObject(expected.reads ?? {})
  for (const [name, value] of Object.entries(expected.details ?? {})) expect([name, reply.body.details[name]]).toEqual([name, value])
  const { rowCount } = await market.deps.db.pool.query('select from orders where external_order_id = $1', [sent.external_order_id])
  expect(rowCount).toBe(0)
}

describe('Order creation body', () => {
  it.each(HEAD)('%s', holds)
})
describe('Create rules', () => {
  it.each(RULES)('%s', holds)

  it('4. Byte-identical resubmission of the same external_order_id replays the stored response with header `X-Idempotent-Replay: true`.', async () => {
    const text = JSON.stringify(order())
    const [first, second] = [await market.acme.post('/orders', text), await market.acme.post('/orders', text)]
    expect([first.status, first.headers['x-idempotent-replay']]).toEqual([201, undefined])
    expect([second.status, second.text, second.headers['x-idempotent-replay']]).toEqual([201, first.text, 'true'])
  })

  it('4. The same external_order_id with a different payload is 409 CONFLICT.', async () => {
    const body = order()
    const first = await market.acme.post('/orders', body)
    const other = await market.acme.post('/orders', `${JSON.stringify(body)} `)
    expect([first.status, other.status, other.body.error_code]).toEqual([201, 409, 'CONFLICT'])
  })
})
describe('Line item', () => {
  it.each(LINES)('%s', holds)
})
describe('traffic_instructions', () => {
  it.each(ROTATIONS)('%s', holds)
})
describe('Rate', () => {
  it.each(RATES)('%s', holds)
})
describe('Attachment', () => {
  it.each(ATTACHMENTS)('%s', holds)
})
describe('Errors of a create', () => {
  it.each(ERRORS)('%s', holds)
})
