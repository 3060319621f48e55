import { beforeAll, describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { documentActivities } from '../../../activities/documents.ts'
import type { readDocumentFile } from '../../../src/operations/documents/documentReader.ts'
import { openDocumentReadings } from '../../../src/operations/documents/documentReadings.ts'
import { confirmOrder } from '../../../src/operations/orders/confirmOrder.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import { csvOf, LAYOUTS } from '../../support/orders/buysheets.ts'
import { decideOrder } from '../../support/orders/decisions.ts'
import { documentOrder, parsed, parsedOrder, parseOf, readingOf, sheetOf, takesDocuments } from '../../support/orders/documentOrders.ts'
import { aCard, aRate } from '../../support/orders/published.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeAll(async () => {
  await takesDocuments(market)
}, 60_000)

const confirm = (orderId: string, more: Record<string, unknown> = {}) =>
  market.acme.post(`/orders/${orderId}/confirm`, { action: 'confirm', actor: 'Dana', ...more })

describe('a document order', () => {
  it('shows no lines until its document is read, and waits only on the platform', async () => {
    const orderId = await documentOrder(market, csvOf(sheetOf({})))
    expect(await market.snapshot(orderId)).toMatchObject({
      workflow: 'document',
      document: { upload_id: expect.stringMatching(/^upl_/), format: 'csv' },
      status: 'validating',
      line_items: [],
      artifacts: [],
      totals: { gross: 0 },
      allowed_actions: ['cancel'],
      waiting_on: { party: 'platform' },
    })
  })

  it('is read some seconds later where too many documents of its buyer wait', async () => {
    const { orders: log, db, objects } = market.deps
    const orderId = await documentOrder(market, csvOf(sheetOf({})))
    const { parseDocument } = documentActivities({ log, db, objects }, { of: async () => 'permits_taken' })
    const failure = await new MockActivityEnvironment().run(parseDocument, orderId).catch((error: unknown) => error)
    expect(failure).toMatchObject({ type: 'permits_taken', nonRetryable: false })
    const { nextRetryDelay } = failure as { nextRetryDelay: number }
    expect(nextRetryDelay).toBeGreaterThanOrEqual(5_000)
    expect(nextRetryDelay).toBeLessThanOrEqual(15_000)
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'validating', line_items: [] })
  })

  it('gives its turn at a reader back when it is canceled, also while it waits for one', async () => {
    const { orders: log, db, objects } = market.deps
    let begun = 0
    const slow: typeof readDocumentFile = (bytes, _format, _anchor, signal) => {
      bytes.destroy()
      begun += 1
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    const { parseDocument } = documentActivities({ log, db, objects }, openDocumentReadings(db, slow))
    const [first = '', second = '', third = ''] = await Promise.all([1, 2, 3].map(() => documentOrder(market, csvOf(sheetOf({})))))
    const read = (orderId: string) => new MockActivityEnvironment().run(parseDocument, orderId)
    const cancel = async (orderId: string) => expect((await market.acme.post(`/orders/${orderId}/cancel`, {})).status).toBe(202)
    const reading = read(first)
    await until(() => begun === 1)
    const [next, waiting] = [read(second), read(third)]
    await cancel(third)
    expect(await waiting).toMatchObject({ status: 'canceled' })
    expect(begun).toBe(1)
    await cancel(first)
    expect(await reading).toMatchObject({ status: 'canceled' })
    await until(() => begun === 2)
    await cancel(second)
    expect(await next).toMatchObject({ status: 'canceled' })
  })

  it('waits for its buyer with every value read, its cell, and the totals tied out', async () => {
    const orderId = await parsedOrder(market, LAYOUTS['a plain list'] as never)
    const snapshot = await market.snapshot(orderId)
    expect(snapshot).toMatchObject({
      status: 'needs_confirmation',
      line_items: [],
      allowed_actions: ['confirm', 'cancel'],
      waiting_on: { party: 'buyer' },
    })
    const parse = parseOf(snapshot)
    expect(parse).toMatchObject({ seq: 3, format: 'csv' })
    expect(parse.lines[0]?.read).toMatchObject({ product: { read: 'prime', at: 'A2' }, units: { read: '10', at: 'D2' } })
    expect(parse.unresolved).toEqual([])
    expect(parse.lines[1]).toMatchObject({ line: 2, line_item: { product_id: 'prime', units: 4, spot_length: 30 } })
    expect(parse.totals.every(({ ties }) => ties)).toBe(true)
    expect((await market.events(orderId)).at(-1)).toMatchObject({ status: 'needs_confirmation', artifact: { name: 'document_parse' } })
  })
})
describe('a price with a window', () => {
  it('is found while the window is open, and neither found nor suggested once it has closed', async () => {
    const entry = (advertiser_class: string, closes: string) =>
      aRate('prime', { advertiser_class, week: '2030-W24', gross_rate_unit: 70, window: { closes } })
    const entries = [entry('open', '2999-01-01T00:00:00Z'), entry('closed', '2001-01-01T00:00:00Z')]
    const card = aCard('windows', entries, { effective: { start: '2030-06-10', end: '2030-06-16' } })
    expect((await market.cable.put('/me/rate-cards', card)).body).toMatchObject({ accepted: 2 })
    const line = (name: string) => ({ Week: '2030-W24', Rate: '70', 'Advertiser Class': name })
    const orderId = await parsedOrder(market, sheetOf(line('open'), line('closed')))
    const { lines, unresolved } = parseOf(await market.snapshot(orderId))
    expect(lines[0]?.line_item).toMatchObject({ rate: { unit_cost: 70, advertiser_class: 'open' } })
    expect(unresolved).toMatchObject([{ line: 2, field: 'rate' }])
    expect(unresolved[0]?.published).toContainEqual(expect.objectContaining({ advertiser_class: 'open' }))
    expect(unresolved[0]?.published).not.toContainEqual(expect.objectContaining({ advertiser_class: 'closed' }))
  })
})

