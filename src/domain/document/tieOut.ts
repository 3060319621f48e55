import type { DocumentTotal } from '../../contract/documentParse.ts'
import { type Decimal, decimal, jsonNumber, money, sameAmount, sum } from '../decimal.ts'
import { lineAmount } from '../lines/lineResult.ts'
import type { ResolvedLine } from './checkLines.ts'
import type { ReadTotal } from './reading.ts'
import { readAmount, readCount } from './values/amounts.ts'

/** Compares the document's totals with the sums of its lines, at booked prices or, while unresolved, as read. */
export function tieOut(totals: readonly ReadTotal[], lines: readonly ResolvedLine[], currency: string): DocumentTotal[] {
  return totals.map(({ of, read, at, value, fees, lines: places }) => {
    const numbers = places?.flatMap((place) => lines[place]?.line ?? [])
    const share = fees === undefined ? {} : { fees: jsonNumber(fees) }
    const total = { of, ...(numbers === undefined ? {} : { lines: numbers }), read, at, stated: jsonNumber(value), ...share }
    return compared(total, lines, currency)
  })
}

/** Returns a stated total with what its lines come to now. */
export function compared(total: Omit<DocumentTotal, 'computed' | 'ties'>, lines: readonly ResolvedLine[], currency: string): DocumentTotal {
  const { of, stated, read, at, lines: numbers, fees } = total
  const parts = summedLines(numbers, lines).map((line) => (of === 'gross' ? grossOf(line, currency) : unitsOf(line)))
  const computed = sum([...parts, decimal(fees ?? 0)])
  return {
    of,
    ...(numbers === undefined ? {} : { lines: numbers }),
    read,
    at,
    stated,
    computed: jsonNumber(computed),
    ...(fees === undefined ? {} : { fees }),
    ties: sameAmount(computed, stated),
  }
}

export function summedLines<L extends { readonly line: number }>(
  numbers: readonly number[] | undefined,
  lines: readonly L[],
): readonly L[] {
  if (numbers === undefined) return lines
  const summed = new Set(numbers)
  return lines.filter(({ line }) => summed.has(line))
}

function grossOf({ booked, read }: ResolvedLine, currency: string): Decimal {
  const cost = readAmount(read.unit_cost?.read ?? '')
  // A document of net prices states net totals.
  if (booked !== undefined && read.basis?.read === 'net' && cost !== undefined)
    return money(decimal(cost).times(decimal(booked.result.units)), currency)
  if (booked !== undefined) return lineAmount(booked.result, booked.booking)
  return cost === undefined ? decimal(0) : money(decimal(cost).times(decimal(readCount(read.units?.read ?? '') ?? 0)), currency)
}

function unitsOf({ booked, read }: ResolvedLine): Decimal {
  return decimal(booked?.result.units ?? readCount(read.units?.read ?? '') ?? 0)
}
