import { BUY_TYPES, type BuyType, MARKET_CLASSES, type MarketClass } from '../../contract/vocabulary.ts'

/** Parsers for words as buysheets write them. Each returns undefined for text of another kind. */

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
