import { MATCH_MINUTES, type VarianceCode, WINDOW_MINUTES } from '../../contract/vocabulary/reconciliation.ts'
import { broadcastMonthOf, dateOfDay, type IsoDate } from '../calendar.ts'
import { decimal } from '../decimal.ts'
import { assignSpots } from './assignSpots.ts'
import type { BookedSpots } from './bookedSpots.ts'
import { type Claim, claimsOf } from './claims.ts'
import { keyOf } from './keyOf.ts'
import { missedSpots } from './missedSpots.ts'
import { type Reconciliation, type ReconciliationLine, ReconciliationLines } from './reconciliationLines.ts'
import { airingsOf, type SellerRow } from './sellerRows.ts'
import { daysOf, isCopyOf, isNear, type SpotGroup, spotGroups } from './spotGroups.ts'

export interface ReconcileInput {
  /** The currency of the order, to whose minor unit amounts are rounded. */
  readonly currency: string
  readonly booked: readonly BookedSpots[]
  readonly rows: readonly SellerRow[]
  /** The days of networks for which the seller has sent logs. */
  readonly loggedDays: Iterable<LoggedDay>
  /** The broadcast months for which the seller has sent an invoice of the order. */
  readonly invoicedMonths: Iterable<string>
  readonly tolerance?: Tolerance | undefined
}

export interface LoggedDay {
  readonly network: string
  readonly broadcast_date: IsoDate
}

export interface Tolerance {
  readonly window_minutes?: number | undefined
  readonly match_minutes?: number | undefined
}

const ZERO = decimal(0)

/** The facts other than rows that decide about a spot. */
interface Coverage {
  isLogged(group: SpotGroup): boolean
  isInvoiced(claim: Claim): boolean
}

/**
 * Matches the bookings of an order with the airings and bills of its seller, per line, network and date. The result depends only on the
 * content of the rows, never on the way or order in which they arrived.
 */
export function reconcile({ currency, booked, rows, tolerance = {}, ...coverage }: ReconcileInput): Reconciliation {
  const { window_minutes = WINDOW_MINUTES, match_minutes = MATCH_MINUTES } = tolerance
  const rowsOf = (type: SellerRow['record_type'], ran: boolean) =>
    airingsOf(rows.filter((row) => row.record_type === type && row.ran === ran))
  const claims = claimsOf(rowsOf('as_run', true), rowsOf('invoice', true), match_minutes * 60)
  const groups = spotGroups(booked, currency)
  assignSpots(claims, groups, window_minutes * 60)
  const missed = missedSpots([...rowsOf('as_run', false), ...rowsOf('invoice', false)], groups)

  const lines = new ReconciliationLines(currency)
  const covered = coverageOf(coverage)
  const lineOf = new Map<SpotGroup, ReconciliationLine>()
  for (const group of groups) {
    const { unit_id, network, air_date } = group.booked
    const line = lines.at(unit_id, network, air_date)
    lineOf.set(group, line)
    addBooked(line, group, missed.get(group) ?? [], covered)
  }
  const repeats = repeatsOf(claims)
  for (const claim of claims) {
    if (claim.group === undefined) addLeftOver(lines, claim, repeats.has(claim))
    else addTaken(lineOf.get(claim.group) as ReconciliationLine, claim, claim.group, covered)
  }
  return lines.result()
}

/** Returns the claims without a spot that repeat an earlier claim. */
function repeatsOf(claims: readonly Claim[]): ReadonlySet<Claim> {
  const repeats = new Set<Claim>()
  if (claims.every(({ group }) => group !== undefined)) return repeats
  const seen = new Set<string>()
  for (const claim of claims) {
    const likeness = likenessOf(claim)
    if (claim.group === undefined && seen.has(likeness)) repeats.add(claim)
    seen.add(likeness)
  }
  return repeats
}

function coverageOf({ loggedDays, invoicedMonths }: Pick<ReconcileInput, 'loggedDays' | 'invoicedMonths'>): Coverage {
  // Built on first use: only spots that did not air need it, and most orders have none.
  let logged: Set<string> | undefined
  const invoiced = new Set(invoicedMonths)
  return {
    isLogged(group) {
      logged ??= new Set([...loggedDays].map(({ network, broadcast_date }) => keyOf(network, broadcast_date)))
      const isKnown = (day: number) => logged?.has(keyOf(group.booked.network, dateOfDay(day))) === true
      return [...daysOf(group)].every(isKnown)
    },
    isInvoiced: ({ day }) => invoiced.has(broadcastMonthOf(dateOfDay(day))),
  }
}

