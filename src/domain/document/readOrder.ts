import { type Decimal, decimal, sameAmount } from '../decimal.ts'
import type { Sheet } from './cells.ts'
import { textOf } from './cells.ts'
import { linesOf, type OrderLine, subrowRate } from './lines.ts'
import { withSpilled } from './page/spill.ts'
import { type Equation, type Fee, type Proof, prove, type ReadRegion, unitsOf } from './proof/index.ts'
import { type RefusalKind, refusalOf } from './refusals.ts'
import { type Region, regionsOf } from './regions.ts'
import { type NumberRoles, numberRoles } from './roles.ts'
import { type ReadRow, readRows } from './rows.ts'
import { amountOf, countOf } from './values/amounts.ts'

export type QuestionKind = 'option' | 'role' | 'basis' | 'product' | 'fee' | 'bonus' | 'year' | 'weeks' | 'rows'

export interface Question {
  readonly kind: QuestionKind
  readonly message: string
  readonly at: string
  /** The positions of the lines that wait for it. */
  readonly lines: readonly number[]
}

/** A document as an order: its lines, what its totals say of them, and what has to be asked; or the kind of document that it is instead. */
export interface OrderReading {
  readonly refusal?: RefusalKind | undefined
  readonly lines: readonly OrderLine[]
  /** For each line, why it is not taken as it stands; empty if it is. */
  readonly stops: readonly (readonly string[])[]
  readonly fees: readonly Fee[]
  readonly equations: readonly Equation[]
  readonly questions: readonly Question[]
  readonly ignored: readonly { readonly row: string; readonly at: string; readonly reason: string }[]
  /** True if a date was counted from the anchor. */
  readonly counted: boolean
}

/**
 * Reads a document. The steps, in their order: `page` finds rows of cells, `regions` and `headings` the tables and their columns, `rows` what each
 * row is, `roles` what the columns of numbers are, `lines` what is ordered, `proof` whether the document's own totals agree. A line is taken as it
 * stands only if nothing about it is in doubt and no total contradicts it.
 */
export function readOrder(pages: readonly Sheet[], anchor: () => string): OrderReading {
  const { sheets, joined } = withSpilled(pages)
  const regions = regionsOf(sheets, anchor)
  const tables = regions.regions.filter(({ kind }) => kind === 'lines')
  if (tables.length === 0) return { ...NOTHING, refusal: refusalOf(sheets, regions, false) }
  const length = statedLength(regions.around.map(textOf))
  const rows = tables.map(readRows)
  const choices = tables.map((region, at) => numberRoles(region, rows[at] as ReadRow[]))
  const built = best(tables, rows, choices, (numbers) => assemble(tables, rows, numbers, length), regions.around)
  if (built.lines.length === 0) return { ...NOTHING, refusal: refusalOf(sheets, regions, false) }
  const isSpilled =
    joined &&
    tables.some(({ headings, dates }) =>
      [...dates.keys()].some((at) => headings[at]?.tokens.some((token) => token.at !== headings[0]?.tokens[0]?.at)),
    )
  return concluded(built, isSpilled, regions.regions, regions.around.map(textOf).concat(sheets.map(({ name }) => name ?? '')))
}

const NOTHING: Omit<OrderReading, 'refusal'> = { lines: [], stops: [], fees: [], equations: [], questions: [], ignored: [], counted: false }

interface Built {
  readonly regions: readonly ReadRegion[]
  readonly lines: readonly OrderLine[]
  readonly proof: Proof
}

