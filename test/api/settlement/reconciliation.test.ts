import { beforeAll, describe, expect, it } from '@jest/globals'
import { forgedCredential } from '../../support/access/accessWorld.ts'
import { everyPage } from '../../support/http/everyPage.ts'
import { aBilled, aLogged, bookedOrder, sendPosts } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const SIDES = [
  ['acme', '/orders'],
  ['cable', '/me/orders'],
] as const
const NONE = { ordered: 0, aired_in_spec: 0, aired_out_of_spec: 0, makegood: 0, missed: 0, open: 0, unordered: 0, duplicate: 0, billed: 0 }

let order: string
let read: Awaited<ReturnType<typeof market.acme.get>>['body']
/** Four spots on Monday, three on Wednesday and on Friday, from 20:00 to 23:00. Of Monday one is late, and one is billed beyond its price. */
beforeAll(async () => {
  order = await bookedOrder(market)
  const late = { air_time: '23:30', isci: 'COPY1' }
  await sendPosts(market, 'cable', [
    ...['20:10', '21:10', '22:10'].map((air_time) => aLogged(order, { air_time })),
    aLogged(order, late),
    ...['20:10', '21:10'].map((air_time) => aBilled(order, { air_time })),
    aBilled(order, { air_time: '22:10', rate: 1300 }),
    aBilled(order, late),
    aLogged(order, { air_date: '2030-06-05', air_time: undefined, status: 'Missed', reason: 'Breaking news' }),
    aLogged(order, { air_date: '2030-06-11' }),
  ])
  read = (await market.acme.get(`/orders/${order}/reconciliation`)).body
})

const path = (query = '', id = order) => `/orders/${id}/reconciliation${query}`
const codesOf = (body: { lines: { air_date: string; variances: { code: string }[] }[] }) =>
  body.lines.map(({ air_date, variances }) => [air_date.slice(5), ...variances.map(({ code }) => code)])

describe('GET /orders/{order_id}/reconciliation: 200', () => {
  it('shows what was ordered, aired and billed by line and date, with variances and their rows', () => {
    const [unit_id] = [read.lines[0].unit_id]
    const row = { network: 'CBL', air_date: '2030-06-03', clock: 'calendar', spot_length: 30, ran: true }
    expect(read).toMatchObject({
      ...{
        order_id: order,
        revision: 1,
        state: 'reconciled',
        currency: 'USD',
        reconciled_at: expect.stringMatching(/Z$/),
        next_cursor: null,
      },
      coverage: { invoiced_months: ['2030-06'] },
      totals: {
        ...NONE,
        ordered: 10,
        aired_in_spec: 3,
        aired_out_of_spec: 1,
        missed: 3,
        open: 3,
        unordered: 1,
        billed: 4,
        variance_gross: -7453.5,
      },
      guarantees: [],
    })
    expect(codesOf(read)).toEqual([
      ['06-03', 'OUT_OF_DAYPART', 'RATE_MISMATCH'],
      ['06-05', 'ORDERED_NOT_RUN', 'MISSED'],
      ['06-07'],
      ['06-11', 'RUN_NOT_ORDERED'],
    ])
    expect(read.lines.map((line: { unit_id: string | null; broadcast_month: string }) => [line.unit_id, line.broadcast_month])).toEqual([
      ...[unit_id, unit_id, unit_id].map((unit) => [unit, '2030-06']),
      [null, '2030-06'],
    ])
    expect(read.lines[0]).toMatchObject({ ordered: 4, billed: 4, ordered_gross: 5002, billed_gross: 5051.5, variance_gross: 49.5 })
    expect(read.lines[0].variances).toEqual([
      {
        ...{ variance_id: expect.stringMatching(/^var_/), code: 'OUT_OF_DAYPART', state: 'open', units: 1, gross: 1250.5, actions: [] },
        rows: [
          { ...row, record_type: 'as_run', air_time: '23:30', isci: 'COPY1' },
          { ...row, record_type: 'invoice', air_time: '23:30', isci: 'COPY1', invoice_number: `I-${order}`, rate: 1250.5 },
        ],
      },
      expect.objectContaining({ code: 'RATE_MISMATCH', units: 1, gross: 49.5 }),
    ])
    expect(read.lines[1].variances[1]).toMatchObject({ code: 'MISSED', reason: 'Breaking news', gross: 1250.5 })
  })

  it('is the same for both sides', async () => {
    expect((await market.cable.get(`/me${path()}`)).body).toEqual(read)
  })

  it.each([
    ['?code=MISSED', [['06-05', 'MISSED']]],
    [
      '?state=open',
      [
        ['06-03', 'OUT_OF_DAYPART', 'RATE_MISMATCH'],
        ['06-05', 'ORDERED_NOT_RUN', 'MISSED'],
        ['06-11', 'RUN_NOT_ORDERED'],
      ],
    ],
    ['?state=disputed', []],
    ['?state=gone', []],
    ['?state=open&code=RATE_MISMATCH', [['06-03', 'RATE_MISMATCH']]],
    ['?broadcast_month=2030-06&code=RUN_NOT_ORDERED', [['06-11', 'RUN_NOT_ORDERED']]],
    ['?broadcast_month=2030-07', []],
  ])('has only the variances of %s, and totals of the whole order', async (query, expected) => {
    const { body } = await market.acme.get(path(query))
    expect([codesOf(body), body.totals, body.revision]).toEqual([expected, read.totals, 1])
  })

  it('has each line once, page by page', async () => {
    const pages = await everyPage(async (cursor) => (await market.acme.get(path(`?limit=1${cursor}`))).body)
    expect([pages.length, pages.flatMap(({ lines }) => lines)]).toEqual([4, read.lines])
  })

  it('is not_reconciled for an order without a result, placed or not', async () => {
    for (const id of [await market.placed(), await market.parked()]) {
      for (const [tenant, at] of SIDES) {
        expect((await market[tenant].get(`${at}/${id}/reconciliation?state=open`)).body).toEqual({
          ...{ order_id: id, revision: 0, state: 'not_reconciled', currency: 'USD', reconciled_at: null },
          coverage: { days_booked: 0, days_logged: 0, invoiced_months: [], invoices: [] },
          totals: { ...NONE, ordered_gross: 0, billed_gross: 0, variance_gross: 0 },
          ...{ guarantees: [], lines: [], next_cursor: null },
        })
      }
    }
  })

  it('ends a page at its byte limit, and continues from there', async () => {
    const large = await bookedOrder(market)
    const isci = 'C'.repeat(200)
    const dates = Array.from({ length: 8 }, (_, day) => `2030-06-${String(day + 11)}`)
    const rows = dates.flatMap((air_date) =>
      Array.from({ length: 400 }, (_, at) =>
        aLogged(large, {
          air_date,
          isci,
          air_time: `${String(6 + Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`,
        }),
      ),
    )
    await sendPosts(market, 'cable', rows)
    const sizes: number[] = []
    const pages = await everyPage(async (cursor) => {
      const { text, body } = await market.acme.get(path(`?code=RUN_NOT_ORDERED${cursor}`, large))
      sizes.push(text.length)
      return body
    })
    expect(pages.flatMap(({ lines }) => lines.map(({ air_date }: { air_date: string }) => air_date))).toEqual(dates)
    expect(sizes.length).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThan(1_200_000)
  })
})

