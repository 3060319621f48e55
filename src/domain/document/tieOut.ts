import type { DocumentTotal } from '../../contract/documentParse.ts'
import { mostGross } from '../../contract/vocabulary/bounds.ts'
import { type Decimal, decimal, jsonNumber, money, sameAmount, sum } from '../decimal.ts'
import { lineAmount } from '../lines/lineResult.ts'
import type { ResolvedLine } from './checkLines.ts'
import type { ReadTotal } from './readDocument.ts'
import { readAmount, readCount } from './readValue.ts'

/** Compares the document's totals with the sums of its lines, at booked prices or, while unresolved, as read. */
export function tieOut(totals: readonly ReadTotal[], lines: readonly ResolvedLine[], currency: string): DocumentTotal[] {
  return totals.flatMap(({ of, read, at, value, lines: places }) => {
    const summed = places === undefined ? lines : places.flatMap((place) => lines[place] ?? [])
    const computed = sum(summed.map((line) => (of === 'gross' ? grossOf(line, currency) : unitsOf(line))))
    if (computed.gt(decimal(mostGross(currency)))) return [] // beyond any valid order, and not exact as a JSON number
    const ties = sameAmount(computed, value)
    const of_lines = places === undefined ? {} : { lines: summed.map(({ line }) => line) }
    return [{ of, ...of_lines, read, at, stated: jsonNumber(value), computed: jsonNumber(computed), ties }]
  })
}

function grossOf({ booked, read }: ResolvedLine, currency: string): Decimal {
  if (booked !== undefined) return lineAmount(booked.result, booked.booking)
  const cost = readAmount(read.unit_cost?.read ?? '')
  return cost === undefined ? decimal(0) : money(decimal(cost).times(decimal(readCount(read.units?.read ?? '') ?? 0)), currency)
}

function unitsOf({ booked, read }: ResolvedLine): Decimal {
  return decimal(booked?.result.units ?? readCount(read.units?.read ?? '') ?? 0)
}
