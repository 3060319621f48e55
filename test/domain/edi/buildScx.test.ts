import { describe, expect, it } from '@jest/globals'
import { buildScx, type EdiMessage, type EdiTerms } from '../../../src/domain/edi/buildScx.ts'
import { checkScx } from '../../../src/domain/edi/checkScx.ts'
import { mailFields } from '../../../src/domain/edi/mailFields.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { aMessage, aPlacedOrder, EXAMPLE_LINES, TERMS } from '../../support/edi/anEdiOrder.ts'
import { aLine, aProduct, later, type OrderChanges } from '../../support/orders/anOrder.ts'

const build = (changes: OrderChanges = {}, message: Partial<EdiMessage> = {}, terms: Partial<EdiTerms> = {}) => {
  const { order, descriptors } = aPlacedOrder(changes)
  return buildScx(order, aMessage(message), { ...TERMS, ...terms }, descriptors)
}
const campaignOf = (...args: Parameters<typeof build>) => build(...args).tree.adx.campaign
const METADATA = { advertiser_id: 'adv-1', campaign_id: 'cam-1', estimate_id: 'est-1' }

describe('the worked example', () => {
  it('ties out to the cent, by block and in all', () => {
    const { order, descriptors } = aPlacedOrder({ lines: EXAMPLE_LINES })
    const { tree } = buildScx(order, aMessage(), TERMS, descriptors)
    const { totals, systemOrder } = tree.adx.campaign.order
    expect([totals.spots, totals.cost['#text']]).toEqual([24, '54446.80'])
    expect(systemOrder.map(({ key, totals: block }) => [key[1]?.id, block.spots, block.cost['#text']])).toEqual([
      ['2027-02', 8, '33600.00'],
      ['2027-03', 13, '16938.03'],
      ['2027-04', 3, '3908.77'],
    ])
    expect(systemOrder[2]?.detailLine[0]?.spotCost['#text']).toBe('1302.925')
    expect(systemOrder[2]?.weeks.week.map((week) => week['@startDate'])).toEqual(['2027-03-29', '2027-03-31', '2027-04-02'])
    expect(checkScx(tree, snapshot(order).totals.gross)).toEqual([])
  })
})

describe('a document in a currency with other minor units', () => {
  it.each([
    ['JPY', '54447', ['33600', '16938', '3909']],
    ['KWD', '54446.800', ['33600.000', '16938.025', '3908.775']],
  ])('has the decimals of %s, and passes its own check', (currency, cost, ofBlocks) => {
    const lines = EXAMPLE_LINES.map((line) => ({ ...line, rate: { ...line.rate, currency } }))
    const { order, descriptors } = aPlacedOrder({ lines })
    const { tree } = buildScx(order, aMessage(), TERMS, descriptors)
    const { totals, systemOrder } = tree.adx.campaign.order
    expect([totals.cost['#text'], systemOrder.map((block) => block.totals.cost['#text'])]).toEqual([cost, ofBlocks])
    expect(checkScx(tree, snapshot(order).totals.gross)).toEqual([])
    expect(mailFields(order, aMessage(), TERMS, descriptors).text).toContain(`Total: 24 spots, ${cost} ${currency}`)
  })
})

