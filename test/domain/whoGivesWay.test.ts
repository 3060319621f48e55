import { expect, it } from '@jest/globals'
import { whoGivesWay } from '../../src/domain/whoGivesWay.ts'

const holders = (text: string) => text.split(' ').map((one) => ({ source: one.charAt(0), quietSince: Number(one.slice(1)) }))

it.each([
  ['a5', 'a5'],
  ['a1 b9 b8', 'b8'],
  ['b8 b9 a1', 'b8'],
  ['a2 b1 c3', 'b1'],
  ['a2 a1 b0 b3', 'b0'],
])('the quietest of the source with most gives way: of %s, %s', (held, gives) => {
  expect(whoGivesWay(holders(held))).toEqual(holders(gives)[0])
})

it('nobody gives way where nobody holds a place', () => {
  expect(whoGivesWay([])).toBeUndefined()
})
