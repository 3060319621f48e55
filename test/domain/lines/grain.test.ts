import { describe, expect, it } from '@jest/globals'
import type { Grain } from '../../../src/contract/vocabulary.ts'
import { checkGrain, checkStart } from '../../../src/domain/lines/grain.ts'
import { aProduct } from '../../support/orders/anOrder.ts'

const STARTS = { day: '2026-12-07', week: '2026-W50', month: '2026-12' }
const check = (grains: Grain[], grain: Grain, permitted?: Grain[]) =>
  checkGrain(aProduct({ grains }), { grain, start: STARTS[grain] }, permitted && new Set(permitted), 'line_items.0.period')

describe('a grain', () => {
  it.each(['day', 'week', 'month'] as const)('%s is taken when the product sells by it', (grain) =>
    expect(check([grain], grain)).toEqual([]),
  )

  it('that the product does not sell is not offered, and no permission is named', () => {
    const [fault, ...more] = check(['week'], 'day', ['week'])
    expect(more).toEqual([])
    expect(fault).toMatchObject({ error_code: 'GRAIN_NOT_OFFERED', field: 'line_items.0.period.grain' })
    expect(fault?.details?.permitted_grains).toBeUndefined()
  })

  it('that the relationship excludes is not offered, and what is left is named', () => {
    expect(check(['day', 'week', 'month'], 'day', ['week', 'month'])).toMatchObject([
      { error_code: 'GRAIN_NOT_OFFERED', field: 'line_items.0.period.grain', details: { permitted_grains: ['week', 'month'] } },
    ])
  })

  it('is never widened by a permission', () => {
    expect(check(['week'], 'week', ['month'])).toMatchObject([{ error_code: 'GRAIN_NOT_OFFERED', details: { permitted_grains: [] } }])
    expect(check(['week'], 'month', ['month'])).toMatchObject([{ error_code: 'GRAIN_NOT_OFFERED' }])
  })

  it('needs a period that exists', () => {
    const field = 'line_items.0.period'
    for (const start of ['2025-W53', '2027-W53'])
      expect(checkStart({ grain: 'week', start }, field)).toMatchObject([{ error_code: 'INVALID_INPUT', field: `${field}.start` }])
    expect(checkStart({ grain: 'week', start: '2026-W53' }, field)).toEqual([])
  })
})