describe('POST /orders/{id}/confirm: a document', () => {
  it('books its lines, moves to its seller and is placed', async () => {
    const orderId = await parsedOrder(market, sheetOf({}, { Week: '2030-W24', Units: 4 }))
    expect(parseOf(await market.snapshot(orderId)).unresolved).toEqual([])
    const reply = await confirm(orderId)
    expect([reply.status, reply.body]).toEqual([202, { order_id: orderId, status: 'confirmed', last_seq: 4 }])
    expect(await confirm(orderId)).toMatchObject({ status: 202, body: reply.body })
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'confirmed', totals: { gross: 17507 }, allowed_actions: ['cancel'] })
    expect(await market.validate(orderId)).toBe('seller_review')
    const { line_items } = await market.snapshot(orderId)
    expect(line_items).toMatchObject([
      { product_id: 'prime', units: 10, status: 'pending', rate: { unit_cost: 1250.5, locked_rate_id: market.price('prime', '2030-W23') } },
      { product_id: 'prime', units: 4, status: 'pending', rate: { locked_rate_id: market.price('prime', '2030-W24') } },
    ])
    expect((await decideOrder(market, orderId, { decision: 'approve' })).body).toMatchObject({
      status: 'placed',
      units_accepted: 2,
    })
    const placed = await market.snapshot(orderId)
    expect(placed.totals).toMatchObject({ gross: 17507 })
    expect(placed.line_items[0]?.allocation).toEqual([
      { date: '2030-06-03', units: 4 },
      { date: '2030-06-05', units: 3 },
      { date: '2030-06-07', units: 3 },
    ])
    expect((await market.events(orderId)).map(({ status }) => status)).toEqual([
      'submitted',
      'validating',
      'needs_confirmation',
      'confirmed',
      'seller_review',
      'placed',
    ])
  })

  it('books the lines of a document that is read while its confirm is on its way', async () => {
    const bytes = csvOf(sheetOf({}))
    const orderId = await documentOrder(market, bytes)
    const { orders, db } = market.deps
    const before = await orders.load(orderId)
    await parsed(market, orderId, await readingOf(bytes))
    let looks = 0
    const log = { ...orders, load: (id: string) => (looks++ === 0 ? Promise.resolve(before) : orders.load(id)) } // it looked too early
    const ask = { action: 'confirm', actor: 'Dana' } as const
    expect(
      await confirmOrder({ log, db }, orderId, { id: newId('cmd_'), wake: true }, ask, {
        gate: 'api',
        actor: operator('acme', 'buyer', 'command_line'),
      }),
    ).toMatchObject({
      outcome: { status: 'confirmed' },
    })
    expect((await market.snapshot(orderId)).line_items).toMatchObject([{ product_id: 'prime', units: 10 }])
  })

  it('is refused while lines are unresolved, and changes nothing', async () => {
    const orderId = await parsedOrder(
      market,
      sheetOf({ Product: 'Prime Late' }, { Week: 'soon' }, { Units: 'many' }, { Rate: 900 }, { Product: 'hidden' }, { Length: ':17' }, {}),
    )
    const { status, body } = await confirm(orderId)
    expect(status).toBe(422)
    expect(body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field: 'resolutions' } })
    expect(body.details.unresolved).toMatchObject([
      {
        line: 1,
        field: 'product_id',
        read: 'Prime Late',
        at: 'A2',
        published: [{ product_id: 'prime' }, { product_id: 'prime-west' }, { product_id: 'spring' }],
      },
      { line: 2, field: 'period', read: 'soon', at: 'B3' },
      { line: 3, field: 'units', read: 'many', at: 'D4' },
      {
        line: 4,
        field: 'rate',
        read: '900',
        at: 'E5',
        published: [{ gross_rate_unit: 1250.5, locked_rate_id: market.price('prime', '2030-W23') }],
      },
      { line: 5, field: 'product_id', read: 'hidden', published: [] },
      { line: 6, field: 'rate', read: '1250.50', at: 'E7' },
    ])
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'needs_confirmation', last_seq: 3 })
  })

  it('books what the buyer resolved', async () => {
    const orderId = await parsedOrder(market, sheetOf({ Product: 'Prime Late' }, { Week: 'soon', Units: 'many' }, { Rate: 900 }))
    const resolutions = [
      { line: 1, product_id: 'prime' },
      { line: 2, period: { grain: 'day', start: '2030-06-05' }, units: 2 },
      { line: 3, locked_rate_id: market.price('prime', '2030-W23', 'guaranteed') },
    ]
    expect((await confirm(orderId, { resolutions })).status).toBe(202)
    const { line_items, totals } = await market.snapshot(orderId)
    expect(line_items).toMatchObject([
      { period: { start: '2030-W23' }, units: 10 },
      { period: { grain: 'day', start: '2030-06-05' }, units: 2 },
      { rate: { cpm: 24.5, buy_type: 'audience_guaranteed', guaranteed_impressions: 40_000 }, units: 10 },
    ])
    expect(totals).toMatchObject({ gross: 12505 + 2501 + 9800, impressions: { 'A25-54': 400_000 } })
  })

  it('names resolutions of lines that do not exist or are listed twice', async () => {
    const orderId = await parsedOrder(market, sheetOf({}))
    const { status, body } = await confirm(orderId, { resolutions: [{ line: 2 }, { line: 1 }, { line: 1 }] })
    expect(status).toBe(422)
    expect(body.details.errors.map(({ field }: { field: string }) => field)).toEqual(['resolutions.0.line', 'resolutions.2.line'])
  })

  it('leaves lines unresolved that a create would refuse', async () => {
    const flight = { start: '2030-06-03', end: '2030-06-09' }
    const orderId = await parsedOrder(
      market,
      sheetOf({ Week: '2030-W24' }, { Week: '6/3/2030 - 6/30/2030' }, { Product: 'weekend', Week: '2030-W24', Rate: '99.99' }),
      'csv',
      { flight },
    )
    const { body } = await confirm(orderId)
    expect(body.details.unresolved).toMatchObject([
      { line: 1, field: 'period', at: 'B2' },
      { line: 2, field: 'period', at: 'B3' },
      { line: 3, field: 'period', at: 'B4' },
    ])
  })

  it('keeps the price that was cited when the document was read', async () => {
    const orderId = await parsedOrder(market, sheetOf({ Product: 'spring', Week: '2030-W22', Rate: '99.99' }))
    const cited = parseOf(await market.snapshot(orderId)).lines[0]?.line_item?.rate.locked_rate_id
    const entries = [
      {
        product_id: 'spring',
        market_class: 'scatter',
        advertiser_class: 'general',
        spot_length: 30,
        buy_type: 'preemptible',
        gross_rate_unit: 120,
      },
    ]
    const effective = { start: '2030-05-27', end: '2030-06-02' }
    expect((await market.cable.put('/me/rate-cards', { commit: 'june-2', effective, entries })).body).toMatchObject({ accepted: 1 })
    expect((await confirm(orderId)).status).toBe(202)
    expect((await market.snapshot(orderId)).line_items).toMatchObject([{ rate: { unit_cost: 99.99, locked_rate_id: cited } }])
  })

  it('is never booked silently at another price: one that has ended is asked, with those of now, and the chosen one is booked', async () => {
    const entry = (gross_rate_unit: number) => aRate('prime', { advertiser_class: 'ending', week: '2030-W24', gross_rate_unit })
    const publish = async (commit: string, rate: number) => {
      const card = aCard(commit, [entry(rate)], { effective: { start: '2030-06-10', end: '2030-06-16' } })
      expect((await market.cable.put('/me/rate-cards', card)).body).toMatchObject({ accepted: 1 })
    }
    await publish('ending-1', 80)
    const orderId = await parsedOrder(market, sheetOf({ Week: '2030-W24', Rate: '80', 'Advertiser Class': 'ending' }))
    const cited = parseOf(await market.snapshot(orderId)).lines[0]?.line_item?.rate.locked_rate_id
    await market
      .owner()
      .query(`update rate_entries set visible_to = 'acme', quote_expires_at = '2001-01-01' where locked_rate_id = $1`, [cited])
    await publish('ending-2', 95)
    const before = await market.snapshot(orderId)
    const { status, body } = await confirm(orderId)
    expect([status, body.details.unresolved]).toMatchObject([422, [{ line: 1 }]])
    type Published = { advertiser_class: string; gross_rate_unit: number; locked_rate_id: string }
    const [{ gross_rate_unit, locked_rate_id } = {} as Published, ...others] = (body.details.unresolved[0].published as Published[]).filter(
      ({ advertiser_class }) => advertiser_class === 'ending',
    )
    expect([gross_rate_unit, others]).toEqual([95, []])
    expect(await market.snapshot(orderId)).toEqual(before)
    expect((await confirm(orderId, { resolutions: [{ line: 1, locked_rate_id }] })).status).toBe(202)
    expect((await market.snapshot(orderId)).line_items).toMatchObject([{ rate: { unit_cost: 95, locked_rate_id } }])
  })

  it('is canceled when the buyer rejects it', async () => {
    const orderId = await parsedOrder(market, sheetOf({}))
    expect((await confirm(orderId, { action: 'reject' })).body.details.missing).toEqual(['reason'])
    expect((await confirm(orderId, { action: 'reject', reason: 'wrong sheet' })).body).toEqual({
      order_id: orderId,
      status: 'canceled',
      last_seq: 4,
    })
    expect(await market.snapshot(orderId)).toMatchObject({ cancellation: { reason: 'wrong sheet', actor: 'Dana' } })
  })

  it('derives its units from an impressions goal where it names none', async () => {
    const rows = [
      ['Product', 'Week', 'Length', 'Imps (000)', 'CPM'],
      ['prime', '2030-W23', '30', '500', '24.50'],
    ]
    const orderId = await parsedOrder(market, { rows })
    expect((await confirm(orderId)).status).toBe(202)
    expect((await market.snapshot(orderId)).line_items).toMatchObject([{ units: 13, num_requested: 500_000 }])
  })
})