describe('GET /orders/{order_id}/reconciliation: 403', () => {
  it.each(SIDES)('%s without settlement:read', async (tenant, at) => {
    const side = tenant === 'acme' ? 'buyer' : 'seller'
    const token = await forgedCredential(market, tenant, side, { scopes: ['orders:read', 'catalog:read', 'audit:read', 'webhooks:write'] })
    expect(await market.tenant(token).get(`${at}/${order}/reconciliation`)).toMatchObject({
      status: 403,
      body: { details: { required_scope: 'settlement:read' } },
    })
  })
})

describe('GET /orders/{order_id}/reconciliation: 404', () => {
  it.each([
    ['zenith', '/orders'],
    ['station', '/me/orders'],
  ] as const)('is the same for %s, a stranger, and for an unknown order', async (stranger, at) => {
    const unknown = await market[stranger].get(`${at}/ord_unknown/reconciliation`)
    expect([unknown.status, (await market[stranger].get(`${at}/${order}/reconciliation`)).text]).toEqual([404, unknown.text])
  })
})

describe('GET /orders/{order_id}/reconciliation: 422', () => {
  it.each(['?code=LATE', '?state=paid', '?broadcast_month=2030-13', '?limit=501', '?limit=0', '?cursor=x', '?after=x'])(
    '%s',
    async (query) => {
      for (const [tenant, at] of SIDES) expect((await market[tenant].get(`${at}/${order}/reconciliation${query}`)).status).toBe(422)
    },
  )

  it('a cursor of another order, other filters or the other side', async () => {
    const { next_cursor } = (await market.acme.get(path('?limit=1'))).body
    const other = await market.placed()
    for (const asked of [path(`?limit=1&cursor=${next_cursor}`, other), path(`?code=MISSED&cursor=${next_cursor}`)])
      expect((await market.acme.get(asked)).status).toBe(422)
    expect((await market.cable.get(`/me${path(`?limit=1&cursor=${next_cursor}`)}`)).status).toBe(422)
  })
})
