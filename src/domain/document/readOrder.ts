import { type Decimal, decimal, sameAmount } from '../decimal.ts'
import type { Built } from './alternatives.ts'
import type { Row, Sheet } from './cells.ts'
import { textOf } from './cells.ts'
import { concluded, type OrderReading } from './conclude.ts'
import { weekdayColumns } from './headings/compose.ts'
import { isList, type Role } from './headings/vocabulary.ts'
import type { Stated } from './lengths.ts'
import { linesOf, NO_PRICE, type OrderLine } from './lines.ts'
import { withSpilled } from './page/spill.ts'
import { subrowRate } from './periods.ts'
import { type Fee, prove, type ReadRegion } from './proof/index.ts'
import { refusalOf } from './refusals.ts'
import { type Region, regionsOf } from './regions.ts'
import { type NumberRoles, numberRoles } from './roles.ts'
import type { ReadRow } from './rowKinds.ts'
import { dateOrderOf } from './rowPeriod.ts'
import { readRows } from './rows.ts'
import { statedAbove, type Terms } from './terms.ts'
import { amountOf, countOf, secondsOf } from './values/amounts.ts'

/**
 * Reads a document. The steps, in their order: `page` finds rows of cells, `regions` and `headings` the tables and their columns, `rows` what each
 * row is, `roles` what the columns of numbers are, `lines` what is ordered, `proof` whether the document's own totals agree. A line is taken as it
 * stands only if nothing about it is in doubt and no total contradicts it.
 */
export function readOrder(pages: readonly Sheet[], anchor: () => string): OrderReading {
  const { sheets, joined } = withSpilled(pages)
  const regions = regionsOf(sheets, anchor)
  const tables = withoutRecaps(regions.regions.filter(({ kind }) => kind === 'lines'))
  if (tables.length === 0) return { ...NOTHING, refusal: refusalOf(sheets, regions, false) }
  const length = statedLength(regions.around.map(textOf))
  const rows = tables.map(readRows)
  const order = dateOrderOf(tables, rows)
  const readings = tables.map((region, at) => numberRoles(region, rows[at] as ReadRow[]))
  const above = tables.map((region) => termsAbove(region, regions.around))
  const built = best(
    readings,
    (numbers) => assemble(tables, rows, numbers, { length, anchor, order, above, spans: regions.calendar.spans }),
    regions.around,
  )
  const isOrder = built.lines.some(({ periods, unread }) => periods.length > 0 || unread.some(({ units }) => units !== undefined))
  const other = isOrder ? undefined : refusalOf(sheets, regions, false)
  if (built.lines.length === 0 || !tables.some(saysUnits) || (other !== undefined && other !== 'no order' && other !== 'prose'))
    return { ...NOTHING, refusal: other ?? 'no order' }
  const isSpilled =
    joined &&
    tables.some(({ headings, dates }) =>
      [...dates.keys()].some((at) => headings[at]?.tokens.some((token) => token.at !== headings[0]?.tokens[0]?.at)),
    )
  return concluded(built, isSpilled, regions.regions, { around: regions.around, names: sheets.map(({ name }) => name) })
}

/** A table of prices, such as a rate card, has no column in which anything could be ordered. */
function saysUnits({ headings, dates, undated, subrows = [] }: Region): boolean {
  const counting = ['units', 'total', 'perWeek', 'impressions']
  return (
    dates.size + undated.length + subrows.length + weekdayColumns(headings).length > 0 ||
    headings.some(({ named }) => named === undefined || counting.includes(named.role))
  )
}

/** Beside tables that say when lines air, one of dayparts, stations or months with units and money sums these lines up. */
function withoutRecaps(tables: readonly Region[]): Region[] {
  const isRecap = (table: Region) =>
    table.dates.size + table.undated.length === 0 &&
    table.headings.every(({ named }) => named === undefined || RECAPPED.includes(named.role))
  return tables.some((table) => !isList(table)) ? tables.filter((table) => !isRecap(table)) : [...tables]
}

const RECAPPED: readonly Role[] = [
  'daypart',
  'network',
  'market',
  'dates',
  'length',
  'units',
  'total',
  'money',
  'cost',
  'impressions',
  'ignored',
]

const NOTHING: Omit<OrderReading, 'refusal'> = { lines: [], stops: [], fees: [], equations: [], questions: [], ignored: [], counted: false }

