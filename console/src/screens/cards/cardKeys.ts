import type { CardDiff } from '../../api/queries/publishing.ts'
import { moneyText } from '../../ui/Money.tsx'

type DiffPrice = CardDiff['items'][number]['before']

export function effectiveText({ start, end }: { start: string; end: string }): string {
  return `${start} to ${end}`
}

export function priceOf(price: DiffPrice): string {
  if (price === null) return ''
  const { gross_rate_unit, gross_rate_cpm, currency } = price
  if (gross_rate_unit !== undefined) return moneyText(gross_rate_unit, currency)
  return gross_rate_cpm === undefined ? '' : `${moneyText(gross_rate_cpm, currency)} cpm`
}

/** Returns the relative change of a price of the same kind: `+4.5%`. */
export function shiftOf(before: DiffPrice, after: DiffPrice): string {
  const [from, to] = [amountOf(before), amountOf(after)]
  const isAlike = before?.currency === after?.currency && (before?.gross_rate_unit === undefined) === (after?.gross_rate_unit === undefined)
  if (!isAlike || from === undefined || to === undefined || from === 0 || from === to) return ''
  const percent = Math.round(((to - from) / from) * 1_000) / 10
  return `${percent > 0 ? '+' : ''}${percent}%`
}

function amountOf(price: DiffPrice): number | undefined {
  return price?.gross_rate_unit ?? price?.gross_rate_cpm
}

interface Key {
  readonly spot_length: number
  readonly market_class: string
  readonly advertiser_class: string
  readonly buy_type: string
  readonly clearance_tier?: string
}

/** Describes the terms of a price, without its product and week: `30 s scatter, general, preemptible`. */
export function keyText({ spot_length, market_class, advertiser_class, buy_type, clearance_tier }: Key): string {
  const tier = clearance_tier === undefined ? '' : `, ${clearance_tier}`
  return `${spot_length} s ${market_class}, ${advertiser_class}, ${buy_type.replaceAll('_', ' ')}${tier}`
}

export function keyOf(item: Key & { product_id: string; week: string }): string {
  return `${item.product_id} ${item.week} ${keyText(item)}`
}
