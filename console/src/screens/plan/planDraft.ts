import type { PlanOrder } from '../../api/queries/orders.ts'
import type { CardPrice } from '../../api/queries/prices.ts'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { priceText } from '../../ui/Money.tsx'
import { mondayOf } from '../../ui/Period.tsx'

/** A line of a plan draft. `amount` is a price that differs from the card's, which makes it a quote. */
export interface PlanRow {
  readonly id: string
  readonly product: string
  readonly week: string
  readonly units: string
  readonly price?: CardPrice
  readonly amount: string
}

export interface PlanDraft {
  readonly rows: readonly PlanRow[]
  readonly gross: string
  readonly unmet: string
  readonly hours: string
  /** The sequence number of the order's last event when the seller began to write. */
  readonly seq?: number
}

export function emptyRow(id: string, week = ''): PlanRow {
  return { id, product: '', week, units: '1', amount: '' }
}

export function emptyPlan(week: string): PlanDraft {
  return { rows: [emptyRow('first', week)], gross: '', unmet: '', hours: '72' }
}

/** What is wrong with a field of the plan, or with a field of its row `index`. */
export interface PlanFault {
  readonly index?: number
  readonly field: 'week' | 'units' | 'price' | 'amount' | 'gross'
  readonly message: string
}

export function faultsOf({ rows, gross }: PlanDraft): PlanFault[] {
  const lines = rows.flatMap(({ week, units, price, amount }, index): PlanFault[] => {
    if (mondayOf(week) === undefined) return [{ index, field: 'week', message: 'the week has the form 2027-W06' }]
    if (!(Number.isInteger(Number(units)) && Number(units) >= 1))
      return [{ index, field: 'units', message: 'units are a whole number from 1' }]
    if (price === undefined) return [{ index, field: 'price', message: 'choose a price of the card' }]
    return amount !== '' && !(Number(amount) > 0) ? [{ index, field: 'amount', message: 'a quote is above 0' }] : []
  })
  const isNumber = gross === '' || Number(gross) >= 0
  return isNumber ? lines : [...lines, { field: 'gross', message: 'the stated gross is a number' }]
}

export function faultText({ index, message }: PlanFault): string {
  return index === undefined ? message : `line ${index + 1}: ${message}`
}

/** Returns what to show at a field of the plan; empty if it has no fault. */
export type PlanFaultAt = (field: keyof typeof POINTERS, index?: number) => string

/** Finds the faults of the draft and those for which the API refused it. A field that nobody has filled in has none yet. */
export function planFaultsAt(draft: PlanDraft, refusal: unknown): PlanFaultAt {
  const ofApi = faultsAt(refusal)
  const own = faultsOf(draft)
  return (field, index) => {
    const fault = own.find((one) => one.field === field && one.index === index)
    const isEmpty = field === 'price' || (index !== undefined && draft.rows[index]?.[field as 'week'] === '')
    if (fault !== undefined) return isEmpty ? '' : capitalized(fault.message)
    const line = index === undefined ? '' : `/line_items/${index}`
    return POINTERS[field].flatMap((pointer) => ofApi(line + pointer)).join(' ')
  }
}

/** The members of the body that a field becomes. */
const POINTERS = {
  product: ['/product_id'],
  week: ['/period'],
  units: ['/units'],
  price: ['/rate', '/spot_length'],
  amount: ['/quote'],
  gross: ['/plan_totals/gross'],
  hours: ['/expires_at'],
  unmet: ['/unmet'],
} as const

function capitalized(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}

export function planBody({ rows, gross, unmet, hours }: PlanDraft, actor: string, now: number): PlanOrder {
  const expires_at = new Date(now + Number(hours) * 3_600_000).toISOString()
  const words = unmet.split('\n').filter((line) => line.trim() !== '')
  return {
    actor,
    line_items: rows.flatMap((row) => (row.price === undefined ? [] : [lineOf(row, row.price, expires_at)])),
    plan_totals: gross === '' ? {} : { gross: Number(gross) },
    ...(words.length > 0 && { unmet: words }),
    expires_at,
  }
}

function lineOf({ product, week, units, amount }: PlanRow, price: CardPrice, expires_at: string): PlanOrder['line_items'][number] {
  const { market_class, advertiser_class, buy_type, clearance_tier, currency, locked_rate_id, unit_cost, cpm } = price
  const terms = { market_class, advertiser_class, buy_type, currency, ...(clearance_tier !== undefined && { clearance_tier }) }
  const line = {
    product_id: product,
    period: { grain: 'week' as const, start: week },
    units: Number(units),
    spot_length: price.spot_length,
  }
  if (amount !== '')
    return { ...line, rate: terms, quote: { ...(cpm === undefined ? { unit_cost: Number(amount) } : { cpm: Number(amount) }), expires_at } }
  return { ...line, rate: { ...terms, locked_rate_id, ...(unit_cost !== undefined && { unit_cost }), ...(cpm !== undefined && { cpm }) } }
}

/** Writes a card price with its terms, to tell apart several prices of one product. */
export function termsText(price: CardPrice): string {
  const { spot_length, buy_type, market_class, advertiser_class, clearance_tier } = price
  const words = [`${spot_length} s`, buy_type.replaceAll('_', ' '), market_class, advertiser_class, clearance_tier].filter(Boolean)
  return `${priceText(price, true)}, ${words.join(', ')}`
}
