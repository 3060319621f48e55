import { BUY_TYPES, type BuyType, MARKET_CLASSES, type MarketClass } from '../../contract/vocabulary.ts'
import { type DecimalLike, decimal, isExact } from '../decimal.ts'

/** Parsers for values as buysheets write them. Each returns undefined for text of another kind. */

/** Parses money (`1,250.50`, `$1250.5`, `USD 1,250`, `1 250`) to exact decimal text. `5 3` is two numbers, and none. */
export function readAmount(text: string): string | undefined {
  const digits = text.replace(/[$€£]|\b(USD|EUR|GBP|CAD|AUD)\b/gi, '').trim()
  if (!/^\d{1,3}([,\s]\d{3})+(\.\d+)?$|^\d+(\.\d+)?$/.test(digits)) return undefined
  const plain = digits.replace(/[,\s]/g, '')
  return plain.length > 20 || !isExact(plain) ? undefined : decimal(plain as DecimalLike).toFixed()
}

/** Parses a count of at least zero; `12x` and `12 spots` are 12. */
export function readCount(text: string): number | undefined {
  const digits = text
    .trim()
    .replace(/(?:x|spots?|units?)$/i, '')
    .trimEnd()
  const amount = /^[\d,.]+$/.test(digits) ? readAmount(digits) : undefined
  const count = amount === undefined ? Number.NaN : Number(amount)
  return Number.isSafeInteger(count) && count <= 1e9 ? count : undefined
}

/** Parses a length (`:30`, `30`, `30s`, `30 sec`, `0:30`, `1:00`, `1 min`) to seconds. */
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

/** The former remnant and opportunistic both mean discounted (contract, Rate). */
export function readMarketClass(text: string): MarketClass | undefined {
  const word = wordOf(text)
  if (word === 'remnant' || word === 'opportunistic' || word === 'discount') return 'discounted'
  return MARKET_CLASSES.find((known) => known === word)
}

/** Normalizes a name: names that differ only in case, punctuation and spacing are equal. */
export function wordOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
