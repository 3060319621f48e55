import type { EntryWarning } from '../../contract/product.ts'
import type { PricedEntry } from './stageRateCard.ts'

/**
 * Returns one DEFAULT_CURRENCY at the first entry without a currency, which is in that of the seller, and ZERO_PRICE for each entry that
 * costs nothing (choices, Rate entry: warnings).
 */
export function priceWarnings(accepted: readonly PricedEntry[], currency: string): EntryWarning[] {
  return [...defaultCurrency(accepted, currency), ...accepted.flatMap(zeroPrice)]
}

function zeroPrice({ index, entry }: PricedEntry): EntryWarning[] {
  const { product_id, gross_rate_unit, gross_rate_cpm } = entry
  if ((gross_rate_unit ?? gross_rate_cpm) !== 0) return []
  const message = 'The price is 0: orders at it cost nothing. If that is not meant, publish the right price.'
  return [{ index, code: 'ZERO_PRICE', product_id, message }]
}

function defaultCurrency(accepted: readonly PricedEntry[], currency: string): EntryWarning[] {
  const without = accepted.filter(({ entry }) => entry.currency === undefined)
  const [first] = without
  if (first === undefined) return []
  const which = without.length === 1 ? 'The entry has no currency: it is' : `${without.length} entries have no currency: they are`
  const message = `${which} in ${currency}, the currency of your profile.`
  return [{ index: first.index, code: 'DEFAULT_CURRENCY', product_id: first.entry.product_id, message }]
}
