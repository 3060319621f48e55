import type { DocumentEquation, DocumentParse, DocumentProof, DocumentTotal } from '../../contract/documentParse.ts'
import type { ResolvedLine } from './checkLines.ts'
import { compared, summedLines } from './tieOut.ts'

/**
 * Returns what the document's own totals prove of its reading: each total as an equation with the cells that it compares. `contradicted` if one
 * does not tie, `proven` if the money of every line stands in one, `partial` if that of some or only units do, `unproven` without any.
 */
export function proofOf(totals: readonly DocumentTotal[], lines: readonly ResolvedLine[]): DocumentProof {
  const equations = totals.map((total, index): DocumentEquation => {
    const { of, lines: numbers, at, stated, computed, ties } = total
    const cells = [...new Set([at, ...summedLines(numbers, lines).flatMap((line) => cellsOf(of, line))])].slice(0, CELLS_SHOWN)
    return { equation_id: equationId(index), of, ...(numbers === undefined ? {} : { lines: numbers }), cells, stated, computed, ties }
  })
  return { level: levelOf(totals, lines), equations }
}

/** The most places of an equation; its lines tell the rest. */
const CELLS_SHOWN = 200

function levelOf(totals: readonly DocumentTotal[], lines: readonly ResolvedLine[]): DocumentProof['level'] {
  if (totals.length === 0) return 'unproven'
  if (totals.some(({ ties }) => !ties)) return 'contradicted'
  const money = totals.filter(({ of }) => of === 'gross')
  if (money.some((total) => total.lines === undefined)) return 'proven'
  return new Set(money.flatMap((total) => total.lines ?? [])).size === lines.length ? 'proven' : 'partial'
}

/** The number of an equation is that of its total, so that both name the same for good. */
function equationId(index: number): string {
  return `eq_${index + 1}`
}

function cellsOf(of: DocumentTotal['of'], { read }: ResolvedLine): string[] {
  const units = read.units ?? read.impressions_goal
  const money = of === 'gross' ? [read.unit_cost ?? read.cpm] : []
  return [units, ...money].flatMap((value) => value?.at ?? [])
}

/** A total that keeps a document from being confirmed. */
export interface OpenEquation extends Pick<DocumentTotal, 'read' | 'at' | 'stated' | 'computed'> {
  readonly equation_id: string
  readonly field: 'acknowledge'
  readonly message: string
}

/**
 * Returns the totals that the lines to be booked do not come to, without those that the buyer acknowledges. A total of lines that are not yet
 * resolved is left out, since what they come to is open.
 */
export function openEquations(
  { totals }: Pick<DocumentParse, 'totals'>,
  lines: readonly ResolvedLine[],
  { acknowledged, currency }: { readonly acknowledged: readonly string[]; readonly currency: string },
): OpenEquation[] {
  return totals.flatMap((total, index) => {
    const equation_id = equationId(index)
    const summed = summedLines(total.lines, lines)
    // A total of lines of which none is ordered, such as that of another option, says nothing of those that are.
    const isOfOthers = total.lines !== undefined && total.lines.length > 0 && summed.length === 0
    const isOpen = summed.some(({ unresolved }) => unresolved.length > 0)
    if (isOpen || isOfOthers || acknowledged.includes(equation_id)) return []
    const { of, read, at, stated, computed, ties } = compared(total, lines, currency)
    const message = `The document states ${of} ${read} at ${at}; its lines come to ${computed}. Acknowledge ${equation_id}, resolve the lines, or reject the order.`
    return ties ? [] : [{ equation_id, field: 'acknowledge', read, at, stated, computed, message }]
  })
}

/** Returns the positions in `acknowledge` of equations that the document does not have. */
export function unknownEquations({ totals }: Pick<DocumentParse, 'totals'>, acknowledge: readonly string[]): number[] {
  const known = new Set(totals.map((_, index) => equationId(index)))
  return acknowledge.flatMap((id, index) => (known.has(id) ? [] : [index]))
}
