import { expect, it } from '@jest/globals'
import fc from 'fast-check'

it('draws the same examples of a property each time', () => {
  expect(fc.sample(fc.integer(), 20)).toEqual(fc.sample(fc.integer(), 20))
})
