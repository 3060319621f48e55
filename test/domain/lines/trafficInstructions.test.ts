import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { checkCreative, type RegisteredCreative } from '../../../src/domain/lines/creative.ts'
import { checkTrafficInstructions, withShares } from '../../../src/domain/lines/trafficInstructions.ts'
import { aLine } from '../../support/orders/anOrder.ts'

const creative = (creative_id: string, more: Partial<RegisteredCreative> = {}): RegisteredCreative => ({
  creative_id,
  creative_code: `${creative_id}-H`,
  name: creative_id,
  length_seconds: 30,
  status: 'active',
  ...more,
})
const REGISTRY = ['a', 'b', 'c'].map((id) => creative(id))
const line = (rotation: 'equal' | 'weighted', ...splits: { creative_id: string; pct?: number }[]) =>
  aLine({ spot_length: 30, creative_id: 'a', traffic_instructions: { rotation, creative_splits: splits } })
const fieldsOf = (item: ReturnType<typeof line>) =>
  checkTrafficInstructions(item, REGISTRY, 'ti').map(({ error_code, field }) => [error_code, field])

describe('a creative reference (contract, Line item: creative_id)', () => {
  it('is accepted when it resolves, is active and fits', () => {
    expect(checkCreative('a', { spot_length: 30 }, REGISTRY, 'f')).toEqual([])
  })
  it.each([
    ['UNKNOWN_CREATIVE', 'x', REGISTRY],
    ['REFERENCE_ARCHIVED', 'a', [creative('a', { status: 'archived' })]],
    ['CREATIVE_LENGTH_MISMATCH', 'a', [creative('a', { length_seconds: 15 })]],
  ])('is %s otherwise', (code, id, registry) => {
    expect(checkCreative(id, { spot_length: 30 }, registry, 'f')).toEqual([expect.objectContaining({ error_code: code, field: 'f' })])
  })
})

describe('traffic_instructions (spec)', () => {
  it('takes an equal rotation without shares', () => {
    expect(fieldsOf(line('equal', { creative_id: 'a' }, { creative_id: 'b' }))).toEqual([])
  })
  it('refuses an equal rotation with any pct', () => {
    expect(fieldsOf(line('equal', { creative_id: 'a', pct: 50 }, { creative_id: 'b' }))).toEqual([
      ['INVALID_INPUT', 'ti.creative_splits.0.pct'],
    ])
  })
  it('takes weights that sum to exactly 100, as decimals', () => {
    expect(
      fieldsOf(line('weighted', { creative_id: 'a', pct: 33.4 }, { creative_id: 'b', pct: 33.3 }, { creative_id: 'c', pct: 33.3 })),
    ).toEqual([])
  })
  it('refuses a sum that is not 100', () => {
    expect(fieldsOf(line('weighted', { creative_id: 'a', pct: 33.33 }, { creative_id: 'b', pct: 66.66 }))).toEqual([
      ['INVALID_INPUT', 'ti.creative_splits'],
    ])
  })
  it('refuses a missing pct', () => {
    expect(fieldsOf(line('weighted', { creative_id: 'a', pct: 100 }, { creative_id: 'b' }))).toEqual([
      ['INVALID_INPUT', 'ti.creative_splits.1.pct'],
    ])
  })
  it('refuses more than two decimal places', () => {
    expect(fieldsOf(line('weighted', { creative_id: 'a', pct: 33.333 }, { creative_id: 'b', pct: 66.667 }))).toEqual([
      ['INVALID_INPUT', 'ti.creative_splits.0.pct'],
      ['INVALID_INPUT', 'ti.creative_splits.1.pct'],
    ])
  })
  it('requires the creative of the line among the splits', () => {
    expect(fieldsOf(line('equal', { creative_id: 'b' }, { creative_id: 'c' }))).toEqual([['INVALID_INPUT', 'ti.creative_splits']])
  })
  it('resolves every split on the terms of the primary', () => {
    expect(fieldsOf(line('equal', { creative_id: 'a' }, { creative_id: 'x' }))).toEqual([
      ['UNKNOWN_CREATIVE', 'ti.creative_splits.1.creative_id'],
    ])
  })
  it('refuses a split that is listed twice', () => {
    expect(fieldsOf(line('equal', { creative_id: 'a' }, { creative_id: 'a' }))).toEqual([
      ['INVALID_INPUT', 'ti.creative_splits.1.creative_id'],
    ])
  })
})

describe('withShares', () => {
  it('reads three equal variants back as 33.34, 33.33, 33.33 (spec)', () => {
    const { creative_splits } = withShares({ rotation: 'equal', creative_splits: ['a', 'b', 'c'].map((creative_id) => ({ creative_id })) })
    expect(creative_splits.map(({ pct }) => pct)).toEqual([33.34, 33.33, 33.33])
  })
  it('sums to exactly 100 in hundredths, the larger shares first, none apart by more than one hundredth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (count) => {
        const { creative_splits } = withShares({
          rotation: 'equal',
          creative_splits: Array.from({ length: count }, (_, i) => ({ creative_id: `c${i}` })),
        })
        const hundredths = creative_splits.map(({ pct }) => Math.round((pct ?? 0) * 100))
        expect(hundredths.reduce((a, b) => a + b, 0)).toBe(10_000)
        expect(hundredths).toEqual(hundredths.toSorted((a, b) => b - a))
        expect((hundredths[0] ?? 0) - (hundredths.at(-1) ?? 0)).toBeLessThanOrEqual(1)
      }),
    )
  })
  it('leaves stated weights as stated', () => {
    const weighted = { rotation: 'weighted' as const, creative_splits: [{ creative_id: 'a', pct: 100 }] }
    expect(withShares(weighted)).toEqual(weighted)
  })
})
