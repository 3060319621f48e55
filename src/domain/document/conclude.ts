import { alternativesIn } from './alternatives.ts'
import { textOf } from './cells.ts'
import type { OrderLine } from './lines.ts'
import { type Equation, type Fee, type Proof, type ReadRegion, unitsOf } from './proof/index.ts'
import type { RefusalKind } from './refusals.ts'
import type { Region } from './regions.ts'

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

/** What the steps before made of a document. */
export interface Built {
  readonly regions: readonly ReadRegion[]
  readonly lines: readonly OrderLine[]
  readonly proof: Proof
}

/** Concludes what is taken as it stands, what is asked, and what is left out. */
export function concluded(
  { regions, lines, proof }: Built,
  isSpilled: boolean,
  all: readonly Region[],
  texts: readonly string[],
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
  const option = alternativesIn(regions, lines, texts)
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
      message: `The row "${fee.text}" of ${fee.amount.toFixed(2)} is no airtime; it is not booked.`,
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
