import { mondayOfDate } from '../../src/domain/calendar.ts'
import { sameAmount } from '../../src/domain/decimal.ts'

/** What a reader would let pass of a document. */
export interface Reading {
  readonly document: string
  readonly verdict: 'read' | 'ask' | 'refuse'
  readonly refusal?: string | undefined
  readonly rows: readonly ReadingRow[]
}

export interface ReadingRow {
  readonly start: string
  readonly units: number
  readonly rate: string | null
  readonly length: number | null
  readonly basis: 'gross' | 'net' | null
  /** When and what it airs, as far as it is read. */
  readonly days?: readonly string[] | undefined
  readonly window?: { readonly start: string; readonly end: string } | undefined
  readonly program?: string | undefined
  /** The reader asks about the row before it is booked. */
  readonly stopped: boolean
}

/** The expected reading of a document, as `README.md` describes it. */
export interface Expected {
  readonly document: string
  readonly kind: string
  readonly verdict: Reading['verdict']
  readonly refusal?: string
  readonly also?: string
  readonly weeks_also?: boolean
  readonly options?: readonly unknown[]
  readonly lines: readonly {
    readonly rate: string | null
    readonly length: number
    readonly basis: string
    readonly days?: readonly string[] | null
    readonly start?: string | null
    readonly end?: string | null
    readonly program?: string | null
    readonly periods: readonly { readonly start: string; readonly units: number }[]
  }[]
}

export type Mark = 'right' | 'safe' | 'WRONG'
export interface Score {
  readonly mark: Mark
  readonly why: string
}

const ORDER: readonly Mark[] = ['right', 'safe', 'WRONG']

/**
 * Scores a reading. Right: the verdict is the expected one, every period of every line has its price and length, and nothing else passes; or the
 * refusal names the kind; or the question is asked. Safe: nothing wrong passes, but something is missing. WRONG: a row passes that the document
 * does not say.
 */
export function scored(expected: Expected, got: Reading | undefined): Score {
  if (expected.weeks_also === true) {
    const { weeks_also: _, ...plain } = expected
    const both = [scored(plain, got), scored({ ...plain, lines: expected.lines.map(byWeek) }, got)]
    return both.sort((a, b) => ORDER.indexOf(a.mark) - ORDER.indexOf(b.mark))[0] as Score
  }
  if (got === undefined) return { mark: 'safe', why: 'no reading' }
  const isNoOrder = expected.options !== undefined || expected.verdict === 'refuse' || expected.kind !== 'order'
  const want = isNoOrder
    ? []
    : expected.lines.flatMap(({ periods, start, end, ...line }) =>
        periods.map((period): Wanted => ({ ...line, ...period, window: { start, end } })),
      )
  const left = [...want]
  const wrong: ReadingRow[] = []
  let whole = 0
  for (const row of got.rows.filter(({ start, units, stopped }) => start !== '' && units > 0 && !stopped)) {
    const at = left.findIndex((of) => fits(row, of))
    const fit = left[at]
    if (fit === undefined) {
      wrong.push(row)
      continue
    }
    left.splice(at, 1)
    if (row.length !== null && (row.rate !== null || fit.rate === null)) whole += 1
  }
  const says = `${want.length - left.length} of ${want.length} periods, ${wrong.length} wrong rows${wrong.length === 0 ? '' : `, first ${JSON.stringify(wrong[0])}`}`
  if (wrong.length > 0) return { mark: 'WRONG', why: says }
  return verdictOf(expected, got, { says, isWhole: left.length === 0 && whole === want.length })
}

function verdictOf(expected: Expected, got: Reading, { says, isWhole }: { says: string; isWhole: boolean }): Score {
  const mark = (isRight: boolean): Mark => (isRight ? 'right' : 'safe')
  if (expected.verdict === 'refuse') {
    const isNamed = got.verdict === 'refuse' && got.refusal === expected.refusal
    return { mark: mark(isNamed), why: got.verdict === 'refuse' ? `refused as ${got.refusal}` : says }
  }
  if (expected.verdict === 'ask') {
    const isProved = expected.also === 'read' && got.verdict === 'read' && isWhole
    return { mark: mark(got.verdict === 'ask' || isProved), why: `${got.verdict}, ${says}` }
  }
  if (expected.kind !== 'order')
    return { mark: mark(got.verdict === 'refuse' && got.refusal !== undefined), why: `as an order: ${got.verdict}` }
  return { mark: mark(got.verdict === 'read' && isWhole), why: `${got.verdict}, ${says}` }
}

type Wanted = Omit<Expected['lines'][number], 'periods' | 'start' | 'end'> & {
  readonly start: string
  readonly units: number
  readonly window: { readonly start: string | null | undefined; readonly end: string | null | undefined }
}

function fits(row: ReadingRow, of: Wanted): boolean {
  return (
    airsAs(row, of) &&
    of.start === row.start &&
    of.units === row.units &&
    (row.rate === null || of.rate === null || sameAmount(row.rate, of.rate)) &&
    (row.length === null || row.length === of.length) &&
    (row.basis === null || of.basis === 'unknown' || row.basis === of.basis)
  )
}

/** Returns true if what is read of the airtime is what the document says; what is not read is no fault. */
function airsAs({ days, window, program }: ReadingRow, of: Wanted): boolean {
  // What the program's cell says of days and times may be read apart from it.
  const words = (text: string | null | undefined): string[] => (text ?? '').toLowerCase().match(/[a-z]{3,}/g) ?? []
  const said = words(of.program)
  const isOther = said.length > 0 && words(program).some((word) => !said.includes(word) && !/^(sat|sun|mon|tue|wed|thu|fri|and)/.test(word))
  return (
    (days === undefined || of.days === undefined || of.days === null || days.join() === of.days.join()) &&
    (window === undefined || (window.start === (of.window.start ?? '') && window.end === (of.window.end ?? ''))) &&
    !isOther
  )
}

/** Sums day periods by their week, for documents of which both readings are right. */
function byWeek(line: Expected['lines'][number]): Expected['lines'][number] {
  const weeks = new Map<string, number>()
  for (const { start, units } of line.periods) weeks.set(mondayOfDate(start), (weeks.get(mondayOfDate(start)) ?? 0) + units)
  return { ...line, periods: [...weeks].map(([start, units]) => ({ start, units })) }
}
