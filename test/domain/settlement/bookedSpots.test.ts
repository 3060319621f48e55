import { describe, expect, it } from '@jest/globals'
import { bookedSpots } from '../../../src/domain/settlement/bookedSpots.ts'
import { reconcile } from '../../../src/domain/settlement/reconcile.ts'
import { aPlacedOrder } from '../../support/edi/anEdiOrder.ts'
import { aLine, anOrder, aProduct } from '../../support/orders/anOrder.ts'

const spotsOf = (changes: Parameters<typeof aPlacedOrder>[0] = {}, products = [aProduct()]) => {
  const { order } = aPlacedOrder(changes, products)
  return { order, spots: bookedSpots(order, { products, isci: new Map([['creative-2', 'COPY2']]) }) }
}

describe('what an order books', () => {
  it('adds up to its lines to the cent, by date', () => {
    const rate = { cpm: 12.35, guaranteed_impressions: 105_500, audience_code: 'A25-54', buy_type: 'audience_guaranteed' as const }
    const { spots } = spotsOf({ lines: [aLine({ period: { grain: 'month', start: '2027-03' }, units: 16, rate })] })
    expect(spots).toHaveLength(15)
    expect(spots.map(({ price }) => price)).toEqual(Array(15).fill('1302.925'))
    expect(spots.reduce((sum, { gross }) => sum + Number(gross), 0)).toBeCloseTo(20_846.8, 6)
    expect(spots.reduce((sum, { units }) => sum + units, 0)).toBe(16)
  })

  it('has the windows of its dates, or the whole day where the product has none any more', () => {
    const rotator = aProduct({
      type: 'rotator',
      definition: {
        windows: [
          { days: ['Mon'], start: '06:00', end: '09:00' },
          { days: ['Mon', 'Wed', 'Fri'], start: '20:00', end: '01:00' },
        ],
      },
    })
    const windows = spotsOf({}, [rotator]).spots.map((spots) => [
      spots.air_date,
      spots.windows.map(({ start, end }) => `${start}-${end}`).join(),
    ])
    expect(windows).toEqual([
      ['2026-12-07', '06:00-09:00,20:00-01:00'],
      ['2026-12-09', '20:00-01:00'],
      ['2026-12-11', '20:00-01:00'],
    ])
    const { order } = aPlacedOrder()
    const program = aProduct({ type: 'program' })
    expect(bookedSpots(order, { products: [program], isci: new Map() })[0]?.windows).toEqual([{ start: '06:00', end: '06:00' }])
    expect(bookedSpots(order, { products: [], isci: new Map() })[0]?.windows).toEqual([{ start: '06:00', end: '06:00' }])
  })

  it('names every copy that may air, with those of a rotation', () => {
    const { order } = aPlacedOrder()
    const [line] = order.lines
    const creative_splits = [{ creative_id: 'creative-1' }, { creative_id: 'creative-2' }, { creative_id: 'gone' }]
    const rotated = {
      ...order,
      lines: [
        {
          ...(line as (typeof order.lines)[number]),
          creative_snapshot: { creative_code: 'COPY9', name: 'A', length_seconds: 30 },
          traffic_instructions: { rotation: 'equal' as const, creative_splits },
        },
      ],
    }
    expect(bookedSpots(rotated, { products: [], isci: new Map([['creative-2', 'COPY2']]) })[0]?.isci).toEqual(['COPY2', 'COPY9'])
    expect(spotsOf().spots[0]?.isci).toEqual([])
  })

  it('has the mirror of a line at no price, in the windows of its own product', () => {
    const { order } = aPlacedOrder()
    const [line] = order.lines
    const allocation = line?.allocation ?? []
    const mirrored = {
      ...order,
      lines: [{ ...(line as (typeof order.lines)[number]), mirror: { product_id: 'west', network: 'CBL2', allocation } }],
    }
    const products = [aProduct(), aProduct({ product_id: 'west', network: 'CBL2', definition: { start: '21:00', end: '23:00' } })]
    const spots = bookedSpots(mirrored, { products, isci: new Map() })
    expect(spots.map(({ kind, network, gross, windows }) => [kind, network, gross, windows[0]?.start])).toEqual(
      allocation.flatMap(() => [
        ['spot', 'CBL', '200', '20:00'],
        ['mirror', 'CBL2', '0', '21:00'],
      ]),
    )
  })

  it('has no units on the day on which it was canceled and later', () => {
    const { order } = aPlacedOrder()
    const canceled = (since: string) => bookedSpots({ ...order, status: 'canceled', since }, { products: [], isci: new Map() })
    expect(canceled('2026-12-09T00:00:00.000Z').map(({ air_date, units, gross }) => [air_date, units, gross])).toEqual([
      ['2026-12-07', 2, '200'],
      ['2026-12-09', 0, '0'],
      ['2026-12-11', 0, '0'],
    ])
    expect(
      reconcile({ currency: 'USD', booked: canceled('2026-11-05T00:00:00.000Z'), rows: [], loggedDays: [], invoicedMonths: [] }).lines,
    ).toEqual([])
  })

  it('is nothing before the order is placed', () => {
    expect(bookedSpots(anOrder({ status: 'seller_review' }), { products: [], isci: new Map() })).toEqual([])
  })
})