describe('a line of a document that its buyer leaves out', () => {
  const omit = { line: 2, omit: true, note: 'a bonus that is not sold' }

  it('is not booked, whatever is unresolved about it, and its seller sees what was left out', async () => {
    const orderId = await parsedOrder(market, sheetOf({}, { Product: 'Bonus Late', Week: 'soon', Rate: '0.00' }))
    expect((await confirm(orderId)).status).toBe(422)
    expect((await confirm(orderId, { resolutions: [omit] })).status).toBe(202)
    expect((await market.snapshot(orderId)).line_items).toMatchObject([{ product_id: 'prime', units: 10 }])
    const decided = (await market.events(orderId)).find(({ status }) => status === 'confirmed')
    expect(decided).toMatchObject({
      decision_record: { omitted: [{ line: 2, read: { product: { read: 'Bonus Late', at: 'A3' } }, note: omit.note }] },
    })
  })

  it('is missing in the totals that the document states, which its buyer acknowledges', async () => {
    const { rows } = sheetOf({}, { Week: '2030-W24', Units: 4 })
    const orderId = await parsedOrder(market, { rows: [...rows, ['Total', null, null, 14, null, null]] })
    const refused = await confirm(orderId, { resolutions: [omit] })
    expect(refused.body.details.unresolved).toMatchObject([{ equation_id: 'eq_1', stated: 14, computed: 10 }])
    expect((await confirm(orderId, { resolutions: [omit], acknowledge: ['eq_1'] })).status).toBe(202)
  })

  it.each([
    ['is resolved as well', [{ ...omit, units: 3 }], 'resolutions.0.omit'],
    ['is not left out and has a note', [{ line: 2, note: 'why' }], 'resolutions.0.note'],
    ['is one of all lines', [omit, { line: 1, omit: true }], 'resolutions'],
  ])('is refused where it %s', async (_, resolutions, field) => {
    const orderId = await parsedOrder(market, sheetOf({}, { Week: '2030-W24' }))
    const { status, body } = await confirm(orderId, { resolutions })
    expect([status, body.details.field]).toEqual([422, field])
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'needs_confirmation' })
  })
})

