import { addDays } from '../calendar.ts'
import type { Row, Sheet } from './cells.ts'
import { textOf } from './cells.ts'
import { withContentsNamed, withDatesNamed } from './headings/contents.ts'
import type { DatedColumn } from './headings/dates.ts'
import { type Calendar, datesOf, yearsFor } from './headings/dates.ts'
import { type Heading, type HeadingBlock, headingBlocks } from './headings/index.ts'
import { datedHeadings } from './headings/parts.ts'
import { type SequenceChoice, sequencesFor } from './headings/sequences.ts'
import { type PlacedRow, placed } from './page/bands.ts'
import { isNumeric } from './page/numeric.ts'
import { rowsOf } from './page/rows.ts'
import { type Span, spanIn, WEEK_OF, yearDatesIn } from './values/dates.ts'

/** A table: rows below headings, over as many pages as its headings repeat or continue on. */
export interface Region {
  readonly kind: HeadingBlock['kind']
  readonly headings: readonly Heading[]
  readonly dates: ReadonlyMap<number, DatedColumn>
  readonly rows: readonly PlacedRow[]
  /** The text above its headings, such as the market of the table. */
  readonly title: string
  readonly sheet: number
  readonly layout: 'grid' | 'page'
  /** The columns of its dates, if they cannot be read. */
  readonly undated: readonly number[]
  /** Why its dates cannot be read. */
  readonly fault?: DatesFault | undefined
  readonly counted: boolean
  /** The table of the weeks below its lines. */
  readonly subrows?: readonly { readonly headings: readonly Heading[]; readonly row: PlacedRow }[]
}

export interface DatesFault {
  readonly kind: 'year' | 'dates'
  readonly message: string
  /** The years of dates that print none. */
  readonly years: readonly number[]
  /** What the columns may be whose dates are no sequence. */
  readonly sequences: readonly SequenceChoice[]
}

/** What stands outside of tables. */
export interface Regions {
  readonly regions: readonly Region[]
  /** Rows outside of tables and below summary titles, for what they state. */
  readonly around: readonly Row[]
  readonly calendar: Calendar
}

const SUMMARY = /^\s*(summary\b|monthly (totals|breakdown)|totals? by\b|recap\b|week no\b)/i

/** Divides the sheets into tables: headings open one, other headings or the title of a summary close it; pages continue the one before. */
export function regionsOf(sheets: readonly Sheet[], anchor: () => string): Regions {
  const rowsBySheet = sheets.map((sheet, index) => rowsOf(sheet, index))
  const calendar: Calendar = { spans: spansOf(rowsBySheet.flat()), anchor }
  const opens: Open[] = []
  const around: Row[] = []
  let open: Open | undefined
  sheets.forEach((sheet, index) => {
    const rows = rowsBySheet[index] ?? []
    const blocks = headingBlocks(rows, sheet.layout)
    if (sheet.layout === 'grid') open = undefined
    let isSummary = false
    let at = 0
    while (at < rows.length) {
      const block = blocks.find(({ from }) => from === at)
      const row = rows[at] as Row
      if (block !== undefined) {
        // Below the title of a summary, only what says weeks again is of lines.
        const isSum = block.kind === 'summary' || (block.kind === 'lines' && !saysWeeks(block))
        const isOwn = block.kind !== 'subrows' && !(isSum && isSummary)
        if (isOwn) open = opened(opens, open, block, { rows, sheet, index })
        if (isOwn && block.kind === 'lines') isSummary = false
        if (block.kind === 'subrows' && open !== undefined) open.sub = block.headings
        at = block.to
        continue
      }
      if (SUMMARY.test(textOf(row))) {
        isSummary = true
        open = undefined
      }
      // What stands above the headings of a page is no row of the table that continues on it.
      const isHead =
        (blocks.some(({ from, kind }) => from > at && kind !== 'summary' && kind !== 'subrows') &&
          (open === undefined || open.sheet !== index)) ||
        isFurniture(row, rowsBySheet)
      if (open === undefined || isHead || isSummary) around.push(row)
      else open.rows.push({ row, sub: open.sub })
      at += 1
    }
  })
  return { regions: opens.map((own) => closed(own, calendar)), around, calendar }
}

function saysWeeks({ headings }: HeadingBlock): boolean {
  const dating = ['weekOf', 'dates', 'startDate', 'perWeek']
  return datedHeadings(headings).length > 0 || headings.some(({ named }) => named !== undefined && dating.includes(named.role))
}

/** The most numbers in the head or the foot of a page. */
const FURNITURE_NUMBERS = 2

/** What stands at the same height with the same words on another page is the head or the foot of the pages. */
function isFurniture(row: Row, pages: readonly (readonly Row[])[]): boolean {
  // A copy of the order repeats its lines too.
  if (row.cells.filter(isNumeric).length > FURNITURE_NUMBERS) return false
  const text = masked(row)
  return pages.some((rows, page) => page !== row.sheet && rows.some((other) => Math.abs(other.y - row.y) < 2 && masked(other) === text))
}

/** The number of a page differs from page to page. */
function masked(row: Row): string {
  return textOf(row).replace(/\b(page:?)\s*\d+(\s*(of|\/)\s*\d+)?|^\d+\/\d+$/gi, '$1')
}

