import type { InvoiceLine } from '../../contract/invoice.ts'
import type { Allocation, LineResult } from '../../contract/lineItem.ts'
import { broadcastMonthOf } from '../calendar.ts'
import { type Decimal, decimal, jsonNumber, sum } from '../decimal.ts'
import { acceptedLines, impressionsByUnit } from '../edi/blocks.ts'
import { amountOf } from '../lines/lineResult.ts'
import type { OrderState } from '../order/state.ts'
import { placedAt } from '../order/supersede.ts'
import { canceledDate, inForceOn, unitsBefore } from './datesInForce.ts'
import { type BilledMakegood, movedLines, movedSpots, withoutMoved } from './movedSpots.ts'

/** The bill of an order for one broadcast month. */
export interface BilledMonth {
  broadcast_month: string
  lines: InvoiceLine[]
  gross: Decimal
}

/**
 * Returns what a cleared order bills by month: the booked dates on which it is in force, at their locked rates, whether aired or not, and
 * the late fee of an order that was canceled after its placement (choices, Invoices: basis). A line's cost in a month is its cost up to the
 * month's end minus its cost before the month, so that the months add up to the line. An agreed makegood that airs in another month than what it
 * replaces moves its cost there if the agreement bills by the month of airing (choices, Makegoods: billing).
 */
export function billedMonths(order: OrderState, makegoods: readonly BilledMakegood[] = []): BilledMonth[] {
  if (!isBilled(order)) return []
  const impressions = impressionsByUnit(order)
  const canceledOn = canceledDate(order)
  const isInForce = inForceOn(order)
  const months = new Map<string, InvoiceLine[]>()
  const add = (month: string, line: InvoiceLine) => listUnder(months, month).push(line)
  const moved = movedSpots(makegoods, isInForce)
  for (const line of acceptedLines(order)) {
    const impressions_per_unit = impressions.get(line.unit_id)
    let before = unitsBefore(line, order)
    for (const [month, inMonth] of byMonth(line.allocation.filter((on) => isInForce(line.unit_id, on)))) {
      const units = inMonth.reduce((total, each) => total + each.units, 0)
      const costOf = (count: number) => amountOf(line.rate, count, impressions_per_unit)
      const whole = spotsLine(line, inMonth, { units, impressions_per_unit, gross: costOf(before + units).minus(costOf(before)) })
      const staying = withoutMoved(whole, moved)
      if (staying !== undefined) add(month, staying)
      before += units
    }
  }
  for (const line of movedLines(moved)) add(broadcastMonthOf(line.dates[0]?.date ?? ''), line)
  const fee = order.cancellation?.notice
  if (canceledOn !== undefined && fee?.fee_amount !== undefined)
    add(broadcastMonthOf(canceledOn), {
      kind: 'late_fee',
      ...(fee.fee_pct === undefined ? {} : { fee_pct: fee.fee_pct }),
      gross: fee.fee_amount,
    })
  return [...months]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([broadcast_month, lines]) => ({ broadcast_month, lines, gross: sum(lines.map(({ gross }) => gross)) }))
}

/** Returns true if an order is invoiced: it is cleared, and it was placed. */
export function isBilled(order: OrderState): boolean {
  return order.facts.settlement_mode === 'cleared' && order.request.agreement_id !== undefined && placedAt(order) !== undefined
}

/** Groups dates by broadcast month, in chronological order. */
function byMonth(dates: readonly Allocation[]): Map<string, Allocation[]> {
  const months = new Map<string, Allocation[]>()
  for (const entry of [...dates].sort((a, b) => (a.date < b.date ? -1 : 1))) listUnder(months, broadcastMonthOf(entry.date)).push(entry)
  return months
}

function listUnder<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function spotsLine(
  { unit_id, product_id, product_title, network, spot_length, rate }: LineResult,
  dates: readonly Allocation[],
  { units, impressions_per_unit, gross }: { units: number; impressions_per_unit: number | undefined; gross: Decimal },
): InvoiceLine {
  const price =
    rate.unit_cost === undefined
      ? { cpm: rate.cpm ?? 0, ...(impressions_per_unit === undefined ? {} : { impressions_per_unit }) }
      : { unit_cost: rate.unit_cost }
  return {
    kind: 'spots',
    unit_id,
    product_id,
    ...(product_title === undefined ? {} : { product_title }),
    network,
    spot_length,
    units,
    dates: dates.map(({ date, units: onDate }) => ({ date, units: onDate })),
    ...price,
    gross: jsonNumber(decimal(gross)),
  }
}
