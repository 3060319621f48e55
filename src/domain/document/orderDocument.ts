import type { LineDoubt } from '../../contract/documentParse.ts'
import type { Period } from '../../contract/scalars.ts'
import { weekOf } from '../calendar.ts'
import { sameAmount } from '../decimal.ts'
import type { Sheet } from './cells.ts'
import { named, type Role } from './headings/vocabulary.ts'
import type { LinePeriod, OrderLine } from './lines.ts'
import { rowsOf } from './page/rows.ts'
import type { Equation } from './proof/index.ts'
import type { DocumentReading, ReadLine } from './readDocument.ts'
import type { OrderReading } from './readOrder.ts'
import type { RefusalKind } from './refusals.ts'
import { regionsOf } from './regions.ts'
import type { ReadTotal } from './statedTotals.ts'

/**
 * Returns true for a list of published products: its first table names products and says neither days nor windows. Such a list is read by the
 * words of its columns (`readDocument`); any other document is read as an order for airtime (`readOrder`).
 */
export function isProductList(sheets: readonly Sheet[], anchor: () => string): boolean {
  const table = regionsOf(sheets, anchor).regions.find(({ kind }) => kind === 'lines')
  if (table !== undefined) return namesProducts(table.headings.flatMap(({ named: own }) => own?.role ?? []))
  return sheets.some((sheet, at) =>
    rowsOf(sheet, at).some(({ cells }) => namesProducts(cells.flatMap(({ text }) => named(text)?.role ?? []))),
  )
}

function namesProducts(roles: readonly Role[]): boolean {
  return roles.includes('product') && roles.length >= 3 && !roles.some((role) => role === 'days' || role === 'window' || role === 'start')
}

/** Returns an order's reading in the form of a document: one line a row and week or day, what may be wrong about it, and the totals that are stated. */
export function orderDocument(order: OrderReading): DocumentReading {
  if (order.refusal !== undefined) return { unreadable: REFUSED[order.refusal] }
  const lines: ReadLine[] = []
  const doubts: LineDoubt[][] = []
  const places: { readonly line: number; readonly start: string | undefined }[] = []
  order.lines.forEach((line, at) => {
    const own = doubtsOf(order, at)
    // A row that states no units orders nothing; one whose units cannot be read is asked.
    const periods: (LinePeriod | undefined)[] = line.periods.length > 0 ? [...line.periods] : own.length > 0 ? [undefined] : []
    for (const period of periods) {
      lines.push(readOf(line, period))
      doubts.push(own)
      places.push({ line: at, start: period?.start })
    }
  })
  return { lines, doubts, totals: order.equations.flatMap((equation) => totalOf(equation, places) ?? []) }
}

const REFUSED: Record<RefusalKind, string> = {
  image: 'its pages are images without text',
  prose: 'it orders in sentences, not in a table',
  'copy instruction': 'it is a copy instruction, which orders no airtime',
  log: 'it is a log of airings, not an order',
  invoice: 'it is an invoice, not an order',
  'no order': 'none of its tables has lines below headings that name airtime, units and prices',
}

function readOf(line: OrderLine, period: LinePeriod | undefined): ReadLine {
  const { at, stated } = line
  const value = (read: string | undefined, cell = at) => (read === undefined || read === '' ? undefined : { read, at: cell })
  const bought = line.product ?? line.program
  const window = line.start === undefined || line.end === undefined ? {} : { start: { read: line.start, at }, end: { read: line.end, at } }
  const members = {
    product: value(bought),
    network: value(line.network),
    spot_length: value(line.length === undefined ? stated.length?.text : String(line.length), stated.length?.at),
    unit_cost: value(line.rate?.toFixed() ?? (line.kind === 'bonus' ? '0' : stated.rate?.text), stated.rate?.at),
    row: value(line.row),
    program: value(line.program),
    days: value(line.days?.join(' ')),
    basis: value(line.basis),
    kind: value(line.kind),
  }
  const dated = period === undefined ? {} : { period: periodOf(period), units: { read: String(period.units), at: period.at } }
  return { ...(Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as ReadLine), ...window, ...dated }
}

/** A span of several weeks is no period that a line can book. */
function periodOf({ grain, start, end, at }: LinePeriod): NonNullable<ReadLine['period']> {
  if (grain === 'flight') return { read: `${start} - ${end}`, at }
  const value: Period = grain === 'week' ? { grain, start: weekOf(start) } : { grain, start }
  return { read: start, at, value }
}

/** What a line may say wrong: a line in doubt is to be stated whole. A total that does not tie is acknowledged with the totals. */
function doubtsOf({ lines, stops, equations, questions }: OrderReading, at: number): LineDoubt[] {
  const contradicted = equations.filter(({ ties, lines: summed }) => !ties && summed.includes(at)).length
  const own = stops[at] ?? []
  const others = own.filter((stop) => !stop.startsWith('The document states'))
  const unknown = questions.find(({ kind, lines: asked }) => kind === 'rows' && asked.length === 0)
  const message = others[0] ?? unknown?.message ?? (contradicted > 0 ? own[0] : undefined)
  const doubts = message === undefined ? [] : ['product_id', 'period', 'units', 'rate'].map((field) => ({ field, message }))
  if (doubts.length > 0 || lines[at]?.basis !== 'net') return doubts
  return [{ field: 'rate', message: 'The document states a net price, and prices are published gross; choose the price.' }]
}

/** Returns a total with the lines of the weeks that it sums; a count of lines, and a total in whole units of money, compare nothing exactly. */
function totalOf(
  { of, read, at, stated, ties, computed, fees, lines, start }: Equation,
  places: readonly { line: number; start: string | undefined }[],
): ReadTotal | undefined {
  if (of === 'lines' || (ties && !stated.eq(computed))) return undefined
  const summed = new Set(lines)
  const own = places.flatMap((place, index) => (summed.has(place.line) && (start === undefined || place.start === start) ? [index] : []))
  if (own.length === 0 && ties) return undefined
  return {
    of: of === 'cost' ? 'gross' : 'units',
    read,
    at,
    value: stated.toFixed(),
    ...(fees === undefined || sameAmount(fees, 0) ? {} : { fees: fees.toFixed() }),
    ...(own.length === places.length ? {} : { lines: own }),
  }
}