interface Open {
  readonly rows: { row: Row; sub: readonly Heading[] | undefined }[]
  readonly block: HeadingBlock
  readonly title: string
  /** The sheet that it begins on. */
  readonly first: number
  readonly layout: Sheet['layout']
  sub: readonly Heading[] | undefined
  sheet: number
}

interface Where {
  readonly rows: readonly Row[]
  readonly sheet: Sheet
  readonly index: number
}

/** Opens a table, or continues the one before where its headings repeat. */
function opened(opens: Open[], before: Open | undefined, block: HeadingBlock, { rows, sheet, index }: Where): Open {
  if (before !== undefined && before.sheet !== index && sheet.layout === 'page' && isRepeated(before.block, block)) {
    before.sheet = index
    return before
  }
  const isContinued = block.kind === 'dates' && before !== undefined
  const headings = isContinued ? inherited(before.block.headings, block.headings) : block.headings
  const kind = isContinued ? before.block.kind : block.kind
  const above = rows[block.from - 1]
  // The title of a table is no row of the one before.
  if (above !== undefined && before?.rows.at(-1)?.row === above && !above.cells.some(isNumeric)) before.rows.pop()
  const own: Open = {
    rows: [],
    block: { ...block, headings, kind },
    title: above === undefined ? '' : textOf(above),
    first: index,
    layout: sheet.layout,
    sub: undefined,
    sheet: index,
  }
  opens.push(own)
  return own
}

/** Places the rows of a table below its headings, once all of its pages are known. */
function closed({ rows, block, title, first, layout }: Open, calendar: Calendar): Region {
  const { kind } = block
  const below = placed(
    rows.map(({ row }) => row),
    block.headings,
    layout,
  )
  const headings = withContentsNamed(withDatesNamed(block.headings, below), below)
  const dated = datesOf(headings, calendar)
  const isWeek = (row: Row) => /^week:?$/i.test(row.cells[0]?.text ?? '')
  const weeks = rows.filter(({ row, sub }) => sub !== undefined && isWeek(row))
  const own = rows.filter((each) => !weeks.includes(each)).map(({ row }) => row)
  const subrows = weeks.map(({ row, sub = [] }) => ({ headings: sub, row: placed([row], sub, layout)[0] as PlacedRow }))
  const isDated = 'columns' in dated
  return {
    kind,
    headings,
    title,
    sheet: first,
    layout,
    rows: placed(own, headings, layout),
    subrows,
    dates: isDated ? dated.columns : new Map(),
    undated: isDated ? [] : dated.at,
    counted: isDated && dated.counted === true,
    fault: isDated
      ? undefined
      : {
          kind: dated.fault,
          message: dated.message,
          years: dated.fault === 'year' ? yearsFor(headings, calendar) : [],
          sequences: dated.fault === 'dates' ? sequencesFor(headings, calendar) : [],
        },
  }
}

/** Headings repeat on the next page with the same words at the same places. */
function isRepeated(before: HeadingBlock, block: HeadingBlock): boolean {
  const key = ({ headings }: HeadingBlock) => headings.map(({ text, left }) => `${text}@${Math.round(left / 3)}`).join('|')
  return before.kind === block.kind && key(before) === key(block)
}

/** New dates below other headings stand in place of the dates that stood there. */
function inherited(headings: readonly Heading[], dates: readonly Heading[]): Heading[] {
  const first = Math.min(...dates.map(({ left }) => left))
  const last = Math.max(...dates.map(({ right }) => right))
  return [...headings.filter(({ left, right }) => right <= first || left >= last), ...dates].sort((a, b) => a.left - b.left)
}

const FLIGHT = /flight|period|campaign|contract dates|week of|schedule|dates/i

/** `Week of 6/3/2030` is a span of seven days. */
function weekIn(text: string): Span | undefined {
  const [first, ...others] = WEEK_OF.test(text) ? yearDatesIn(text) : []
  return first === undefined || others.length > 0 ? undefined : { first, last: addDays(first, 6) }
}

/** Returns the spans that the document states outside of its tables: first those that are named as its flight. */
function spansOf(rows: readonly Row[]): { first: string; last: string }[] {
  const spans = rows.flatMap((row) => {
    const text = textOf(row)
    const span = spanIn(text) ?? weekIn(text)
    return span === undefined || text.length > 400 ? [] : [{ ...span, isNamed: FLIGHT.test(text) }]
  })
  const apart = rows.map(textOf).flatMap((text) => {
    const [start, end] = [/(?:flight )?start(?: date)?:?\s*(\S+)/i.exec(text)?.[1], /end(?: date)?:?\s*(\S+)/i.exec(text)?.[1]]
    return [{ start: yearDatesIn(start ?? '')[0], end: yearDatesIn(end ?? '')[0] }]
  })
  const [start, end] = [apart.find((each) => each.start !== undefined)?.start, apart.find((each) => each.end !== undefined)?.end]
  const both = start !== undefined && end !== undefined && start <= end ? [{ first: start, last: end, isNamed: true }] : []
  return [...both, ...spans.filter(({ isNamed }) => isNamed), ...spans.filter(({ isNamed }) => !isNamed)].map(({ first, last }) => ({
    first,
    last,
  }))
}