/** Of the readings that the headings leave open, takes the one that the totals of the document agree with, if that is one. */
function best(
  choices: readonly (readonly NumberRoles[])[],
  build: (numbers: readonly NumberRoles[]) => Omit<Built, 'proof'>,
  around: Parameters<typeof prove>[2],
): Built {
  const readings = [0, 1].map((choice) => choices.map((of) => of[choice] ?? (of[0] as NumberRoles)))
  const isOpen = choices.some((of) => of.length > 1)
  const all = (isOpen ? readings : readings.slice(0, 1)).map((numbers) => {
    const built = build(numbers)
    return { ...built, proof: prove(built.regions, built.lines, around) }
  })
  const isProven = ({ proof }: Built) => proof.equations.some(({ of, scope, ties }) => of === 'cost' && scope === 'total' && ties)
  return (
    all.find((built) => isProven(built) && built.proof.equations.every(({ ties, of }) => ties || of !== 'cost')) ??
    (all.find(isProven) as Built | undefined) ??
    (all[0] as Built)
  )
}

function assemble(
  tables: readonly Region[],
  rows: readonly (readonly ReadRow[])[],
  numbers: readonly NumberRoles[],
  { above, ...stated }: Omit<Stated, 'region' | 'above'> & { readonly above: readonly Terms[] },
): Omit<Built, 'proof'> {
  const lines: OrderLine[] = []
  const regions = tables.map((region, at): ReadRegion => {
    const [own, roles] = [rows[at] as ReadRow[], numbers[at] as NumberRoles]
    const terms = above[at] ?? {}
    const length = secondsOf(terms.spot_length?.read ?? '') ?? stated.length
    const made = linesOf(region, own, roles, { ...stated, length, above: terms, region: at })
    let next = 0
    const lineOf = own.map((row) => {
      if (row.kind !== 'line') return undefined
      const line = made[next] as OrderLine
      next += 1
      lines.push(withSubrowRate(line, row))
      return lines.length - 1
    })
    return {
      region,
      rows: own,
      numbers: roles,
      lineOf,
      fees: own.map((row) => (row.kind === 'fee' ? feeOf(row, region, roles) : undefined)),
    }
  })
  return { regions, lines }
}

/** The most rows above a table that state something of it. */
const NEAR = 60

/** Returns the terms that stand above a table, the nearest first; an order for airtime states its station so, and nothing else of its prices. */
function termsAbove(region: Region, around: readonly Row[]): Terms {
  const top = region.headings[0]?.tokens[0]?.y ?? 0
  const before = around.filter(({ sheet, y }) => sheet < region.sheet || (sheet === region.sheet && y < top))
  const { network, ...others } = statedAbove(before.slice(-NEAR).reverse())
  return { ...(network === undefined ? {} : { network }), ...(isList(region) ? others : {}) }
}

function withSubrowRate(line: OrderLine, row: ReadRow): OrderLine {
  const below = row.weeks.length > 0 ? subrowRate(row) : undefined
  if (below === undefined) return line
  return {
    ...line,
    rate: below.rate,
    kind: sameAmount(below.rate, 0) ? 'bonus' : 'paid',
    stated: { ...line.stated, rate: below.cell },
    doubts: line.doubts.filter(({ message }) => message !== NO_PRICE),
  }
}

function feeOf(row: ReadRow, { dates }: Region, { rate, cost, units }: NumberRoles): Fee | undefined {
  const cell = [cost, rate]
    .map((at) => (at === undefined ? undefined : row.cells.get(at)))
    .find((of) => of !== undefined && amountOf(of.text) !== undefined)
  const amount: Decimal | undefined = cell === undefined ? undefined : amountOf(cell.text)
  const period = [...dates].find(([at]) => (countOf(row.cells.get(at)?.text ?? '') ?? 0) > 0)?.[1].start
  return {
    text: row.label,
    amount: amount ?? decimal(0),
    units: countOf(units === undefined ? '' : (row.cells.get(units)?.text ?? '')) ?? 0,
    at: row.at,
    period,
  }
}

/** Returns the length that a document states once for all of its spots. */
function statedLength(texts: readonly string[]): number | undefined {
  const lengths = new Set(
    texts.flatMap((text) => {
      const found = /\blength ?:? ?: ?(\d{2})\b/i.exec(text) ?? /(?:^|[\s(-]):(\d{2})\s?sec(?:ond)?s\b/i.exec(text)
      return found === null ? [] : [Number(found[1])]
    }),
  )
  return lengths.size === 1 ? [...lengths][0] : undefined
}

export type { OrderReading } from './conclude.ts'
