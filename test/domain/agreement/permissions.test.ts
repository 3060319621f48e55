import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { GRAINS, type Grain } from '../../../src/contract/vocabulary.ts'
import { narrowed, permissionsOf } from '../../../src/domain/agreement/permissions.ts'

const grains = fc.subarray([...GRAINS])
const restricting = fc.subarray([...GRAINS], { minLength: 1 })
const sorted = (words: Iterable<string>) => [...words].sort()

describe('permissionsOf', () => {
  it('restricts nothing without an agreement', () => {
    expect(permissionsOf([])).toEqual({ buy_types: undefined, grains: undefined })
  })

  it('restricts nothing as soon as one agreement omits the set or leaves it empty', () => {
    expect(permissionsOf([{ permitted_grains: ['week'] }, {}]).grains).toBeUndefined()
    expect(permissionsOf([{ permitted_grains: ['week'] }, { permitted_grains: [] }]).grains).toBeUndefined()
  })

  it('keeps the two sets apart', () => {
    const { grains, buy_types } = permissionsOf([{ permitted_grains: ['week'] }])
    expect(sorted(grains ?? [])).toEqual(['week'])
    expect(buy_types).toBeUndefined()
  })

  it('is the union across agreements, in any order', () => {
    fc.assert(
      fc.property(fc.array(restricting, { minLength: 1 }), (sets) => {
        const union = permissionsOf(sets.map((permitted_grains) => ({ permitted_grains }))).grains
        const turned = permissionsOf(sets.toReversed().map((permitted_grains) => ({ permitted_grains }))).grains
        expect(sorted(union ?? [])).toEqual(sorted(new Set(sets.flat())))
        expect(sorted(turned ?? [])).toEqual(sorted(union ?? []))
      }),
    )
  })
})

describe('narrowed', () => {
  it('never widens what a product sells, and leaves it alone without a restriction', () => {
    fc.assert(
      fc.property(grains, fc.option(restricting, { nil: undefined }), (sold: Grain[], permitted) => {
        const left = narrowed(sold, permitted && new Set(permitted))
        expect(left.every((grain) => sold.includes(grain))).toBe(true)
        expect(left).toEqual(permitted === undefined ? sold : sold.filter((grain) => permitted.includes(grain)))
      }),
    )
  })

  it('grants no more by one agreement less', () => {
    fc.assert(
      fc.property(grains, restricting, restricting, (sold: Grain[], one, other) => {
        const both = narrowed(sold, permissionsOf([{ permitted_grains: one }, { permitted_grains: other }]).grains)
        const alone = narrowed(sold, permissionsOf([{ permitted_grains: one }]).grains)
        expect(alone.every((grain) => both.includes(grain))).toBe(true)
      }),
    )
  })
})