/** Counts the spots of a group, and the outcomes of those that did not air. */
function addBooked(line: ReconciliationLine, group: SpotGroup, missed: readonly (readonly SellerRow[])[], { isLogged }: Coverage): void {
  const { units, gross } = group.booked
  line.order(units, gross)
  const unaired = units - group.claims.filter(({ aired }) => aired !== undefined).length
  if (unaired === 0) return
  const { price } = group
  for (const rows of missed) line.vary('MISSED', { gross: price, rows })
  const unexplained = unaired - missed.length
  const isMissed = isLogged(group)
  if (isMissed && unexplained > 0) line.vary('ORDERED_NOT_RUN', { gross: price.times(decimal(unexplained)), units: unexplained, rows: [] })
  line.count('missed', isMissed ? unaired : missed.length)
  line.count('open', isMissed ? 0 : unexplained)
  // Rows explain spots without a bill before they explain billed ones.
  const billed = group.claims.filter(({ aired }) => aired === undefined)
  const billedNotRun = isMissed ? billed.length : Math.max(missed.length - (unaired - billed.length), 0)
  for (const claim of billed.slice(0, billedNotRun)) addBilledNotRun(line, claim)
}

/** Evaluates a claim that took a spot. */
function addTaken(line: ReconciliationLine, claim: Claim, group: SpotGroup, { isInvoiced }: Coverage): void {
  const { aired, billed } = claim
  const { price } = group
  const rows = rowsOfClaim(claim)
  if (aired !== undefined) {
    const codes = codesOf(claim, group)
    for (const code of codes) line.vary(code, { gross: price, rows })
    line.count(claim.makegood !== undefined ? 'makegood' : codes.length === 0 ? 'aired_in_spec' : 'aired_out_of_spec', 1)
    if (billed === undefined && price.gt(ZERO) && isInvoiced(claim)) line.vary('RUN_NOT_BILLED', { gross: price, rows })
  }
  if (billed?.rate === undefined) return
  line.bill(billed.rate)
  if (!isNear(group, billed.rate)) line.vary('RATE_MISMATCH', { gross: decimal(billed.rate).minus(price), rows })
}

function codesOf(claim: Claim, group: SpotGroup): VarianceCode[] {
  const codes: VarianceCode[] = []
  if (claim.makegood !== undefined) codes.push('MAKEGOOD')
  if (claim.outOfTime !== undefined) codes.push(claim.outOfTime)
  if (claim.spot_length !== group.booked.spot_length) codes.push('WRONG_LENGTH')
  if (!isCopyOf(group, claim.isci)) codes.push('WRONG_COPY')
  return codes
}

/** Evaluates a claim that found no spot. It counts for the line that it names, on its broadcast date. */
function addLeftOver(lines: ReconciliationLines, claim: Claim, isRepeat: boolean): void {
  const { unit_id = null, network, day, aired, billed } = claim
  const line = lines.at(unit_id, network, dateOfDay(day))
  if (billed?.rate !== undefined) line.bill(billed.rate)
  if (aired === undefined) {
    addBilledNotRun(line, claim)
    return
  }
  line.count(isRepeat ? 'duplicate' : 'unordered', 1)
  line.vary(isRepeat ? 'DUPLICATE' : 'RUN_NOT_ORDERED', { gross: billed?.rate ?? 0, rows: rowsOfClaim(claim) })
}

function addBilledNotRun(line: ReconciliationLine, claim: Claim): void {
  line.vary('BILLED_NOT_RUN', { gross: claim.billed?.rate ?? 0, rows: rowsOfClaim(claim) })
}

function rowsOfClaim({ aired, billed }: Claim): SellerRow[] {
  return [aired, billed].filter((row) => row !== undefined)
}

/** Returns a key by which repeats are found: a spot in the same minute on the same network, with the same length and copy. */
function likenessOf({ at, network, spot_length, isci }: Claim): string {
  return keyOf(Math.floor(at / 60), network, spot_length, isci)
}
