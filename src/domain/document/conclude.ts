import type { LayoutFamily } from '../../contract/vocabulary.ts'
import { sameAmount } from '../decimal.ts'
import { alternativesIn, type Built, type RelatedOrders } from './alternatives.ts'
import { textOf } from './cells.ts'
import { familyOf } from './family.ts'
import { wordsOf } from './headings/vocabulary.ts'
import type { OrderLine } from './lines.ts'
import { type Equation, type Fee, type ReadRegion, unitsOf } from './proof/index.ts'
import type { Choice, Question } from './question.ts'
import type { IgnoredRow } from './reading.ts'
import type { RefusalKind } from './refusals.ts'
import type { Region } from './regions.ts'
import { type CellsOf, cellsIn } from './rowCells.ts'
import { spanQuestion } from './spanWeeks.ts'
import { amountOf } from './values/amounts.ts'

/** A document as an order: its lines, what its totals say of them, and what has to be asked; or the kind of document that it is instead. */
export interface OrderReading {
  readonly refusal?: RefusalKind | undefined
  readonly lines: readonly OrderLine[]
  /** For each line, why it is not taken as it stands; empty if it is. */
  readonly stops: readonly (readonly string[])[]
  readonly fees: readonly Fee[]
  readonly equations: readonly Equation[]
  readonly questions: readonly Question[]
  readonly ignored: readonly IgnoredRow[]
  /** The cells of the row of a line. */
  readonly cellsOf?: CellsOf | undefined
  /** The words of the headings of its lines. */
  readonly headings?: string | undefined
  readonly family?: LayoutFamily | undefined
  /** True if a date was counted from the anchor. */
  readonly counted: boolean
}

/** Concludes what is taken as it stands, what is asked, and what is left out. */
export function concluded(
  { regions, lines, proof }: Built,
  isSpilled: boolean,
  all: readonly Region[],
  relatedOrders: RelatedOrders,
): OrderReading {
  const stops = lines.map((line): string[] => line.doubts.map(({ message }) => message))
  for (const { ties, lines: summed, read, at, computed } of proof.equations)
    if (!ties)
      for (const place of summed) stops[place]?.push(`The document states ${read} (${at}); its lines come to ${computed.toFixed()}.`)
  const questions: Question[] = []
  lines.forEach((line, place) => {
    const own = regions[line.region] as ReadRegion
    const unproven = whyUnproven(line, place, own, proof.equations)
    if (unproven !== undefined) stops[place]?.push(unproven)
  })
  if (isSpilled) for (const own of stops) own.push('The weeks of the table continue on further pages that do not repeat its rows.')
  const everyLine = lines.map((_, place) => place)
  const option = alternativesIn({ regions, lines, proof }, relatedOrders)
  if (option !== undefined) {
    const choices = [...option.parts].map(([text, orders]): Choice => ({ choice: text, text, orders }))
    questions.push({ kind: 'option', message: option.message, at: '', lines: everyLine, choices })
    for (const own of stops) own.push(option.message)
  }
  for (const row of proof.unknown) {
    const message = `Nobody can tell what this row is: ${textOf(row.row)}`
    const choices: Choice[] = [{ choice: 'no_line', text: 'It orders nothing.' }]
    questions.push({ kind: 'row', message, at: row.at, lines: everyLine, choices, label: wordsOf(row.label) })
    for (const own of stops) own.push(message)
  }
  const priceless = everyLine.filter((place) => stops[place]?.includes(NO_RATE) === true)
  if (priceless.length > 0)
    questions.push({
      kind: 'role',
      message: NO_RATE,
      at: '',
      lines: priceless,
      choices: pricesOf(regions, lines, priceless),
      label: 'unit price',
    })
  questions.push(...ofDates(all, everyLine))
  questions.push(...spanQuestion(lines))
  const fees = regions.flatMap((each) => each.fees.flatMap((fee) => fee ?? []))
  for (const fee of fees)
    questions.push({
      kind: 'fee',
      message: `The row "${fee.text}" of ${fee.amount.toFixed(2)} is no airtime; it is not booked.`,
      at: fee.at,
      lines: [],
      choices: [{ choice: 'leave_out', text: 'It is not booked.' }],
      label: wordsOf(fee.text),
    })
  const stopped = lines.flatMap((_, place) => ((stops[place]?.length ?? 0) > 0 && unitsOf(lines[place] as OrderLine) >= 0 ? [place] : []))
  if (stopped.length > 0)
    questions.push({ kind: 'rows', message: 'Lines cannot be taken as they stand.', at: '', lines: stopped, choices: [] })
  const ignored = regions.flatMap((each) =>
    each.rows.flatMap((row) =>
      row.kind === 'line' || row.kind === 'text' || row.kind === 'fee'
        ? []
        : [{ row: textOf(row.row), at: row.at, reason: row.kind === 'unknown' && !proof.unknown.includes(row) ? 'total' : row.kind }],
    ),
  )
  return {
    lines,
    stops,
    fees,
    equations: proof.equations,
    questions,
    ignored,
    counted: all.some(({ counted }) => counted),
    cellsOf: cellsIn(regions),
    headings: headingsOf(regions),
    family: familyOf(regions),
  }
}

