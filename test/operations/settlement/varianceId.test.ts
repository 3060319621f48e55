import { expect, it } from '@jest/globals'
import { type VariancePlace, varianceId } from '../../../src/operations/settlement/varianceId.ts'

const place: VariancePlace = { order_id: 'ord_1', unit_id: 'unit_a', network: 'CBL', air_date: '2026-12-07', code: 'MISSED', n: 1 }

it('names a variance by its place alone', () => {
  expect(varianceId(place)).toMatch(/^var_[0-9a-hjkmnp-tv-z]{26}$/)
  expect(varianceId({ ...place })).toBe(varianceId(place))
})

it.each<Partial<VariancePlace>>([
  { order_id: 'ord_2' },
  { unit_id: null },
  { unit_id: '' },
  { network: 'CBL2' },
  { air_date: '2026-12-08' },
  { code: 'DUPLICATE' },
  { n: 2 },
])('differs for another place: %j', (other) => {
  expect(varianceId({ ...place, ...other })).not.toBe(varianceId(place))
})
