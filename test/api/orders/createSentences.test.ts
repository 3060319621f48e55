import { beforeAll, describe, expect, it } from '@jest/globals'
import { created, expectAnswer, invalid, missing, type Sentence } from '../../support/orders/sentences.ts'
import { useMarket } from '../../support/useMarket.ts'

/** The spec's sentences on creating an order. A row quotes a sentence, sends a body, and checks the answer. */

const market = useMarket()
beforeAll(async () => {
  const { cable } = market
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
  await grant(market.station, 'agr-station', 'acme', { settlement_mode: 'direct' })
})

type Json = Record<string, unknown>
const order = (more: Json = {}) => market.order(more)
const without = (member: string) => {
  const { [member]: _, ...rest } = order()
  return rest
}
const holds = (_: string, body: Sentence[1], answer: Sentence[2]) => expectAnswer(market, body, answer)

const HEAD: Sentence[] = [
  ['seller: Counterparty, taken from the sellers list.', () => order({ seller: 'nobody' }), invalid('seller')],
  ["external_order_id: Buyer's idempotency key, echoed on every event.", () => without('external_order_id'), missing('external_order_id')],
  ['rate_version: The rate card commit priced against.', () => order({ rate_version: 'july' }), invalid('rate_version')],
  ['rate_version: required', () => without('rate_version'), missing('rate_version')],
  ['buyer_metadata: required', () => without('buyer_metadata'), missing('buyer_metadata')],
  ['line_items: Makes workflow `catalog`.', () => order(), created({ workflow: 'catalog' })],
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
    (scope): Sentence => [
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
    () => order({ document: { upload_id: 'upl_none', format: 'pdf' } }),
    invalid('document'),
  ],
]

const RULES: Sentence[] = [
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

const ERRORS: Sentence[] = [
  [
    'CREDIT_LIMIT: A cleared order that would breach the credit cap, at create.',
    () => order({ agreement_id: 'agr-cleared', line_items: [market.line({ units: 16 })] }),
    { status: 422, code: 'CREDIT_LIMIT' },
  ],
  ['The package term is gone: package, package_id and packages[] are refused.', () => order({ packages: [] }), invalid('packages')],
  ['package_id is refused on a line.', () => order({ line_items: [market.line({ package_id: 'p' })] }), invalid('line_items.0.package_id')],
]

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
describe('Errors of a create', () => {
  it.each(ERRORS)('%s', holds)
})