describe('a row of a document that is torn', () => {
  const TORN = ['product_id', 'period', 'units', 'rate']

  it('is ordered by what its buyer states alone', async () => {
    const [head = [], first = [], second = []] = sheetOf({}, { Week: '2030-W24', Units: 4 }).rows
    const torn = {
      rows: [
        [...head, null],
        [...first, 'BONUS'],
        [...second, 'see notes'],
      ],
    }
    const orderId = await parsedOrder(market, torn)
    const { lines, unresolved } = parseOf(await market.snapshot(orderId))
    expect(lines).toMatchObject([
      { line_item: null, doubts: [{ field: 'product_id' }, { field: 'period' }, { field: 'units' }, { field: 'rate' }] },
      { line_item: null },
    ])
    expect(unresolved.map(({ field }) => field)).toEqual([...TORN, ...TORN])
    const cited = market.price('prime', '2030-W23')
    expect(unresolved[0]?.published).toMatchObject([{ product_id: 'prime' }])
    expect(unresolved[3]?.published).toContainEqual(expect.objectContaining({ locked_rate_id: cited }))

    const stated = (line: number, start: string, units: number) => ({ line, product_id: 'prime', period: { grain: 'week', start }, units })
    const one = { ...stated(1, '2030-W23', 10), locked_rate_id: cited }
    const refused = await confirm(orderId, { resolutions: [one, stated(2, '2030-W24', 4)] })
    expect(refused.body.details.unresolved).toMatchObject([{ line: 2, field: 'rate', published: expect.anything() }])
    const other = { ...stated(2, '2030-W24', 4), locked_rate_id: market.price('prime', '2030-W24') }
    expect((await confirm(orderId, { resolutions: [one, other] })).status).toBe(202)
    expect((await market.snapshot(orderId)).totals).toMatchObject({ gross: 17507 })
  })

  it('leaves its length to the buyer where it has none, though only one price fits', async () => {
    const orderId = await parsedOrder(market, sheetOf({ Length: '' }, {}))
    const { unresolved } = parseOf(await market.snapshot(orderId))
    const cited = market.price('prime', '2030-W23')
    expect(unresolved).toMatchObject([{ line: 1, field: 'spot_length', read: null, message: 'The line has nothing under Length.' }])
    expect(unresolved[0]?.published).toContainEqual(expect.objectContaining({ locked_rate_id: cited }))
    expect((await confirm(orderId, { resolutions: [{ line: 1, locked_rate_id: cited }] })).status).toBe(202)
  })
})