/** One question for each kind of dates that cannot be read, of all tables that have them. */
function ofDates(all: readonly Region[], lines: readonly number[]): Question[] {
  const faulty = all.flatMap(({ fault, kind, headings }) =>
    fault === undefined || kind !== 'lines' ? [] : [{ ...fault, at: headings[0]?.tokens[0]?.at ?? '' }],
  )
  return (['year', 'dates'] as const).flatMap((kind): Question[] => {
    const own = faulty.filter((fault) => fault.kind === kind)
    const last = own.at(-1)
    if (last === undefined) return []
    const { message, at, years } = last
    if (kind === 'year')
      return [{ kind, message, at, lines, choices: years.map((year): Choice => ({ choice: String(year), text: String(year), year })) }]
    // What the columns of one table may be, those of the others have to be too.
    const choices = last.sequences.flatMap(({ choice, text }): Choice[] => {
      const same = own.flatMap(({ sequences }) => sequences.find((each) => each.choice === choice) ?? [])
      return same.length < own.length ? [] : [{ choice, text, periods: new Map(same.flatMap(({ periods }) => [...periods])) }]
    })
    return [{ kind: 'weeks', message, at, lines, choices }]
  })
}

/** The words of the headings of lines, without their dates and numbers. */
function headingsOf(regions: readonly ReadRegion[]): string {
  const own = regions
    .filter(({ lineOf }) => lineOf.some((line) => line !== undefined))
    .map(({ region: { headings, dates, undated } }) =>
      headings
        .map(({ text }, at) => (dates.has(at) || undated.includes(at) ? '' : wordsOf(text)))
        .filter((words, at, all) => words !== '' || all[at - 1] !== '')
        .map((words) => (words === '' ? 'date' : words))
        .join('|'),
    )
  return [...new Set(own)].sort().join('\n')
}

const NO_RATE = 'It is not certain which column is the price of a unit.'

/** Returns the columns that may be the price of a unit, by their headings: those with amounts in rows of the lines. */
function pricesOf(regions: readonly ReadRegion[], lines: readonly OrderLine[], asked: readonly number[]): Choice[] {
  const places = new Set(asked.map((place) => lines[place]?.region))
  const [at, ...others] = [...places]
  const region = regions[at ?? -1]
  if (region === undefined || others.length > 0) return []
  return region.region.headings.flatMap(({ text, named }, column): Choice[] => {
    const isMoneyColumn =
      named !== undefined && ['rate', 'money', 'cost', 'total', 'list'].includes(named.role) && column !== region.numbers.units
    const has =
      isMoneyColumn && region.rows.some(({ cells, kind }) => kind === 'line' && amountOf(cells.get(column)?.text ?? '') !== undefined)
    return has ? [{ choice: wordsOf(text), text, rate: column }] : []
  })
}

/**
 * Returns why a line is not proven enough to be taken: its units have to come to a number that its row or its weeks state, and its price to an
 * amount that its row or its order states, wherever the document states any; where it states none, its headings have to name units and rate.
 */
function whyUnproven(line: OrderLine, place: number, { numbers, region }: ReadRegion, equations: readonly Equation[]): string | undefined {
  const own = equations.filter(({ lines, ties }) => ties && lines.includes(place))
  const hasUnits = own.some(({ of }) => of === 'units')
  const hasMoney = own.some(({ of }) => of === 'cost')
  if (line.periods.length === 0) return undefined
  const isPriced = line.rate !== undefined && !sameAmount(line.rate, 0) && own.some(({ of, scope }) => of === 'cost' && scope === 'row')
  if (!hasUnits && !isPriced && region.layout === 'page') return 'Nothing in the document confirms the units of the row.'
  if (hasMoney) return undefined
  if (numbers.certainty === 'open' || numbers.certainty === 'none')
    return numbers.rate === undefined && line.kind === 'bonus' && line.rate === undefined ? undefined : NO_RATE
  return undefined
}
