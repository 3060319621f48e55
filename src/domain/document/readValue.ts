import { BUY_TYPES, type BuyType, MARKET_CLASSES, type MarketClass } from '../../contract/vocabulary.ts'
import { type DecimalLike, decimal, isExact } from '../decimal.ts'

/** Values as buysheets write them; undefined when the text says no such thing. */

/** `1,250.50`, `$1250.5`, `USD 1,250`, `(none)`: an amount of money as decimal text, exact as written. */
export function readAmount(text: string): string | undefined {
  const digits = text.replace(/[\s$€£]|\b(USD|EUR|GBP|CAD|AUD)\b/gi, '')
  if (!/^\d{1,3}(,\d{3})+(\.\d+)?$|^\d+(\.\d+)?$/.test(digits)) return undefined
  const plain = digits.replaceAll(',', '')
  return plain.length > 20 || !isExact(plain) ? undefined : decimal(plain as DecimalLike).toFixed()
}

/** A count from zero on; `12x` and `12 spots` are twelve. */
export function readCount(text: string): number | undefined {
  const digits = text
    .trim()
    .replace(/(?:x|spots?|units?)$/i, '')
    .trimEnd()
  const amount = /^[\d,.]+$/.test(digits) ? readAmount(digits) : undefined
  const count = amount === undefined ? Number.NaN : Number(amount)
  return Number.isSafeInteger(count) && count <= 1e9 ? count : undefined
}

/** `:30`, `30`, `30s`, `30 sec`, `0:30`, `1:00`, `1 min`: seconds. */
export function readSeconds(text: string): number | undefined {
  const [, minutes, seconds] = /^(\d{0,2}):(\d{2})s?$/.exec(text.trim()) ?? []
  if (seconds !== undefined) return positive(Number(minutes || 0) * 60 + Number(seconds))
  const [, number, unit = ''] = /^(\d{1,4})(?:\.0+)?\s*(s|secs?|seconds?|"|''|m|mins?|minutes?)?\.?$/i.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  return positive(Number(number) * (/^m/i.test(unit) ? 60 : 1))
}

function positive(seconds: number): number | undefined {
  return seconds > 0 && seconds <= 3600 ? seconds : undefined
}

export function readBuyType(text: string): BuyType | undefined {
  const word = wordOf(text)
  return BUY_TYPES.find((type) => wordOf(type) === word) ?? BUY_TYPE_WORDS[word]
}

const BUY_TYPE_WORDS: Record<string, BuyType> = {
  preempt: 'preemptible',
  'pre emptible': 'preemptible',
  p: 'preemptible',
  'non preempt': 'non_preemptible',
  'non pre emptible': 'non_preemptible',
  nonpreemptible: 'non_preemptible',
  np: 'non_preemptible',
  guaranteed: 'audience_guaranteed',
  'audience guarantee': 'audience_guaranteed',
  ag: 'audience_guaranteed',
  fixed: 'fixed_position',
  fp: 'fixed_position',
}

/** The old remnant and opportunistic are one value, discounted (spec, Rate). */
export function readMarketClass(text: string): MarketClass | undefined {
  const word = wordOf(text)
  if (word === 'remnant' || word === 'opportunistic' || word === 'discount') return 'discounted'
  return MARKET_CLASSES.find((known) => known === word)
}

/** A name without case, marks and spacing: two names that differ in nothing else are one. */
export function wordOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
