import { type Decimal, decimal, sameAmount } from '../../decimal.ts'
import type { Cell, Row } from '../cells.ts'
import type { OrderLine } from '../lines.ts'
import type { Region } from '../regions.ts'
import type { NumberRoles } from '../roles.ts'
import type { ReadRow } from '../rowKinds.ts'
import { amountOf, isMoney } from '../values/amounts.ts'
import { costOf, type Equation, equationsOf, type Fee, NO_TERMS, type Proof, type ReadRegion, type TotalCell, unitsOf } from './equation.ts'
import { labelled, statementsOf } from './statements.ts'

/** Compares all that a document states of its lines with what they come to. */
export function prove(regions: readonly ReadRegion[], lines: readonly OrderLine[], around: readonly Row[]): Proof {
  const fees = regions.flatMap((each) => each.fees.flatMap((fee) => fee ?? []))
  const so: SoFar = { count: 0, block: 0, fees: [] }
  const sums = regions.flatMap((each) => totalsOf(each, so, lines))
  const summed = new Set(sums.flatMap(({ row }) => row ?? []))
  const statements = [
    ...around,
    ...regions.flatMap(({ rows }) =>
      rows.filter((row) => row.kind === 'text' || (row.kind === 'total' && !summed.has(row))).map(({ row }) => row),
    ),
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

const MONEY_WORDS = /\b(cost|dols|dollars|amount|gross|net|investment)\b|\$/i

/** A total of a contract holds earlier documents too, so it is compared with nothing of this one. */
const EARLIER = /\bcontract total\b|\bprevious\b|\bprior\b/i

interface Totals {
  readonly equations: readonly Equation[]
  /** The row of the equations, which is no statement besides. */
  readonly row?: ReadRow
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
    const best = tries.reduce((max, one) => (tiesOf(one) > tiesOf(max) ? one : max))
    // A net total beside gross prices is less a commission, which only its own rows could tell.
    if (/\bnet\b/i.test(row.label) && numbers.basis !== 'net' && tiesOf(best) < best.length) return
    // A total for a name sums what the name says, which may be any lines.
    if (/\btotals? (for|of) \w/i.test(row.label) && tiesOf(best) < best.length) return
    if (row.kind === 'unknown' && tiesOf(best) < best.length) {
      result.push({ equations: [], unknown: [row] })
      return
    }
    result.push({ equations: best, row })
    if (kind === undefined && !MONEY_WORDS.test(row.label) && !/per week|\/week/i.test(row.label)) so.block = so.count
  })
  return result
}

function tiesOf(equations: readonly Equation[]): number {
  return equations.filter(({ ties }) => ties).length
}

function totalCells(row: ReadRow, { dates }: Region, { units, rate, cost }: NumberRoles): TotalCell[] {
  if (row.torn !== undefined) return []
  const isMoneyRow = MONEY_WORDS.test(row.label) && [...dates.keys()].some((at) => amountOf(row.cells.get(at)?.text ?? '') !== undefined)
  return [...row.cells].flatMap(([at, cell]): TotalCell[] => {
    const value = amountOf(cell.text)
    if (value === undefined) return []
    const start = dates.get(at)?.start
    if (start !== undefined) return [{ cell, of: isMoneyRow || isMoney(cell.text) ? 'cost' : 'units', value, start }]
    if (at === units) return [{ cell, of: isMoneyRow ? 'cost' : 'units', value }]
    return at === rate || at === cost ? [{ cell, of: 'cost', value }] : []
  })
}

export { type Equation, type Fee, type Proof, type ReadRegion, unitsOf } from './equation.ts'
