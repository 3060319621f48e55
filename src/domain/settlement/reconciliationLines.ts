import { LINE_COUNTS, type LineCount, VARIANCE_CODES, type VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import type { IsoDate } from '../calendar.ts'
import { type DecimalLike, jsonNumber, money } from '../decimal.ts'
import { keyOf } from './keyOf.ts'
import { MoneySum } from './moneySum.ts'
import { compareText, type SellerRow } from './sellerRows.ts'

/** The ordered, aired and billed spots, in counts and gross amounts. */
export type ReconciliationTotals = Record<LineCount, number> & {
  ordered_gross: number
  billed_gross: number
  /** The amount that is billed beyond the ordered amount. */
  variance_gross: number
  /** The units that agreed makegoods replace, aired or not; left out if there are none. */
  made_good?: number
  /** The airings of makegoods, if any was agreed: several may make good one unit, and one several. Left out if there are none. */
  makegood_airings?: number
}

/** The figures of a line, network and date. The unit_id is null for aired or billed spots that name no line. */
export type LineFigures = ReconciliationTotals & {
  unit_id: string | null
  network: string
  air_date: IsoDate
  variances: Variance[]
}

/** A difference on a line; `n` numbers those of its code there. */
export interface Variance {
  code: VarianceCode
  n: number
  units: number
  /** For RATE_MISMATCH the amount billed beyond the price, otherwise the price, or the billed amount if nothing is ordered. */
  gross: number
  reason?: string
  /** The agreed makegood that is to make good a missed spot, or that aired. */
  makegood_id?: string
  /** Whether the parties agreed on the makegood that aired. */
  agreed?: boolean
  /** The rows that show the variance. */
  rows: readonly SellerRow[]
}

export interface Reconciliation {
  totals: ReconciliationTotals
  lines: LineFigures[]
}

/** Collects the lines of a reconciliation. */
export class ReconciliationLines {
  private readonly currency: string
  private readonly lines = new Map<string, ReconciliationLine>()

  constructor(currency: string) {
    this.currency = currency
  }

  at(unit_id: string | null, network: string, air_date: IsoDate): ReconciliationLine {
    const key = keyOf(unit_id ?? '', network, air_date)
    const known = this.lines.get(key)
    if (known !== undefined) return known
    const line = new ReconciliationLine(unit_id, network, air_date, this.currency)
    this.lines.set(key, line)
    return line
  }

  /** Returns the lines by unit_id, network and date, those without unit_id last. */
  result(): Reconciliation {
    const lines = [...this.lines.values()].sort(compareLines)
    return {
      totals: totalsOf(
        lines.map((line) => line.amounts),
        this.currency,
      ),
      lines: lines.map((line) => line.figures()),
    }
  }
}

interface Varying {
  readonly gross: DecimalLike
  readonly units?: number
  readonly rows: readonly SellerRow[]
  /** Applies if no row says why. */
  readonly reason?: string | undefined
  readonly makegood_id?: string | undefined
  readonly agreed?: boolean | undefined
}

export class ReconciliationLine {
  readonly unit_id: string | null
  readonly network: string
  readonly air_date: IsoDate
  private readonly currency: string
  /** The amounts. Each one is rounded when it is read, so that the totals are the sums of the lines. */
  readonly amounts: LineAmounts
  /** The variances by code; undefined on most lines. */
  private variances: Map<VarianceCode, Variance[]> | undefined

  constructor(unit_id: string | null, network: string, air_date: IsoDate, currency: string) {
    this.unit_id = unit_id
    this.network = network
    this.air_date = air_date
    this.currency = currency
    this.amounts = newAmounts(currency)
  }

  order(units: number, gross: DecimalLike): void {
    this.amounts.counts.ordered += units
    this.amounts.ordered.add(gross)
  }

  bill(rate: DecimalLike, bills = 1): void {
    this.amounts.counts.billed += bills
    this.amounts.billed.add(rate)
  }

  count(name: LineCount, units: number): void {
    this.amounts.counts[name] += units
  }

  countMadeGood(units: number): void {
    this.amounts.made_good += units
  }

  countMakegoodAiring(): void {
    this.amounts.makegood_airings += 1
  }

  vary(code: VarianceCode, { gross, units = 1, rows, ...more }: Varying): void {
    this.variances ??= new Map()
    const alike = this.variances.get(code) ?? []
    const reason = rows.find((row) => row.reason !== undefined)?.reason ?? more.reason
    const makegood = {
      ...(more.makegood_id === undefined ? {} : { makegood_id: more.makegood_id }),
      ...(more.agreed === undefined ? {} : { agreed: more.agreed }),
    }
    this.variances.set(code, alike)
    const rounded = jsonNumber(money(gross, this.currency))
    alike.push({ code, n: alike.length + 1, units, gross: rounded, ...(reason === undefined ? {} : { reason }), ...makegood, rows })
  }

  /** Returns the figures. Names each one instead of spreading objects, since millions of lines may be made here. */
  figures(): LineFigures {
    const { counts, ordered, billed } = this.amounts
    const found = this.variances
    const figures: LineFigures = {
      ordered: counts.ordered,
      aired_in_spec: counts.aired_in_spec,
      aired_out_of_spec: counts.aired_out_of_spec,
      makegood: counts.makegood,
      missed: counts.missed,
      open: counts.open,
      unordered: counts.unordered,
      duplicate: counts.duplicate,
      billed: counts.billed,
      ordered_gross: ordered.toNumber(),
      billed_gross: billed.toNumber(),
      variance_gross: billed.minus(ordered),
      unit_id: this.unit_id,
      network: this.network,
      air_date: this.air_date,
      variances: found === undefined ? [] : VARIANCE_CODES.flatMap((code) => found.get(code) ?? []),
    }
    addMakegoodCounts(figures, this.amounts)
    return figures
  }
}

interface LineAmounts {
  readonly counts: Record<LineCount, number>
  readonly ordered: MoneySum
  readonly billed: MoneySum
  made_good: number
  makegood_airings: number
}

/** Adds the counts that there are only with agreed makegoods. */
function addMakegoodCounts(figures: ReconciliationTotals, { made_good, makegood_airings }: LineAmounts): void {
  if (made_good > 0) figures.made_good = made_good
  if (makegood_airings > 0) figures.makegood_airings = makegood_airings
}

function newAmounts(currency: string): LineAmounts {
  return {
    // A literal is created faster than an object that is assembled from parts.
    counts: {
      ordered: 0,
      aired_in_spec: 0,
      aired_out_of_spec: 0,
      makegood: 0,
      missed: 0,
      open: 0,
      unordered: 0,
      duplicate: 0,
      billed: 0,
    },
    ordered: new MoneySum(currency),
    billed: new MoneySum(currency),
    made_good: 0,
    makegood_airings: 0,
  }
}

function totalsOf(lines: readonly LineAmounts[], currency: string): ReconciliationTotals {
  const total = newAmounts(currency)
  const { counts, ordered, billed } = total
  for (const amounts of lines) {
    for (const name of LINE_COUNTS) counts[name] += amounts.counts[name]
    ordered.addRounded(amounts.ordered)
    billed.addRounded(amounts.billed)
    total.made_good += amounts.made_good
    total.makegood_airings += amounts.makegood_airings
  }
  const sums = { ordered_gross: ordered.toNumber(), billed_gross: billed.toNumber(), variance_gross: billed.minus(ordered) }
  const totals: ReconciliationTotals = { ...counts, ...sums }
  addMakegoodCounts(totals, total)
  return totals
}

function compareLines(a: ReconciliationLine, b: ReconciliationLine): number {
  return (
    Number(a.unit_id === null) - Number(b.unit_id === null) ||
    compareText(a.unit_id ?? '', b.unit_id ?? '') ||
    compareText(a.network, b.network) ||
    compareText(a.air_date, b.air_date)
  )
}
