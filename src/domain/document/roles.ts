import { decimal, sameAmount } from '../decimal.ts'
import { type Basis, isList, type Role } from './headings/vocabulary.ts'
import type { Region } from './regions.ts'
import { type ByRole, columnsByRole, type ReadRow } from './rowKinds.ts'
import { amountOf, countOf, unitsIn } from './values/amounts.ts'

/** What the columns of numbers are, once the arithmetic of the rows has decided. */
export interface NumberRoles {
  readonly units: number | undefined
  readonly rate: number | undefined
  readonly cost: number | undefined
  readonly basis: Basis | undefined
  /** `proven`: rate times units is the cost of the rows; `named`: the heading says rate; `open`: only the totals below can tell. */
  readonly certainty: 'proven' | 'named' | 'open' | 'none'
}

/**
 * Decides the roles of the columns of numbers. Headings propose: `Cost` may be a price of a unit or of a row. Arithmetic disposes: the units of
 * the weeks sum to the units of the row, and rate times units is the cost of the row. Of several columns that could be the rate, the one for
 * which this holds is it. Where a single column of money is left and its heading does not say rate, both readings are returned, and the totals of
 * the document choose between them (`proof`).
 */
export function numberRoles(region: Region, rows: readonly ReadRow[]): NumberRoles[] {
  const roles = columnsByRole(region)
  const lines = rows.filter(({ kind, torn }) => kind === 'line' && torn === undefined)
  const units = unitsColumn(region, roles, lines)
  const unitsOf = (row: ReadRow) =>
    stated(row, region, roles) ?? (units === undefined ? undefined : countOf(row.cells.get(units)?.text ?? ''))
  const rates = candidates(region, ['rate', 'money', 'list'], units)
  const costs = [...candidates(region, ['cost', 'money', 'total', 'rate'], units), ...unknownMoney(region, lines)]
  let best: { rate: number; cost: number; ties: number } | undefined
  for (const rate of rates) {
    for (const cost of costs) {
      if (rate === cost) continue
      const ties = tied(lines, rate, cost, unitsOf)
      if (ties > 0 && (best === undefined || ties > best.ties || (ties === best.ties && isPlainer(region, { rate, cost }, best))))
        best = { rate, cost, ties }
    }
  }
  const basis = (...columns: (number | undefined)[]) =>
    columns.map((at) => (at === undefined ? undefined : region.headings[at]?.named?.basis)).find((of) => of !== undefined)
  if (best !== undefined) return [{ units, rate: best.rate, cost: best.cost, basis: basis(best.rate, best.cost), certainty: 'proven' }]
  const [named, ...others] = candidates(region, ['rate'], units)
  const [cost] = candidates(region, ['cost'], units)
  const amounts = candidates(region, ['cost', 'money', 'total'], units).filter((at) =>
    lines.some((row) => amountOf(row.cells.get(at)?.text ?? '') !== undefined),
  )
  const isPriced = named !== undefined && lines.some((row) => !isZero(row.cells.get(named)?.text))
  // A table that states amounts which no price comes to is not understood.
  if (named !== undefined && (others.length === 0 || isList(region)))
    return [
      {
        units,
        rate: named,
        cost,
        basis: basis(named, cost),
        certainty: amounts.length > 0 && isPriced ? 'none' : gapless(lines, named) ? 'named' : 'none',
      },
    ]
  const [money, ...more] = candidates(region, ['money', 'total'], units).filter((at) => lines.some((row) => row.cells.has(at)))
  if (named === undefined && money !== undefined && more.length === 0) {
    return [
      { units, rate: money, cost: undefined, basis: basis(money), certainty: 'open' },
      { units, rate: undefined, cost: money, basis: basis(money), certainty: 'open' },
    ]
  }
  return [{ units, rate: undefined, cost, basis: undefined, certainty: 'none' }]
}

function isZero(text: string | undefined): boolean {
  const amount = text === undefined ? undefined : amountOf(text)
  return amount === undefined || sameAmount(amount, 0)
}

/** Returns true if each row that is no bonus has its price: where one lacks it, those below may have moved up or down. */
function gapless(lines: readonly ReadRow[], rate: number): boolean {
  const prices = new Set(lines.flatMap((row) => row.cells.get(rate)?.text ?? []))
  return prices.size <= 1 || lines.every((row) => row.isBonus || row.cells.has(rate))
}

