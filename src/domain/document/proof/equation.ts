import { type Decimal, decimal, sameAmount, sum } from '../../decimal.ts'
import type { Cell } from '../cells.ts'
import type { OrderLine } from '../lines.ts'
import type { Region } from '../regions.ts'
import type { NumberRoles } from '../roles.ts'
import type { ReadRow } from '../rowKinds.ts'

/** A number that the document states of its lines, with what they come to. */
export interface Equation {
  readonly of: 'units' | 'cost' | 'lines'
  readonly read: string
  readonly at: string
  readonly stated: Decimal
  readonly computed: Decimal
  /** The part of `computed` that is of fees, which no line books. */
  readonly fees?: Decimal | undefined
  readonly ties: boolean
  /** The positions of the lines that it sums. */
  readonly lines: readonly number[]
  /** Of one row, or of several. */
  readonly scope: 'row' | 'total'
  /** The week or day that a total is of, if not all. */
  readonly start?: string | undefined
}

/** Money that is no airtime. */
export interface Fee {
  readonly text: string
  readonly amount: Decimal
  readonly units: number
  readonly at: string
  readonly period?: string | undefined
}

/** A region with its rows and the lines that they make. */
export interface ReadRegion {
  readonly region: Region
  readonly rows: readonly ReadRow[]
  readonly numbers: NumberRoles
  /** For each row the position of its line, if it makes one. */
  readonly lineOf: readonly (number | undefined)[]
  readonly fees: readonly (Fee | undefined)[]
}

export interface Proof {
  readonly equations: readonly Equation[]
  /** Rows of numbers of which nobody can tell what they are. */
  readonly unknown: readonly ReadRow[]
}

export function unitsOf({ periods }: OrderLine): number {
  return periods.reduce((all, { units }) => all + units, 0)
}

export function costOf(line: OrderLine): Decimal {
  return (line.rate ?? decimal(0)).times(decimal(unitsOf(line)))
}

/** What is rated or counted besides units and money. */
export const NO_TERMS = /\b(trps?|grps?|gris?|cpp|cpm|pts|points|rtg|ratings?|gimps?|imps?|impressions|share|pct)\b/i

/** A cell of a total. */
export interface TotalCell {
  readonly cell: Cell
  readonly of: 'units' | 'cost'
  readonly value: Decimal
  /** The period of a total of one week or day. */
  readonly start?: string | undefined
}

/** Compares the cells of a total with the lines that it may sum. */
export function equationsOf(
  cells: readonly TotalCell[],
  summed: readonly number[],
  lines: readonly OrderLine[],
  fees: readonly Fee[],
): Equation[] {
  return cells.map(({ cell, of, value, start }) => {
    const share = fees.filter((fee) => start === undefined || fee.period === start)
    const own = sum(share.map((fee) => (of === 'cost' ? fee.amount : decimal(fee.units))))
    const computed = sum([...summed.map((place) => partOf(lines[place] as OrderLine, of, start)), own])
    const ties = sameAmount(value, computed) || (of === 'cost' && !cell.text.includes('.') && value.minus(computed).abs().lt(decimal(1)))
    return { of, read: cell.text, at: cell.at, stated: value, computed, fees: own, ties, lines: summed, scope: 'total', start }
  })
}

function partOf(line: OrderLine, of: 'units' | 'cost', start: string | undefined): Decimal {
  const units = line.periods
    .filter((period) => start === undefined || period.start === start)
    .reduce((all, period) => all + period.units, 0)
  return of === 'units' ? decimal(units) : (line.rate ?? decimal(0)).times(decimal(units))
}
