import type { Role } from './headings/vocabulary.ts'
import type { Region } from './regions.ts'
import { BONUS, type ReadRow, saysWords, TOTAL } from './rowKinds.ts'
import { airtimeOf, saysWindow } from './values/airtime.ts'

/**
 * Joins rows of text to the line whose wrapped cells they hold. In a grid that is the line above. On a page, the rows of one line stand closer to
 * each other than to the next line, so the widest gap between two lines ends the upper one; where all gaps are alike, rows wrap as they do
 * elsewhere in the table. Where nothing tells, no line has the text.
 */
export function withContinuations(rows: readonly ReadRow[], region: Region): ReadRow[] {
  const added = new Map<number, ReadRow[]>()
  const owner = region.layout === 'grid' ? ownersInGrid(rows, region) : ownersOnPage(rows, region)
  for (const [at, line] of owner) added.set(line, [...(added.get(line) ?? []), rows[at] as ReadRow])
  return rows.map((row, at) => withTexts(row, added.get(at), region.headings))
}

function withTexts(row: ReadRow, more: readonly ReadRow[] | undefined, headings: Region['headings']): ReadRow {
  if (more === undefined) return row
  const texts = new Map<number, string>()
  for (const part of [...more, row].sort((a, b) => a.row.y - b.row.y))
    for (const [column, cell] of part.cells)
      if (part === row || (isWorded(headings[column]?.named?.role) && (saysWords(cell, undefined) || /^\d{3,4}[AP]$/i.test(cell.text))))
        texts.set(column, [texts.get(column), cell.text].filter((text) => text !== undefined).join(' '))
  const label = [row.label, ...more.map((part) => part.label)].join(' ')
  for (const [column, { text }] of row.cells) {
    const [own, joined] = [airtimeOf(text), airtimeOf(texts.get(column) ?? '')]
    const isSaid = more.some((part) => saysAirtime(part.cells.get(column)?.text ?? ''))
    const isLost =
      !isSaid && ((own.days !== undefined && joined.days === undefined) || (own.start !== undefined && joined.start === undefined))
    // Words that take away what a cell says are none of its own.
    if (isLost && ['days', 'window'].includes(headings[column]?.named?.role ?? '')) texts.set(column, text)
  }
  const told = [...row.cells].flatMap(([column, { text }]) =>
    more.some((part) => saysTwice(text, part.cells.get(column)?.text)) ? [text] : [],
  )
  const torn = told[0] === undefined ? row.torn : `"${told[0]}" and the text beside it both say when the row airs`
  return { ...row, texts, torn, isBonus: row.isBonus || BONUS.test(label) }
}

function saysAirtime(text: string): boolean {
  return airtimeOf(text).days !== undefined || saysWindow(text)
}

/** A cell that says its days and its window whole is not continued by other days or windows. */
function saysTwice(own: string, other: string | undefined): boolean {
  const { days, start } = airtimeOf(own)
  // `and` joins two windows of one line.
  if (other === undefined || days === undefined || start === undefined || /\band$|[&,-]$/i.test(other)) return false
  const more = airtimeOf(other)
  // A title may begin with the name of one day.
  const isDays = more.days !== undefined && (more.rest === '' || more.days.length > 1)
  return isDays || more.start !== undefined || DAYS_AT_END.test(other)
}

/** Days behind other words: `(BONUS) M-F`. */
const DAYS_AT_END = /\b(m|tu?|w|th?|f|sa?|su?|mon|tue|wed|thu|fri|sat|sun)-(f|sa|su?|sun|fri|sat)\b/i

/** A wrapped row has words below columns of words alone; one with a label in another column, such as `Station:`, states something of its own. */
function isWrapped(row: ReadRow, headings: Region['headings']): boolean {
  // A note begins with its mark.
  if (row.kind !== 'text' || TOTAL.test(row.label) || row.row.cells[0]?.text.startsWith('*') === true) return false
  if (row.row.cells.some(({ text }) => text.endsWith(':')) || isRemark(row)) return false
  if (row.loose.some(({ text }) => /\d/.test(text) && !/[A-Za-z]/.test(text))) return false
  return [...row.cells.keys()].every((at) => {
    const role = headings[at]?.named?.role
    return role === undefined || isWorded(role) || role === 'dates' || role === 'ignored'
  })
}

/** A sentence that runs on below the headings of other columns is no part of a cell, nor is what a word such as `Remarks:` introduces. */
function isRemark({ row, cells }: ReadRow): boolean {
  if (/^(remarks?|comments?|notes?|copy|instructions?)\b[^:]{0,20}:/i.test(row.cells[0]?.text ?? '')) return true
  return row.cells.some(
    ({ left, right, words }) =>
      words.length > 3 && [...cells.values()].filter((cell) => cell.left >= left - 0.5 && cell.right <= right + 0.5).length > 1,
  )
}

/** Columns of words, whose cells may wrap. */
function isWorded(role: Role | undefined): boolean {
  return role !== undefined && ['product', 'program', 'block', 'daypart', 'days', 'window', 'network', 'market', 'creative'].includes(role)
}