/** Of the readings that the headings leave open, takes the one that the totals of the document agree with, if that is one. */
function best(
  tables: readonly Region[],
  _rows: readonly (readonly ReadRow[])[],
  choices: readonly (readonly NumberRoles[])[],
  build: (numbers: readonly NumberRoles[]) => Omit<Built, 'proof'>,
  around: Parameters<typeof prove>[2],
): Built {
  const readings = [0, 1].map((choice) => choices.map((of) => of[choice] ?? (of[0] as NumberRoles)))
  const all = (choices.some((of) => of.length > 1) ? readings : readings.slice(0, 1)).map((numbers) => {
    const built = build(numbers)
    return { ...built, proof: prove(built.regions, built.lines, around) }
  })
  const isProven = ({ proof }: Built) => proof.equations.some(({ of, scope, ties }) => of === 'cost' && scope === 'total' && ties)
  void tables
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
  length: number | undefined,
): Omit<Built, 'proof'> {
  const lines: OrderLine[] = []
  const regions = tables.map((region, at): ReadRegion => {
    const [own, roles] = [rows[at] as ReadRow[], numbers[at] as NumberRoles]
    const made = linesOf(region, own, roles, { length, region: at })
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

function withSubrowRate(line: OrderLine, row: ReadRow): OrderLine {
  const below = row.weeks.length > 0 ? subrowRate(row) : undefined
  if (below === undefined) return line
  return {
    ...line,
    rate: below.rate,
    kind: sameAmount(below.rate, 0) ? 'bonus' : 'paid',
    stated: { ...line.stated, rate: below.cell },
    doubts: line.doubts.filter((doubt) => !doubt.startsWith('The row states no price')),
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
      const found = /\blength\s*:?\s*:\s?(\d{2})\b/i.exec(text) ?? /(?:^|[\s(-]):(\d{2})\s?sec(?:ond)?s\b/i.exec(text)
      return found === null ? [] : [Number(found[1])]
    }),
  )
  return lengths.size === 1 ? [...lengths][0] : undefined
}

function concluded({ regions, lines, proof }: Built, isSpilled: boolean, all: readonly Region[], texts: readonly string[]): OrderReading {
  const stops = lines.map((line): string[] => [...line.doubts])
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
  const option = optionsIn(regions, texts)
  if (option !== undefined) {
    questions.push({ kind: 'option', message: option, at: '', lines: lines.map((_, place) => place) })
    for (const own of stops) own.push(option)
  }
  for (const row of proof.unknown) {
    questions.push({ kind: 'rows', message: `Nobody can tell what this row is: ${textOf(row.row)}`, at: row.at, lines: [] })
  }
  for (const fault of new Map(
    all.flatMap(({ fault, kind, headings }) =>
      fault === undefined || kind !== 'lines' ? [] : [[fault.kind, { ...fault, at: headings[0]?.tokens[0]?.at ?? '' }] as const],
    ),
  ).values())
    questions.push({
      kind: fault.kind === 'year' ? 'year' : 'weeks',
      message: fault.message,
      at: fault.at,
      lines: lines.map((_, place) => place),
    })
  const fees = regions.flatMap((each) => each.fees.flatMap((fee) => fee ?? []))
  for (const fee of fees)
    questions.push({
      kind: 'fee',
      message: `Is "${fee.text}" of ${fee.amount.toFixed(2)} booked apart from airtime?`,
      at: fee.at,
      lines: [],
    })
  const stopped = lines.flatMap((_, place) => ((stops[place]?.length ?? 0) > 0 && unitsOf(lines[place] as OrderLine) >= 0 ? [place] : []))
  if (stopped.length > 0) questions.push({ kind: 'rows', message: 'Lines cannot be taken as they stand.', at: '', lines: stopped })
  const ignored = regions.flatMap((each) =>
    each.rows.flatMap((row) =>
      row.kind === 'line' || row.kind === 'text' || row.kind === 'fee' ? [] : [{ row: textOf(row.row), at: row.at, reason: row.kind }],
    ),
  )
  return { lines, stops, fees, equations: proof.equations, questions, ignored, counted: all.some(({ counted }) => counted) }
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
  if (!hasUnits && region.layout === 'page') return 'Nothing in the document confirms the units of the row.'
  if (hasMoney) return undefined
  if (numbers.certainty === 'open' || numbers.certainty === 'none')
    return numbers.rate === undefined && line.kind === 'bonus' && line.rate === undefined
      ? undefined
      : 'It is not certain which column is the price of a unit.'
  return undefined
}

/** Returns the question which option is meant, if a document holds more than one. */
function optionsIn(regions: readonly ReadRegion[], texts: readonly string[]): string | undefined {
  const names = new Set(
    [...texts, ...regions.map(({ region }) => region.title)].flatMap(
      (text) => /\boption\s+(\d+|[a-z])\b/i.exec(text)?.[0].toLowerCase() ?? [],
    ),
  )
  return names.size > 0 ? `The document names ${[...names].join(' and ')}; which option is ordered?` : undefined
}
