import { createHash } from 'node:crypto'
import { VARIANCE_CODES, type VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import { broadcastMonthOf } from '../../domain/calendar.ts'
import { type DecimalLike, jsonNumber } from '../../domain/decimal.ts'
import { memoized } from '../../domain/memoized.ts'
import { audienceGuarantees, type DeliveredAudience } from '../../domain/settlement/audienceGuarantees.ts'
import { MoneySum } from '../../domain/settlement/moneySum.ts'
import { type LoggedDay, reconcile } from '../../domain/settlement/reconcile.ts'
import type { LineFigures } from '../../domain/settlement/reconciliationLines.ts'
import type { CoveredInvoice, ReconciliationCoverage, StoredVariance } from '../../domain/settlement/reconciliationResult.ts'
import { compareText } from '../../domain/settlement/sellerRows.ts'
import type { StatedInvoice } from '../../store/settlement/readCoverage.ts'
import type { ToReconcile } from '../../store/settlement/readToReconcile.ts'
import type { ReconciledLine, ReconciledOrder } from '../../store/settlement/saveReconciliations.ts'
import { varianceId } from './varianceId.ts'

/** The data, besides its spots and rows, that an order is reconciled with. */
export interface RelatedOrders {
  /** The broadcast days of networks on which its spots may air, and those of them that have a log. */
  readonly bookedDays: readonly LoggedDay[]
  readonly loggedDays: readonly LoggedDay[]
  readonly delivered: readonly DeliveredAudience[]
  readonly invoices: ReadonlyMap<string, StatedInvoice>
}

/** Reconciles an order. The same spots and rows always give the same bytes. */
export function reconciledOrder(order: ToReconcile, { bookedDays, loggedDays, delivered, invoices }: RelatedOrders): ReconciledOrder {
  const { head, booked, rows } = order
  const invoicedMonths = [...new Set(order.invoiceMonths.values())].sort()
  const { lines, totals } = reconcile({
    currency: head.currency,
    booked,
    rows,
    agreed: order.agreed,
    loggedDays,
    invoicedMonths,
    tolerance: head.tolerance,
  })
  const coverage: ReconciliationCoverage = {
    days_booked: bookedDays.length,
    days_logged: loggedDays.length,
    invoiced_months: invoicedMonths,
    ...coveredInvoices(order, invoices),
  }
  const guarantees = audienceGuarantees(head.guarantees, booked, delivered)
  const bodies = inOnePiece(lines.map((line) => bodyOf(head.order_id, line)))
  const stored = lines.map((line, index) => storedLine(line, index + 1, bodies[index] as string))
  const texts = { coverage: JSON.stringify(coverage), totals: JSON.stringify(totals), guarantees: JSON.stringify(guarantees) }
  return {
    head,
    state: 'reconciled',
    ...texts,
    codes: VARIANCE_CODES.filter((code) => stored.some(({ codes }) => codes.includes(code))),
    broadcast_months: [...new Set(stored.map(({ broadcast_month }) => broadcast_month))].sort(),
    digest: digestOf([head.currency, texts.coverage, texts.totals, texts.guarantees, ...bodies]),
    lines: stored,
  }
}

/** Computes the digest of everything that a reader sees of a result. */
export function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  // Hashes some texts at a time: an update costs more than its bytes, and all lines of a large order would not fit in one text.
  for (let from = 0; from < texts.length; from += TEXTS_PER_BATCH) hash.update(`${texts.slice(from, from + TEXTS_PER_BATCH).join('\n')}\n`)
  return hash.digest('hex')
}

const TEXTS_PER_BATCH = 1_000

/** The most variances listed per line: more would be unreadable, and a seller can send any number of rows for a date. */
export const VARIANCES_PER_LINE = 1_000
const INVOICES_PER_ORDER = 100

/** Returns a line as it is stored. It names every figure, without a spread, since a million of these are made here. */
function storedLine({ unit_id, network, air_date, variances }: LineFigures, line: number, body: string): ReconciledLine {
  return { line, unit_id, network, air_date, broadcast_month: monthOf(air_date), codes: codesOf(variances), body }
}

/** Returns the StoredLine of a line as JSON text. */
function bodyOf(order_id: string, figures: LineFigures): string {
  const { unit_id, network, air_date, variances } = figures
  const listed = variances.slice(0, VARIANCES_PER_LINE).map(({ n, rows, ...variance }): StoredVariance => {
    const variance_id = varianceId({ order_id, unit_id, network, air_date, code: variance.code, n })
    return { variance_id, ...variance, rows }
  })
  return lineText(figures, monthOf(air_date), listed, variances.length - listed.length)
}