function ownersInGrid(rows: readonly ReadRow[], { headings }: Region): Map<number, number> {
  const owners = new Map<number, number>()
  let line: number | undefined
  rows.forEach((row, at) => {
    if (isOwner(row)) line = at
    // What stands below a sum is a title.
    else if (row.kind === 'total' || row.kind === 'unknown') line = undefined
    else if (isWrapped(row, headings) && line !== undefined && row.row.y - (rows[line]?.row.y ?? 0) <= 2) owners.set(at, line)
  })
  return owners
}

function isOwner({ kind }: ReadRow): boolean {
  return kind === 'line' || kind === 'fee' || kind === 'canceled'
}

/** Text rows between two others of a page. */
interface Run {
  readonly texts: readonly number[]
  readonly above: number | undefined
  readonly below: number | undefined
}

function runsOf(rows: readonly ReadRow[], { headings }: Region): Run[] {
  const runs: Run[] = []
  let at = 0
  while (at < rows.length) {
    const first = rows[at] as ReadRow
    let to = at
    while (to < rows.length && rows[to]?.row.sheet === first.row.sheet && isWrapped(rows[to] as ReadRow, headings)) to += 1
    if (to === at) {
      at += 1
      continue
    }
    const neighbour = (place: number) => {
      const row = rows[place]
      return row !== undefined && row.row.sheet === first.row.sheet && isOwner(row) ? place : undefined
    }
    runs.push({ texts: Array.from({ length: to - at }, (_, index) => at + index), above: neighbour(at - 1), below: neighbour(to) })
    at = to
  }
  return runs
}

type Wrap = 'down' | 'up'

function ownersOnPage(rows: readonly ReadRow[], region: Region): Map<number, number> {
  const runs = runsOf(rows, region)
  const y = (at: number) => rows[at]?.row.y ?? 0
  const gapsOf = ({ texts, above, below }: Run) => {
    const places = [above, ...texts, below].flatMap((at) => at ?? [])
    return places.slice(1).map((at, index) => y(at) - y(places[index] as number))
  }
  /** The number of rows of the run that are of the line above, where its gaps tell. */
  const splitOf = (run: Run): number | undefined => {
    const gaps = gapsOf(run)
    const widest = Math.max(...gaps)
    const [, second = 0] = [...gaps].sort((a, b) => b - a)
    return widest - second > widest * ALIKE ? gaps.indexOf(widest) : undefined
  }
  const wrap = wrapOf(rows, runs, splitOf)
  const owners = new Map<number, number>()
  for (const run of runs) {
    const { texts, above, below } = run
    const near = (at: number, by: number) => Math.abs(y(at) - y(by)) <= (rows[at]?.row.cells[0]?.size ?? 8) * MAX_LEADING
    const ofAbove =
      above === undefined
        ? 0
        : below === undefined
          ? texts.length
          : (splitOf(run) ?? (wrap === undefined ? 0 : wrap === 'down' ? texts.length : 0))
    const isToldApart = above === undefined || below === undefined || splitOf(run) !== undefined || wrap !== undefined
    if (!isToldApart) continue
    let last = above
    for (const at of texts.slice(0, ofAbove)) {
      if (above === undefined || last === undefined || !near(at, last)) break
      owners.set(at, above)
      last = at
    }
    last = below
    for (const at of texts.slice(ofAbove).reverse()) {
      if (below === undefined || last === undefined || !near(at, last) || isTitle(rows[at] as ReadRow, rows[below] as ReadRow)) break
      owners.set(at, below)
      last = at
    }
  }
  return owners
}

/** Gaps that differ by less than this share are alike. */
const ALIKE = 0.12
/** The most between two rows of one cell, in heights of its characters. */
const MAX_LEADING = 2.5

/** Tells how the cells of a table wrap: by the runs whose gaps tell, else by what stands below its last and above its first lines. */
function wrapOf(rows: readonly ReadRow[], runs: readonly Run[], splitOf: (run: Run) => number | undefined): Wrap | undefined {
  let [down, up] = [0, 0]
  for (const run of runs) {
    const split = run.above === undefined || run.below === undefined ? undefined : splitOf(run)
    if (split !== undefined) {
      down += split
      up += run.texts.length - split
    }
  }
  if (down === 0 && up === 0)
    for (const { texts, above, below } of runs) {
      if (above !== undefined && below === undefined) down += 1
      const last = rows[texts.at(-1) ?? -1]
      if (above === undefined && below !== undefined && last !== undefined && !isTitle(last, rows[below] as ReadRow)) up += 1
    }
  return down > 0 && up === 0 ? 'down' : up > 0 && down === 0 ? 'up' : undefined
}

/** Text above a line whose own cell there begins with its days is a title, not the beginning of that cell, unless it has days or times too. */
function isTitle(text: ReadRow, line: ReadRow): boolean {
  const { days, start } = airtimeOf(text.label)
  if (days !== undefined || start !== undefined || /\d[ap]?\b|\band$|[-,&]$/i.test(text.label)) return false
  return [...text.cells.keys()].some((column) => {
    const own = line.cells.get(column)?.text
    return own !== undefined && airtimeOf(own).days !== undefined
  })
}
