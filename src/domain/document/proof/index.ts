import { type Decimal, decimal, sameAmount, sum } from '../../decimal.ts'
import type { Cell, Row } from '../cells.ts'
import { textOf } from '../cells.ts'
import type { OrderLine } from '../lines.ts'
import { isNumeric } from '../page/bands.ts'
import type { Region } from '../regions.ts'
import type { NumberRoles } from '../roles.ts'
import type { ReadRow } from '../rows.ts'
import { amountOf, isMoney } from '../values/amounts.ts'

/** A number that the document states of its lines, with what they come to. */
export interface Equation {
  readonly of: 'units' | 'cost' | 'lines'
  readonly read: string
  readonly at: string
  readonly stated: Decimal
  readonly computed: Decimal
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

/** Compares all that a document states of its lines with what they come to. */
export function prove(regions: readonly ReadRegion[], lines: readonly OrderLine[], around: readonly Row[]): Proof {
  const fees = regions.flatMap((each) => each.fees.flatMap((fee) => fee ?? []))
  const so: SoFar = { count: 0, block: 0, fees: [] }
  const sums = regions.flatMap((each) => totalsOf(each, so, lines))
  const statements = [
    ...around,
    ...regions.flatMap(({ rows }) => rows.filter(({ kind }) => kind === 'text' || kind === 'total').map(({ row }) => row)),
  ]
  return {
    equations: [
      ...lines.flatMap(rowEquations),
      ...sums.flatMap(({ equations }) => equations),
      ...statements.flatMap((row) => statementsOf(row, lines, fees)),
    ],
    unknown: sums.flatMap(({ unknown }) => unknown ?? []),
  }
}

/** What the totals of a document have passed. */
interface SoFar {
  /** The number of lines above, and of those above the last total. */
  count: number
  block: number
  readonly fees: Fee[]
}

/** The units and the price that a row states of itself. */
function rowEquations(line: OrderLine, at: number): Equation[] {
  const { stated } = line
  const units = stated.units === undefined ? undefined : amountOf(stated.units.text)
  const cost = stated.cost === undefined ? undefined : amountOf(stated.cost.text)
  const compare = (of: 'units' | 'cost', cell: Cell, value: Decimal, computed: Decimal): Equation => ({
    of,
    read: cell.text,
    at: cell.at,
    stated: value,
    computed,
    ties: sameAmount(value, computed),
    lines: [at],
    scope: 'row',
  })
  return [
    ...(units === undefined || stated.units === undefined ? [] : [compare('units', stated.units, units, decimal(unitsOf(line)))]),
    ...(cost === undefined || stated.cost === undefined || line.rate === undefined
      ? []
      : [compare('cost', stated.cost, cost, costOf(line))]),
  ]
}

const NO_TERMS = /\b(trps?|grps?|gris?|cpp|cpm|pts|points|rtg|ratings?|gimps?|imps?|impressions|share|pct)\b/i
const MONEY_WORDS = /\b(cost|dols|dollars|amount|gross|net|investment)\b|\$/i

/** A total of a contract holds earlier documents too, so it is compared with nothing of this one. */
const EARLIER = /\bcontract total\b|\bprevious\b|\bprior\b/i

interface Totals {
  readonly equations: readonly Equation[]
  readonly unknown?: readonly ReadRow[]
}

/**
 * Compares the totals of a region: each sums the lines since the total before, or all of its table, or all of the document so far; of the kind
 * that its label names; with the fees among them or without. The sum that all its cells agree with is the one it states.
 */
function totalsOf({ region, rows, numbers, lineOf, fees }: ReadRegion, so: SoFar, lines: readonly OrderLine[]): Totals[] {
  const start = so.count
  const before = so.fees.length
  const result: Totals[] = []
  rows.forEach((row, at) => {
    const line = lineOf[at]
    if (line !== undefined) so.count = line + 1
    const fee = fees[at]
    if (fee !== undefined) so.fees.push(fee)
    if ((row.kind !== 'total' && row.kind !== 'unknown') || NO_TERMS.test(row.label) || EARLIER.test(row.label)) return
    const cells = totalCells(row, region, numbers)
    if (cells.length === 0) {
      if (row.kind === 'unknown' && row.torn === undefined && row.row.cells.some((cell) => isMoney(cell.text)) === false)
        result.push({ equations: [], unknown: [row] })
      return
    }
    if (cells.length === 1 && row.kind === 'total' && labelled(row.label) !== undefined) return // a statement
    const kind = /\bbonus/i.test(row.label) ? 'bonus' : /\bpaid\b/i.test(row.label) ? 'paid' : undefined
    const tries = [...new Set([so.block, start, 0])].flatMap((from) => {
      const summed = lines.flatMap((each, place) =>
        place >= from && place < so.count && (kind === undefined || each.kind === kind) ? [place] : [],
      )
      return [[], so.fees.slice(before), so.fees].map((some) => equationsOf(cells, summed, lines, some))
    })
    const best = tries.reduce((most, one) => (tiesOf(one) > tiesOf(most) ? one : most))
    if (row.kind === 'unknown' && tiesOf(best) < best.length) {
      result.push({ equations: [], unknown: [row] })
      return
    }
    result.push({ equations: best })
    if (kind === undefined && !MONEY_WORDS.test(row.label) && !/per week|\/week/i.test(row.label)) so.block = so.count
  })
  return result
}

function tiesOf(equations: readonly Equation[]): number {
  return equations.filter(({ ties }) => ties).length
}

interface TotalCell {
  readonly cell: Cell
  readonly of: 'units' | 'cost'
  readonly value: Decimal
  /** The period of a total of one week or day. */
  readonly start?: string | undefined
}

function totalCells(row: ReadRow, { dates }: Region, { units, rate, cost }: NumberRoles): TotalCell[] {
  if (row.torn !== undefined) return []
  const isMoneyRow = MONEY_WORDS.test(row.label) && [...dates.keys()].some((at) => row.cells.has(at))
  return [...row.cells].flatMap(([at, cell]): TotalCell[] => {
    const value = amountOf(cell.text)
    if (value === undefined) return []
    const start = dates.get(at)?.start
    if (start !== undefined) return [{ cell, of: isMoneyRow || isMoney(cell.text) ? 'cost' : 'units', value, start }]
    if (at === units) return [{ cell, of: isMoneyRow ? 'cost' : 'units', value }]
    return at === rate || at === cost ? [{ cell, of: 'cost', value }] : []
  })
}

function equationsOf(
  cells: readonly TotalCell[],
  summed: readonly number[],
  lines: readonly OrderLine[],
  fees: readonly Fee[],
): Equation[] {
  return cells.map(({ cell, of, value, start }) => {
    const computed = sum([
      ...summed.map((place) => partOf(lines[place] as OrderLine, of, start)),
      ...fees.filter((fee) => start === undefined || fee.period === start).map((fee) => (of === 'cost' ? fee.amount : decimal(fee.units))),
    ])
    const ties = sameAmount(value, computed) || (of === 'cost' && !cell.text.includes('.') && value.minus(computed).abs().lt(decimal(1)))
    return { of, read: cell.text, at: cell.at, stated: value, computed, ties, lines: summed, scope: 'total', start }
  })
}

function partOf(line: OrderLine, of: 'units' | 'cost', start: string | undefined): Decimal {
  const units = line.periods
    .filter((period) => start === undefined || period.start === start)
    .reduce((all, period) => all + period.units, 0)
  return of === 'units' ? decimal(units) : (line.rate ?? decimal(0)).times(decimal(units))
}

const WHOLE =
  /^\W*(grand |order |schedule |flight |gross )?total( (of )?(line items|spots|units|# of units|cost|amount|dollars|gross|gross amount|airtime))?\W*$|^\W*(gross (airtime|amount|total)|number of spots)\W*$/i

/** Tells what a label says of the whole order; undefined if it says something else. */
function labelled(label: string): 'units' | 'cost' | 'lines' | undefined {
  if (!WHOLE.test(label) || NO_TERMS.test(label)) return undefined
  if (/line items/i.test(label)) return 'lines'
  if (/spots|units/i.test(label)) return 'units'
  return /cost|amount|dollars|gross|airtime/i.test(label) ? 'cost' : undefined
}

/** Compares what stands beside a label such as `Total Spots:`, outside of the columns of a table. */
function statementsOf(row: Row, lines: readonly OrderLine[], fees: readonly Fee[]): Equation[] {
  const numbers = row.cells.filter(isNumeric)
  return row.cells.flatMap((cell, at): Equation[] => {
    const { label, value } = pairOf(row.cells, at)
    const of =
      value === undefined
        ? undefined
        : (labelled(label) ??
          (numbers.length === 1 && WHOLE.test(label) && !NO_TERMS.test(label) ? (isMoney(value.text) ? 'cost' : 'units') : undefined))
    const stated = value === undefined ? undefined : amountOf(value.text)
    if (of === undefined || stated === undefined || value === undefined || numbers.length > 2) return []
    const all = lines.map((_, place) => place)
    if (of === 'lines')
      return [
        {
          of,
          read: value.text,
          at: cell.at,
          stated,
          computed: decimal(lines.length),
          ties: sameAmount(stated, lines.length),
          lines: all,
          scope: 'total',
        },
      ]
    const tries = [[], fees].map((some) => equationsOf([{ cell: value, of, value: stated }], all, lines, some)[0] as Equation)
    return [tries.find(({ ties }) => ties) ?? (tries[0] as Equation)]
  })
}

/** A label with its number in the next cell, or in the same: `Total Spots: 105`. */
function pairOf(cells: readonly Cell[], at: number): { label: string; value: Cell | undefined } {
  const cell = cells[at] as Cell
  const inside = /^(.*[:#])\s*(\$?\s?[\d,.]+)$/.exec(cell.text)
  if (inside !== null) return { label: inside[1] ?? '', value: { ...cell, text: inside[2] ?? '' } }
  const next = cells[at + 1]
  if (next?.text === '$' && cells[at + 2] !== undefined)
    return { label: cell.text, value: { ...(cells[at + 2] as Cell), text: `$${cells[at + 2]?.text}` } }
  return { label: cell.text, value: next !== undefined && amountOf(next.text) !== undefined ? next : undefined }
}

export { textOf }
