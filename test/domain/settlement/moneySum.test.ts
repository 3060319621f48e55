import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { jsonNumber, money, sum } from '../../../src/domain/decimal.ts'
import { MoneySum } from '../../../src/domain/settlement/moneySum.ts'

const someAmount = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2)),
  fc.constantFrom(
    0,
    '0',
    '100.00',
    '99.995',
    '33.3333333333333333',
    1302.925,
    '99999999.99',
    '100000000.01',
    123456789012.34,
    '0.000000001',
  ),
)
const sumOf = (amounts: readonly (number | string)[], currency: string): MoneySum => {
  const total = new MoneySum(currency)
  for (const amount of amounts) total.add(amount)
  return total
}

describe.each(['USD', 'JPY', 'KWD', 'CLF'])('a sum of amounts in %s', (currency) => {
  const amounts = fc.array(someAmount, { maxLength: 20 })

  it('is what exact decimals add up to, to the minor unit and in full', () => {
    fc.assert(
      fc.property(amounts, (added) => {
        expect(sumOf(added, currency).toNumber() + 0).toBe(jsonNumber(money(sum(added), currency)) + 0)
        expect(sumOf(added, currency).toExactNumber() + 0).toBe(jsonNumber(sum(added)) + 0)
      }),
    )
  })

  it('is rounded before it is added to or subtracted from another', () => {
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        const total = sumOf([], currency)
        for (const part of [one, other]) total.addRounded(sumOf(part, currency))
        const [first, second] = [money(sum(one), currency), money(sum(other), currency)]
        expect(total.toNumber() + 0).toBe(jsonNumber(first.plus(second)) + 0)
        expect(sumOf(one, currency).minus(sumOf(other, currency)) + 0).toBe(jsonNumber(first.minus(second)) + 0)
      }),
    )
  })
})