describe('a total that the document states', () => {
  const withTotals = (units: number, gross: number) => {
    const { rows } = sheetOf({}, { Week: '2030-W24', Units: 4 })
    const amounts = ['Amount', 12505, 5002]
    return { rows: [...rows.map((row, at) => [...row, amounts[at] ?? null]), ['Total', null, null, units, null, null, gross]] }
  }

  it('is an equation with its cells, and proves the reading where all tie', async () => {
    const orderId = await parsedOrder(market, withTotals(14, 17507))
    const { proof } = parseOf(await market.snapshot(orderId))
    expect(proof).toEqual({
      level: 'proven',
      equations: [
        { equation_id: 'eq_1', of: 'gross', lines: [1], cells: ['G2', 'D2', 'E2'], stated: 12505, computed: 12505, ties: true },
        { equation_id: 'eq_2', of: 'gross', lines: [2], cells: ['G3', 'D3', 'E3'], stated: 5002, computed: 5002, ties: true },
        { equation_id: 'eq_3', of: 'units', cells: ['D4', 'D2', 'D3'], stated: 14, computed: 14, ties: true },
        { equation_id: 'eq_4', of: 'gross', cells: ['G4', 'D2', 'E2', 'D3', 'E3'], stated: 17507, computed: 17507, ties: true },
      ],
    })
    expect((await confirm(orderId)).status).toBe(202)
  })

  it('refuses the confirm while it does not tie, until the buyer acknowledges it', async () => {
    const orderId = await parsedOrder(market, withTotals(15, 20000))
    expect(parseOf(await market.snapshot(orderId)).proof).toMatchObject({ level: 'contradicted' })
    const { status, body } = await confirm(orderId, { acknowledge: ['eq_3'] })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      error_code: 'INVALID_INPUT',
      details: {
        field: 'acknowledge',
        unresolved: [{ equation_id: 'eq_4', field: 'acknowledge', read: '20000', at: 'G4', stated: 20000, computed: 17507 }],
      },
    })
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'needs_confirmation', last_seq: 3 })
    expect((await confirm(orderId, { acknowledge: ['eq_3', 'eq_4', 'eq_9'] })).body.details).toMatchObject({ field: 'acknowledge.2' })
    expect((await confirm(orderId, { acknowledge: ['eq_3', 'eq_4'] })).status).toBe(202)
    const decided = (await market.events(orderId)).find(({ status }) => status === 'confirmed')
    expect(decided).toMatchObject({ decision_record: { decision: 'confirm', acknowledged: ['eq_3', 'eq_4'] } })
  })

  it('is compared with what the buyer resolves', async () => {
    const { rows } = sheetOf({ Units: 'many' }, { Week: '2030-W24', Units: 4 })
    const orderId = await parsedOrder(market, { rows: [...rows, ['Total', null, null, 14, null, null]] })
    expect((await confirm(orderId)).body.details.unresolved).toMatchObject([{ line: 1, field: 'units' }])
    const refused = await confirm(orderId, { resolutions: [{ line: 1, units: 9 }] })
    expect(refused.body.details.unresolved).toMatchObject([{ equation_id: 'eq_1', stated: 14, computed: 13 }])
    expect((await confirm(orderId, { resolutions: [{ line: 1, units: 10 }] })).status).toBe(202)
  })
})

describe('a document that cannot be read', () => {
  it.each([
    [
      'holds no lines',
      csvOf({
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
      }),
      'csv',
    ],
    ['is damaged', Buffer.from('%PDF-1.7 and nothing else'), 'pdf'],
  ] as const)('fails its order when it %s', async (_what, bytes, format) => {
    const orderId = await parsedOrder(market, bytes, format)
    expect(await market.snapshot(orderId)).toMatchObject({
      status: 'failed',
      line_items: [],
      error: { error_code: 'INVALID_INPUT', stage: 'validation', details: { field: 'document.upload_id' } },
    })
    expect((await confirm(orderId)).body).toMatchObject({ error_code: 'INVALID_STATE', details: { status: 'failed', last_seq: 3 } })
  })

  it('leaves an order unchanged that was canceled in the meantime, and is read only once', async () => {
    const orderId = await documentOrder(market, csvOf(sheetOf({})))
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    expect(await parsed(market, orderId, { unreadable: 'it is late' })).toBe('canceled')
    const twice = await parsedOrder(market, sheetOf({}))
    expect(await parsed(market, twice, { unreadable: 'it is late' })).toBe('needs_confirmation')
    expect(await market.snapshot(twice)).toMatchObject({ last_seq: 3 })
  })
})