describe('the head of a document', () => {
  it('carries the ids of both sides, the estimate verbatim', () => {
    const { adx } = build({ external_order_id: 'ext-9', buyer_metadata: { ...METADATA, estimate_id: ' A&B ]]>\t' } }).tree
    expect(adx.document).toMatchObject({ name: 'ord_1 / ext-9', date: '2026-11-02', documentType: 'Order', documentCode: 'edi_1' })
    expect(adx.campaign.key).toEqual([
      {
        '@codeOwner': 'Agency',
        '@codeDescription': 'ExternalOrderID',
        id: 'ext-9',
        version: 1,
        status: 'confirmed',
        subStatus: 'new',
        createDate: '2026-11-02',
        updateDate: '2026-11-02',
      },
      { '@codeOwner': 'Agency', '@codeDescription': 'CampaignID', id: 'cam-1' },
    ])
    expect(adx.campaign.estimate?.ID.code).toEqual({ '@codeOwner': 'Agency', '#text': ' A&B ]]>\t' })
    expect(adx.campaign.order.key.map((key) => [key['@codeOwner'], key['@codeDescription'], key.id])).toEqual([
      ['Platform', 'OrderID', 'ord_1'],
      ['Seller', 'SellerOrderID', 'so_platform'],
      ['Seller', 'DealNumber', 'agr_one'],
    ])
  })

  it.each([{}, { estimate_id: '', campaign_id: '' }])('warns of an order without an estimate (%j), and leaves the element out', (more) => {
    const { tree, warnings } = build({ buyer_metadata: { advertiser_id: 'adv-1', ...more } })
    expect(tree.adx.campaign.estimate).toBeUndefined()
    expect(warnings).toEqual(['NO_ESTIMATE'])
    expect(tree.adx.campaign.product).toEqual({ name: 'Unspecified', ID: { code: { '@codeOwner': 'Agency', '#text': '' } } })
  })

  it('warns of an estimate that XML cannot carry, and replaces what it must', () => {
    const { tree, warnings } = build({ buyer_metadata: { ...METADATA, estimate_id: 'a\u0001b' } })
    expect(tree.adx.campaign.estimate?.ID.code['#text']).toBe('a\ufffdb')
    expect(warnings).toEqual(['ESTIMATE_NOT_REPRESENTABLE'])
  })

  it('cuts names at 255 code points, and no id', () => {
    const long = '\u{1f600}'.repeat(300)
    const { advertiser, estimate } = campaignOf({ buyer_metadata: { advertiser_id: long, estimate_id: long } })
    expect(advertiser.name).toBe(`${'\u{1f600}'.repeat(254)}…`)
    expect([advertiser.ID.code['#text'], estimate?.ID.code['#text']]).toEqual([long, long])
  })

  it('widens the flight to what was booked', () => {
    const flight = { start: '2026-12-08', end: '2026-12-31' }
    const { order, descriptors } = aPlacedOrder()
    const narrow = { ...order, request: { ...order.request, flight } }
    expect(buildScx(narrow, aMessage(), TERMS, descriptors).tree.adx.campaign.dateRange).toEqual({
      startDate: '2026-12-07',
      endDate: '2026-12-31',
    })
    expect(campaignOf().dateRange).toEqual({ startDate: '2026-12-07', endDate: '2026-12-11' })
  })

  it('names the order that a revision supersedes, with the keys of both', () => {
    const { key, order } = campaignOf({}, { event: 'revised', supersedes: { order_id: 'ord_0', external_order_id: 'ext-0' } })
    expect(key[0]).toMatchObject({ id: 'ext-1', status: 'revised', subStatus: 'revised' })
    expect(key.slice(1).map((each) => [each['@codeOwner'], each['@codeDescription'], each.id])).toEqual([
      ['Platform', 'SupersedesOrderID', 'ord_0'],
      ['Agency', 'SupersedesExternalOrderID', 'ext-0'],
    ])
    expect(order.key[0]?.status).toBe('revised')
  })

  it('has the lines as placed when the order is canceled', () => {
    const { order, descriptors } = aPlacedOrder({ lines: EXAMPLE_LINES })
    const canceled = stampEvents(order, cancel(order, {}, later(order)).events, later(order)).after
    const message = aMessage({ event: 'canceled', occurred_at: canceled.updated_at ?? '' })
    const before = buildScx(order, aMessage(), TERMS, descriptors).tree.adx.campaign
    const after = buildScx(canceled, message, TERMS, descriptors).tree.adx.campaign
    expect(after.key[0]).toMatchObject({ status: 'cancelled', subStatus: 'cancelled' })
    expect(after.order.systemOrder).toEqual(before.order.systemOrder)
    expect(after.order.totals).toEqual(before.order.totals)
  })

  it('takes market and system from the agreement', () => {
    const { order } = campaignOf({}, {}, { nsi_id: 501, syscode: '7890', system_name: 'Cable One' })
    expect(order.market).toEqual({ '@nsi_id': 501, name: 'National' })
    expect(order.systemOrder[0]?.system).toEqual({ name: 'Cable One', syscode: '7890' })
  })

  it('ranks each audience that SCX has a word for, and names the others in the comment', () => {
    const lines = ['W18+', 'HH', 'Z9-10', 'W18+'].map((audience_code, index) =>
      aLine({ product_id: `p${index}`, rate: { cpm: 10, guaranteed_impressions: 1000, audience_code, buy_type: 'audience_guaranteed' } }),
    )
    const { demo, order } = campaignOf({ lines })
    expect(demo).toEqual([
      { '@demoRank': 1, group: 'Women', ageFrom: 18, ageTo: 99 },
      { '@demoRank': 2, group: 'Households', ageFrom: 0, ageTo: 99 },
    ])
    const detail = order.systemOrder.flatMap(({ detailLine }) => detailLine)
    expect(detail.map(({ demoValue }) => demoValue?.['@demoRank'])).toEqual([1, 2, undefined, 1])
    expect(detail.map(({ comment }) => / aud=(\S+)/.exec(comment)?.[1])).toEqual([undefined, undefined, 'Z9-10', undefined])
    expect(detail[0]?.demoValue?.value.map((value) => value['#text'])).toEqual(['1000', '10'])
  })
})

