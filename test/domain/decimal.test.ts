import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { decimal, jsonNumber, money, sameAmount, sum } from '../../src/domain/decimal.ts'

/** Cents as a whole number, and the text of the amount. */
const anAmount = fc
  .integer({ min: 0, max: 100_000_000 })
  .map((cents) => ({ cents, text: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}` }))

describe('money', () => {
  it.each([
    ['0.005', 0.01],
    ['1.005', 1.01],
    ['2.675', 2.68],
    ['10.0049999', 10],
    ['0.0050000001', 0.01],
    ['1234567.894999', 1234567.89],
    ['99.995', 100],
  ])('rounds %s half up to %s', (text, rounded) => expect(jsonNumber(money(text, 'USD'))).toBe(rounded))

  it('takes a JSON number for the decimal that its sender wrote', () => {
    expect(jsonNumber(money(1.005, 'USD'))).toBe(1.01) // 1.00499999… as a double
    expect(decimal(0.1).toString()).toBe('0.1')
    expect(decimal(1e-7).toFixed()).toBe('0.0000001')
  })
})

describe('a sum', () => {
  it('is exact where floating point is not', () => {
    expect(jsonNumber(sum([0.1, 0.2]))).toBe(0.3)
    expect(jsonNumber(sum(Array.from({ length: 1000 }, () => 0.01)))).toBe(10)
    expect(jsonNumber(sum([]))).toBe(0)
  })

  it('is the sum of the cents, in any order', () => {
    fc.assert(
      fc.property(fc.array(anAmount, { maxLength: 60 }), (amounts) => {
        const cents = amounts.reduce((total, amount) => total + amount.cents, 0)
        const total = sum(amounts.map(({ text }) => text))
        expect(total.times(decimal(100)).toFixed()).toBe(String(cents))
        expect(total.eq(sum(amounts.map(({ text }) => Number(text)).reverse()))).toBe(true)
      }),
    )
  })
})

describe('amounts', () => {
  it.each([
    ['100', 100],
    ['100.00', 100],
    ['0.10', 0.1],
    ['1e2', '100'],
  ])('%s is %s', (a, b) => expect(sameAmount(a, b)).toBe(true))

  it.each([
    ['100.001', 100],
    ['0.1', '0.10000000000000001'],
  ])('%s is not %s', (a, b) => expect(sameAmount(a, b)).toBe(false))

  it('never pass through arithmetic of doubles', () => {
    expect(() => decimal(100).times(1.1)).toThrow('[big.js] Invalid value')
  })
})
