import { describe, expect, it } from '@jest/globals'
import { readBuyType, readMarketClass } from '../../../src/domain/document/readValue.ts'
import { readAmount, readCount, readSeconds } from '../../../src/domain/document/values/amounts.ts'

describe('values in the words of a buysheet', () => {
  it.each([
    ['$1,250.50', '1250.5'],
    ['1250.5', '1250.5'],
    ['USD 12', '12'],
    ['0.335', '0.335'],
    ['1,2', undefined],
    ['12,50', undefined],
    ['-5', undefined],
    ['n/a', undefined],
    ['', undefined],
    ['9'.repeat(40), undefined],
  ])('an amount: %s', (text, amount) => expect(readAmount(text)).toBe(amount))

  it.each([
    ['10', 10],
    ['10x', 10],
    ['1,000 spots', 1000],
    ['0', 0],
    ['1.5', undefined],
    ['-1', undefined],
    ['ten', undefined],
    ['99999999999', undefined],
  ])('a count: %s', (text, count) => expect(readCount(text)).toBe(count))

  it.each([
    [':30', 30],
    ['30', 30],
    ['30s', 30],
    ['15 sec', 15],
    ['0:30', 30],
    ['1:00', 60],
    ['2 min', 120],
    ['60"', 60],
    ['0', undefined],
    ['2:00:00', undefined],
    ['half a minute', undefined],
  ])('a length: %s', (text, seconds) => expect(readSeconds(text)).toBe(seconds))

  it.each([
    ['Non-Preemptible', 'non_preemptible'],
    ['preemptible', 'preemptible'],
    ['Fixed', 'fixed_position'],
    ['Audience Guaranteed', 'audience_guaranteed'],
    ['sponsorship', undefined],
  ])('a buy type: %s', (text, type) => expect(readBuyType(text)).toBe(type))

  it.each([
    ['Scatter', 'scatter'],
    ['Remnant', 'discounted'],
    ['upfront', undefined],
  ])('a market class: %s', (text, word) => expect(readMarketClass(text)).toBe(word))
})