function candidates({ headings, dates }: Region, roles: readonly Role[], units: number | undefined): number[] {
  return headings.flatMap(({ named }, at) =>
    named !== undefined && roles.includes(named.role) && at !== units && !dates.has(at) ? [at] : [],
  )
}

/** Of two readings that hold alike, the one whose headings say so: a cost that is named gross, and a rate that is named rate. */
function isPlainer({ headings }: Region, a: { rate: number; cost: number }, b: { rate: number; cost: number }): boolean {
  const plain = ({ rate, cost }: { rate: number; cost: number }) =>
    Number(headings[rate]?.named?.role === 'rate') + Number(headings[cost]?.named?.role === 'cost')
  return plain(a) > plain(b)
}

/** Counts the rows of which rate times units is the cost; a row of one unit, or without a price, says nothing. */
function tied(lines: readonly ReadRow[], rate: number, cost: number, unitsOf: (row: ReadRow) => number | undefined): number {
  let ties = 0
  let of = 0
  for (const row of lines) {
    const [price, amount, units] = [amountOf(row.cells.get(rate)?.text ?? ''), amountOf(row.cells.get(cost)?.text ?? ''), unitsOf(row)]
    if (price === undefined || amount === undefined || units === undefined || sameAmount(price, 0)) continue
    of += 1
    if (sameAmount(price.times(decimal(units)), amount)) ties += 1
  }
  return ties * 2 >= of ? ties : 0
}

/** Returns the column of a row's units: the one that the weeks sum to, by preference one that is named so. */
function unitsColumn(region: Region, roles: ByRole, lines: readonly ReadRow[]): number | undefined {
  const named = roles.of('units')
  const perhaps = [...named, ...roles.of('total'), ...unknownColumns(region, lines).filter((at) => !roles.weekdays.includes(at))]
  const ties = perhaps.map((at) => lines.filter((row) => stated(row, region, roles) === countOf(row.cells.get(at)?.text ?? '')).length)
  const max = Math.max(0, ...ties)
  const isSummed = lines.some((row) => stated(row, region, roles) !== undefined)
  if (isSummed && max * 2 > lines.length) return perhaps[ties.indexOf(max)]
  // Two columns of units of a list have to agree (`otherUnits`).
  return named.length === 1 || (isList(region) && region.dates.size === 0) ? named[0] : undefined
}

/** Columns whose heading is not understood, with counts in them. */
function unknownColumns({ headings, dates }: Region, lines: readonly ReadRow[]): number[] {
  return headings.flatMap(({ named }, at) =>
    named === undefined && !dates.has(at) && lines.some((row) => countOf(row.cells.get(at)?.text ?? '') !== undefined) ? [at] : [],
  )
}

/** Returns the spots of all weeks of a row that states them for each; undefined if it does not say how many weeks. */
function timesWeeks(row: ReadRow, of: ByRole['of']): number | undefined {
  const count = (role: Role) => countOf(row.cells.get(of(role)[0] ?? -1)?.text ?? '')
  const [each, weeks] = [count('perWeek'), count('weekCount')]
  return each === undefined || weeks === undefined ? undefined : each * weeks
}

/** Columns whose heading is not understood, with money in them: arithmetic may show what it is. */
function unknownMoney({ headings, dates }: Region, lines: readonly ReadRow[]): number[] {
  return headings.flatMap(({ named }, at) =>
    named === undefined && !dates.has(at) && lines.some((row) => amountOf(row.cells.get(at)?.text ?? '') !== undefined) ? [at] : [],
  )
}

/** Returns the sum of what a row states under its dates or weekdays; undefined if it has neither. */
export function stated(row: ReadRow, { dates }: Region, { weekdays, of }: ByRole): number | undefined {
  // Where the row has spots a week, the weekdays hold marks.
  if (dates.size === 0 && of('perWeek').length > 0) return timesWeeks(row, of)
  const columns = dates.size > 0 ? [...dates.keys()] : weekdays
  if (columns.length === 0) return undefined
  const counts = columns.map((at) => unitsIn(row.cells.get(at)?.text ?? '') ?? 0)
  return counts.reduce((sum, count) => sum + count, 0)
}