/**
 * Returns the same texts, none of which has a line break, each in one piece. V8 keeps a concatenated text as a tree of some forty parts
 * per line: until the lines are written, its garbage collector would move every part more than once.
 */
function inOnePiece(texts: readonly string[]): string[] {
  const whole: string[] = []
  for (let from = 0; from < texts.length; from += TEXTS_PER_BATCH) {
    for (const text of texts
      .slice(from, from + TEXTS_PER_BATCH)
      .join('\n')
      .split('\n'))
      whole.push(text)
  }
  return whole
}

/** Returns a StoredLine as JSON text: the same bytes as JSON.stringify at half the cost. */
function lineText(line: LineFigures, broadcast_month: string, variances: readonly StoredVariance[], leftOut: number): string {
  const { ordered, aired_in_spec, aired_out_of_spec, makegood, missed, open, unordered, duplicate, billed } = line
  const place = `"unit_id":${jsonText(line.unit_id)},"network":${jsonText(line.network)},"air_date":"${line.air_date}"`
  const aired = `"ordered":${ordered},"aired_in_spec":${aired_in_spec},"aired_out_of_spec":${aired_out_of_spec},"makegood":${makegood}`
  const others = `"missed":${missed},"open":${open},"unordered":${unordered},"duplicate":${duplicate},"billed":${billed}`
  const gross = `"ordered_gross":${line.ordered_gross},"billed_gross":${line.billed_gross},"variance_gross":${line.variance_gross}`
  const found = variances.length === 0 ? '[]' : JSON.stringify(variances)
  const more = leftOut > 0 ? `,"variances_left_out":${leftOut}` : ''
  const good = line.made_good === undefined ? '' : `,"made_good":${line.made_good}`
  const makegoods = line.makegood_airings === undefined ? '' : `,"makegood_airings":${line.makegood_airings}`
  return `{${place},"broadcast_month":"${broadcast_month}",${aired},${others},${gross}${good}${makegoods},"variances":${found}${more}}`
}

function jsonText(text: string | null): string {
  return text === null ? 'null' : quoted(text)
}

/** Quotes a name; the result is memoized, since lines repeat few names. */
const quoted = memoized((text: string): string => JSON.stringify(text))

/** The codes of most lines, which have none. */
const NO_CODES: readonly VarianceCode[] = []

/** Returns the codes of a line's variances, which are listed by code. */
function codesOf(variances: LineFigures['variances']): readonly VarianceCode[] {
  return variances.length === 0 ? NO_CODES : variances.filter(({ n }) => n === 1).map(({ code }) => code)
}

const monthOf = memoized(broadcastMonthOf)

function coveredInvoices(
  { head: { currency }, rows, invoiceMonths }: ToReconcile,
  stated: RelatedOrders['invoices'],
): Pick<ReconciliationCoverage, 'invoices' | 'invoices_left_out'> {
  const numbers = [...invoiceMonths.keys()].sort(compareText)
  const listed = new Map(numbers.slice(0, INVOICES_PER_ORDER).map((number) => [number, { spots: 0, gross: new MoneySum(currency) }]))
  for (const { invoice_number, ran, rate } of rows) {
    const sums = ran && invoice_number !== undefined ? listed.get(invoice_number) : undefined
    if (sums === undefined) continue
    sums.spots += 1
    sums.gross.add(rate ?? 0)
  }
  const invoices = [...listed].map(([invoice_number, { spots, gross }]): CoveredInvoice => {
    const { invoice_date = '', totals = null } = stated.get(invoice_number) ?? {}
    const broadcast_month = invoiceMonths.get(invoice_number) ?? ''
    const sums = { invoice_number, invoice_date, broadcast_month, spots, gross: gross.toExactNumber() }
    return totals === null ? sums : { ...sums, stated: statedTotals(totals) }
  })
  const leftOut = numbers.length - invoices.length
  return leftOut === 0 ? { invoices } : { invoices, invoices_left_out: leftOut }
}

function statedTotals({ spot_count, ...amounts }: NonNullable<StatedInvoice['totals']>): NonNullable<CoveredInvoice['stated']> {
  const present = Object.entries(amounts).filter((entry): entry is [string, DecimalLike & string] => entry[1] !== null)
  return {
    ...(spot_count === null ? {} : { spot_count }),
    ...Object.fromEntries(present.map(([name, amount]) => [name, jsonNumber(amount)])),
  }
}
