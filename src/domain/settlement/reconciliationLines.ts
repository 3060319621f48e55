import { LINE_COUNTS, type LineCount, VARIANCE_CODES, type VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import type { IsoDate } from '../calendar.ts'
import { type Decimal, type DecimalLike, decimal, jsonNumber, money } from '../decimal.ts'
import { keyOf } from './keyOf.ts'
import { compareText, type SellerRow } from './sellerRows.ts'

/** What was ordered, aired and billed, in counts and gross amounts. */
export type ReconciliationTotals = Record<LineCount, number> & {
  ordered_gross: number
  billed_gross: number
  /** What is billed beyond what is ordered. */
  variance_gross: number
}

/** The figures of a line, network and date. The unit_id is null for spots that aired or are billed and name no line. */
export type LineFigures = ReconciliationTotals & {
  unit_id: string | null
  network: string
  air_date: IsoDate
  variances: Variance[]
}

/** A difference on a line. The n-th of its code there. */
export interface Variance {
  code: VarianceCode
  n: number
  units: number
  /** What is billed beyond the price for RATE_MISMATCH, else the price, or what is billed where nothing is ordered. */
  gross: number
  reason?: string
  /** The rows that it is found in. */
  rows: readonly SellerRow[]
}

export interface Reconciliation {
  totals: ReconciliationTotals
  lines: LineFigures[]
}

const ZERO: Decimal = decimal(0)

/** Collects the lines of a reconciliation. */
export class ReconciliationLines {
  private readonly lines = new Map<string, ReconciliationLine>()

  at(unit_id: string | null, network: string, air_date: IsoDate): ReconciliationLine {
    const key = keyOf(unit_id ?? '', network, air_date)
    const known = this.lines.get(key)
    if (known !== undefined) return known
    const line = new ReconciliationLine(unit_id, network, air_date)
    this.lines.set(key, line)
    return line
  }

  /** Returns the lines by unit_id, network and date, those without unit_id last. */
  result(): Reconciliation {
    const lines = [...this.lines.values()].sort(compareLines)
    const amounts = lines.map((line) => line.amounts())
    return { totals: totalsOf(amounts), lines: lines.map((line, index) => line.figures(amounts[index])) }
  }
}

export class ReconciliationLine {
  readonly unit_id: string | null
  readonly network: string
  readonly air_date: IsoDate
  private readonly counts = zeroCounts()
  /** Most lines have none. */
  private variances: Map<VarianceCode, Variance[]> | undefined
  private ordered: Decimal = ZERO
  private billed: Decimal = ZERO

  constructor(unit_id: string | null, network: string, air_date: IsoDate) {
    this.unit_id = unit_id
    this.network = network
    this.air_date = air_date
  }

  order(units: number, gross: DecimalLike): void {
    this.counts.ordered += units
    this.ordered = this.ordered.plus(decimal(gross))
  }

  bill(rate: DecimalLike): void {
    this.counts.billed += 1
    this.billed = this.billed.plus(decimal(rate))
  }

  count(name: LineCount, units: number): void {
    this.counts[name] += units
  }

  vary(code: VarianceCode, { gross, units = 1, rows }: { gross: DecimalLike; units?: number; rows: readonly SellerRow[] }): void {
    this.variances ??= new Map()
    const alike = this.variances.get(code) ?? []
    const reason = rows.find((row) => row.reason !== undefined)?.reason
    this.variances.set(code, alike)
    alike.push({ code, n: alike.length + 1, units, gross: jsonNumber(money(gross)), ...(reason === undefined ? {} : { reason }), rows })
  }

  /** Returns what is counted, and the amounts. Each is rounded here, so that totals are the sums of lines. */
  amounts(): LineAmounts {
    return { counts: this.counts, ordered: money(this.ordered), billed: money(this.billed) }
  }

  figures(amounts = this.amounts()): LineFigures {
    const { unit_id, network, air_date } = this
    const found = this.variances
    const variances = found === undefined ? [] : VARIANCE_CODES.flatMap((code) => found.get(code) ?? [])
    return { ...figuresOf(amounts), unit_id, network, air_date, variances }
  }
}

interface LineAmounts {
  counts: Record<LineCount, number>
  ordered: Decimal
  billed: Decimal
}

function totalsOf(lines: readonly LineAmounts[]): ReconciliationTotals {
  const counts = zeroCounts()
  let ordered = ZERO
  let billed = ZERO
  for (const amounts of lines) {
    for (const name of LINE_COUNTS) counts[name] += amounts.counts[name]
    ordered = ordered.plus(amounts.ordered)
    billed = billed.plus(amounts.billed)
  }
  return figuresOf({ counts, ordered, billed })
}

function figuresOf({ counts, ordered, billed }: LineAmounts): ReconciliationTotals {
  return {
    ...counts,
    ordered_gross: jsonNumber(ordered),
    billed_gross: jsonNumber(billed),
    variance_gross: jsonNumber(billed.minus(ordered)),
  }
}

/** A literal, which is copied faster than an object that is put together. */
const ZERO_COUNTS: Readonly<Record<LineCount, number>> = {
  ordered: 0,
  aired_in_spec: 0,
  aired_out_of_spec: 0,
  makegood: 0,
  missed: 0,
  open: 0,
  unordered: 0,
  duplicate: 0,
  billed: 0,
}

function zeroCounts(): Record<LineCount, number> {
  return { ...ZERO_COUNTS }
}

function compareLines(a: ReconciliationLine, b: ReconciliationLine): number {
  return (
    Number(a.unit_id === null) - Number(b.unit_id === null) ||
    compareText(a.unit_id ?? '', b.unit_id ?? '') ||
    compareText(a.network, b.network) ||
    compareText(a.air_date, b.air_date)
  )
}
