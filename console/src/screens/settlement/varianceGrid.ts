import type { ReconciliationLine, Variance, VarianceCode } from '../../api/queries/settlement.ts'

/** Every variance code with its meaning, in the order of the API. */
export const CODES: Readonly<Record<VarianceCode, string>> = {
  ORDERED_NOT_RUN: 'Ordered, not in the log of its day',
  MISSED: 'Missed, as the seller says',
  MAKEGOOD: 'Made good by another spot',
  WRONG_DATE: 'Aired on another date of its week',
  OUT_OF_DAYPART: 'Aired outside of its window',
  WRONG_LENGTH: 'Aired at another length',
  WRONG_COPY: 'Aired with another copy',
  RATE_MISMATCH: 'Billed at another price',
  BILLED_NOT_RUN: 'Billed, not aired',
  RUN_NOT_BILLED: 'Aired, not billed',
  RUN_NOT_ORDERED: 'Aired, not ordered',
  DUPLICATE: 'Aired twice in the same minute',
}

export function codeText(code: VarianceCode): string {
  return code.replaceAll('_', ' ').toLowerCase()
}

/** A row of an order's grid: a unit on a network, with its cell for each date. */
export interface GridLine {
  readonly key: string
  readonly unit: string
  readonly network: string
  readonly cells: ReadonlyMap<string, ReconciliationLine>
}

/** Arranges the lines of a reconciliation as a grid of units by dates, in the order of the API. */
export function gridOf(lines: readonly ReconciliationLine[]): { dates: string[]; rows: GridLine[] } {
  const rows = new Map<string, { unit: string; network: string; cells: Map<string, ReconciliationLine> }>()
  for (const line of lines) {
    const key = `${line.unit_id ?? ''}|${line.network}`
    const row = rows.get(key) ?? { unit: line.unit_id ?? 'not ordered', network: line.network, cells: new Map() }
    rows.set(key, row)
    row.cells.set(line.air_date, line)
  }
  const dates = [...new Set(lines.map(({ air_date }) => air_date))].sort()
  return { dates, rows: [...rows].map(([key, row]) => ({ key, ...row })) }
}

/** Says how many of the units that did not air are made good: agreed, or aired in another spot. */
export function madeGoodText(cells: readonly Pick<ReconciliationLine, 'missed' | 'made_good' | 'makegood'>[]): string {
  const agreed = cells.reduce((units, { made_good = 0 }) => units + made_good, 0)
  const aired = cells.reduce((units, { makegood }) => units + makegood, 0)
  const missed = cells.reduce((units, cell) => units + cell.missed, 0)
  return missed + aired === 0 ? '' : `${agreed + aired} of ${missed + aired}`
}

/** Returns the name of a cell in the address. */
export function cellId({ unit_id, network, air_date }: Pick<ReconciliationLine, 'unit_id' | 'network' | 'air_date'>): string {
  return [unit_id ?? '', network, air_date].join('|')
}

/** Returns the actions that a side may take on a variance in this state. */
export function actionsOf(side: 'buyer' | 'seller', state: Variance['state']): readonly ('accept' | 'dispute' | 'credit' | 'uphold')[] {
  if (side === 'seller') return state === 'disputed' ? ['credit', 'uphold'] : []
  if (state === 'open') return ['dispute', 'accept']
  return state === 'credited' || state === 'upheld' ? ['accept', 'dispute'] : []
}
