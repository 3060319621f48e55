import { describe, expect, it } from '@jest/globals'
import { availRules, denomination, stageAvails } from '../../../src/domain/publish/stageAvails.ts'
import { invalidEntry, quoted } from '../../../src/domain/publish/staged.ts'
import { anAvail } from '../../support/orders/published.ts'

const PRODUCTS = new Map([
  ['spots', { buy_types: ['preemptible', 'audience_guaranteed'] as const }],
  ['units', { buy_types: ['audience_guaranteed'] as const }],
]) as never
const parsed = (...avails: object[]) => avails.map((value, at) => ({ index: at * 10, value })) as never
const faultsOf = (...avails: object[]) =>
  stageAvails(PRODUCTS, parsed(...avails)).errors.map(({ index, error_code, field }) => [index, error_code, field])
const inUnits = (more: object = {}) => anAvail('units', { spots: undefined, units: { available: 3 }, ...more })

describe('avails', () => {
  it('count spots, and units where a product is sold by guaranteed audience alone', () => {
    expect(denomination({ buy_types: ['audience_guaranteed', 'preemptible'] })).toBe('spots')
    expect(denomination({ buy_types: ['audience_guaranteed'] })).toBe('units')
    expect(faultsOf(anAvail('spots'), inUnits())).toEqual([])
    expect(faultsOf(anAvail('spots', { spots: undefined }))).toEqual([[0, 'INVALID_ENTRY', 'spots.available']])
    expect(faultsOf(anAvail('spots', { units: { available: 1 } }))).toEqual([[0, 'INVALID_ENTRY', 'spots.available']])
    expect(faultsOf(anAvail('units'))).toEqual([[0, 'INVALID_ENTRY', 'units.available']])
  })

  it('state impressions only in spots', () => {
    expect(faultsOf(anAvail('spots', { impressions: 5 }), inUnits({ impressions: 5 }))).toEqual([[10, 'INVALID_ENTRY', 'impressions']])
  })

  it('are of known products and existing periods', () => {
    const none = anAvail('spots', { period: { grain: 'week', start: '2026-W54' } })
    expect(faultsOf(anAvail('none'), none, none, anAvail('spots', { period: { grain: 'day', start: '2026-02-29' } }))).toEqual([
      [0, 'UNKNOWN_PRODUCT_ID', 'product_id'],
      [10, 'INVALID_ENTRY', 'period.start'],
      [20, 'INVALID_ENTRY', 'period.start'],
      [30, 'INVALID_ENTRY', 'period.start'],
    ])
  })

  it('name a period of a product once: the first stands', () => {
    const of = (product: string, start: string, grain = 'week') => anAvail(product, { period: { grain, start } })
    const day = of('spots', '2026-12-07', 'day')
    const { accepted, errors } = stageAvails(
      PRODUCTS,
      parsed(of('spots', '2026-W50'), of('spots', '2026-W50'), of('spots', '2026-W51'), day),
    )
    expect(accepted.map(({ index }) => index)).toEqual([0, 20, 30])
    expect(errors).toEqual([expect.objectContaining({ index: 10, message: '2026-W50 is already in entry 0.', value: '2026-W50' })])
    // A rule of one avail alone knows no other.
    const rule = availRules(PRODUCTS)
    expect([rule(parsed(day)[0]), rule(parsed(day)[0])]).toEqual([undefined, undefined])
  })
})

describe('a value in an error', () => {
  it('is a scalar, and short', () => {
    expect(quoted('x'.repeat(200))).toEqual({ value: 'x'.repeat(200) })
    expect(quoted('x'.repeat(201))).toEqual({ value: `${'x'.repeat(200)}…` })
    expect(quoted(`${'x'.repeat(199)}\u{1f600}`)).toEqual({ value: `${'x'.repeat(199)}\ufffd…` })
    for (const value of [0, false, null]) expect(quoted(value)).toEqual({ value })
    for (const value of [undefined, {}, []]) expect(quoted(value)).toEqual({})
    expect(invalidEntry(3, 'a', undefined, 'is wrong')).toEqual({ index: 3, error_code: 'INVALID_ENTRY', field: 'a', message: 'is wrong' })
  })
})