describe('the lines of a document', () => {
  const placed = (product: Parameters<typeof aProduct>[0], period: { grain: string; start: string }, terms: Partial<EdiTerms> = {}) => {
    const line = aLine({ period: period as never })
    const { order, descriptors } = aPlacedOrder({ lines: [line] }, [aProduct(product)])
    const { tree } = buildScx(order, aMessage(), { ...TERMS, ...terms }, descriptors)
    expect(checkScx(tree, snapshot(order).totals.gross)).toEqual([])
    return tree.adx.campaign.order.systemOrder
  }
  const WEEK = { grain: 'week', start: '2026-W50' }

  it('have a block for each network and broadcast month', () => {
    const lines = ['b', 'a'].map((product_id) => aLine({ product_id, period: { grain: 'month', start: '2026-12' }, units: 20 }))
    const products = ['b', 'a'].map((product_id) => aProduct({ product_id, network: product_id.toUpperCase() }))
    const { order, descriptors } = aPlacedOrder({ lines }, products)
    const { systemOrder } = buildScx(order, aMessage(), TERMS, descriptors).tree.adx.campaign.order
    expect(systemOrder.map(({ key, weeks }) => [key[0]?.id, key[1]?.id, weeks['@count']])).toEqual([
      ['A', '2026-12', 12],
      ['A', '2027-01', 3],
      ['B', '2026-12', 12],
      ['B', '2027-01', 3],
    ])
    expect(systemOrder.flatMap(({ detailLine }) => detailLine.map((line) => line['@detailLineID']))).toEqual([1, 2, 3, 4])
  })

  it('number the dates in use, or the Mondays where the agency counts by weeks', () => {
    const daily = placed({}, WEEK)[0]
    expect(daily?.weeks.week.map((week) => week['@startDate'])).toEqual(['2026-12-07', '2026-12-09', '2026-12-11'])
    expect(daily?.detailLine[0]?.spot.map((spot) => [spot['@id'], spot.weekNumber, spot.quantity])).toEqual([
      ['unit_1:2026-12-07', 1, 2],
      ['unit_1:2026-12-09', 2, 2],
      ['unit_1:2026-12-11', 3, 2],
    ])
    const weekly = placed({}, WEEK, { buy_type: 'weekly' })[0]
    expect(weekly?.weeks.week).toEqual([{ '@number': 1, '@startDate': '2026-12-07' }])
    expect(weekly?.detailLine[0]?.spot).toEqual([{ '@id': 'unit_1:2026-12-07', weekNumber: 1, quantity: 6 }])
  })

  it('say day, length, daypart and title', () => {
    const [line] = placed({ reporting_dayparts: ['primetime', 'weekend'] }, { grain: 'day', start: '2026-12-12' })[0]?.detailLine ?? []
    expect(line).toMatchObject({
      startDay: 'Sa',
      length: 'PT30S',
      daypartCode: 'Prime',
      program: 'Prime',
      startTime: '20:00:00',
      endTime: '23:00:00',
    })
    expect(Object.entries(line?.dayOfWeek ?? {}).filter(([, flag]) => flag === 'Y')).toEqual([['Saturday', 'Y']])
  })

  it.each([[['overnight']], [['weekend', 'primetime']], [undefined]])('have no daypart code for %j', (reporting_dayparts) => {
    expect(placed({ reporting_dayparts }, WEEK)[0]?.detailLine[0]?.daypartCode).toBe('Unassigned')
  })

  const WINDOWS = [
    { days: ['Mon', 'Tue'], start: '06:00', end: '10:00' },
    { days: ['Wed', 'Fri'], start: '19:00', end: '01:00' },
  ]
  it('are one for each window of a rotator by days, and one span by weeks', () => {
    const rotator = { type: 'rotator' as const, definition: { windows: WINDOWS } }
    const daily = placed(rotator, WEEK)[0]?.detailLine ?? []
    expect(daily.map(({ startTime, endTime, totals }) => [startTime, endTime, totals.spots])).toEqual([
      ['06:00:00', '10:00:00', 2],
      ['19:00:00', '01:00:00', 4],
    ])
    const [weekly, ...others] = placed(rotator, WEEK, { buy_type: 'weekly' })[0]?.detailLine ?? []
    expect(others).toEqual([])
    expect(weekly).toMatchObject({ startTime: '06:00:00', endTime: '01:00:00' })
    expect(weekly?.comment).toBe('unit_id=unit_1 buy=preemptible windows=Mon,Tue 06:00-10:00; Wed,Fri 19:00-01:00')
  })

  it('have the times of the occurrence of a program', () => {
    const occurrences = [
      { date: '2026-12-08', start: '20:00', end: '22:00' },
      { date: '2026-12-10', start: '21:00', end: '23:30' },
      { date: '2027-01-05', start: '09:00', end: '10:00' },
    ]
    const lines = placed({ type: 'program', definition: { title: 'Finale', occurrences, timezone: 'UTC' } }, WEEK)[0]?.detailLine ?? []
    expect(lines.map(({ startTime, endTime, program }) => [startTime, endTime, program])).toEqual([
      ['20:00:00', '22:00:00', 'Finale'],
      ['21:00:00', '23:30:00', 'Finale'],
    ])
  })

  it('have the whole broadcast day where a window has no end of its own', () => {
    const [line] = placed({ definition: { start: '00:00', end: '00:00' } }, WEEK)[0]?.detailLine ?? []
    expect(line).toMatchObject({ startTime: '06:00:00', endTime: '05:59:00' })
    expect(line?.comment).toContain('windows=Mon,Tue,Wed,Thu,Fri,Sat,Sun 00:00-00:00')
  })

  it('name the product by its id if it no longer exists', () => {
    const { order } = aPlacedOrder()
    const { tree } = buildScx(order, aMessage(), TERMS, { agency: 'A', seller: 'S', products: {} })
    expect(checkScx(tree, snapshot(order).totals.gross)).toEqual([])
    expect(tree.adx.campaign.order.systemOrder[0]?.detailLine[0]).toMatchObject({ program: 'prime', startTime: '06:00:00' })
  })
})
