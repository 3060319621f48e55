import { MATCH_MINUTES, type VarianceCode, WINDOW_MINUTES } from '../../contract/vocabulary/reconciliation.ts'
import { dateOfDay, type IsoDate } from '../calendar.ts'
import { decimal } from '../decimal.ts'
import { agreedGroups, billedMonthOf, madeGood, partsOf } from './agreedSlots.ts'
import { assignSpots } from './assignSpots.ts'
import type { BookedSpots } from './bookedSpots.ts'
import { claimsOf } from './claims.ts'
import { keyOf } from './keyOf.ts'
import { missedSpots } from './missedSpots.ts'
import { type Reconciliation, type ReconciliationLine, ReconciliationLines } from './reconciliationLines.ts'
import { airingsOf, type SellerRow } from './sellerRows.ts'
import { daysOf, isCopyOf, isNear, spotGroups } from './spotGroups.ts'
import type { AgreedSlots, Claim, SpotGroup } from './spotsAndClaims.ts'

export interface ReconcileInput {
  /** The currency of the order, to whose minor unit amounts are rounded. */
  readonly currency: string
  readonly booked: readonly BookedSpots[]
  readonly rows: readonly SellerRow[]
  /** The spots of makegoods on which the parties have agreed. */
  readonly agreed?: readonly AgreedSlots[] | undefined
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
  isInvoiced(claim: Claim, group: SpotGroup): boolean
}

/**
 * Matches the bookings of an order with the airings and bills of its seller, per line, network and date. The result depends only on the
 * content of the rows, never on the way or order in which they arrived.
 */
export function reconcile({ currency, booked, rows, agreed = [], tolerance = {}, ...coverage }: ReconcileInput): Reconciliation {
  const { window_minutes = WINDOW_MINUTES, match_minutes = MATCH_MINUTES } = tolerance
  const rowsOf = (type: SellerRow['record_type'], ran: boolean) =>
    airingsOf(rows.filter((row) => row.record_type === type && row.ran === ran))
  const claims = claimsOf(rowsOf('as_run', true), rowsOf('invoice', true), match_minutes * 60)
  const groups = spotGroups(booked, currency)
  const slots = agreedGroups(agreed, groups, currency)
  const all = slots.length === 0 ? groups : [...groups, ...slots]
  assignSpots(claims, all, window_minutes * 60)
  const missed = missedSpots([...rowsOf('as_run', false), ...rowsOf('invoice', false)], all)

  const lines = new ReconciliationLines(currency)
  const covered = coverageOf(coverage)
  const lineOf = new Map<SpotGroup, ReconciliationLine>()
  const good = madeGood(slots)
  for (const group of groups) {
    const { unit_id, network, air_date } = group.booked
    const line = lines.at(unit_id, network, air_date)
    lineOf.set(group, line)
    addBooked(line, group, { missed: missed.get(group) ?? [], good: good.get(group) ?? 0 }, covered)
  }
  const lineOfGroup = (group: SpotGroup) => lineOf.get(group) as ReconciliationLine
  const repeats = repeatsOf(claims)
  for (const claim of claims) {
    const { group } = claim
    if (group === undefined) addLeftOver(lines, claim, repeats.has(claim))
    else if (group.agreed !== undefined) addMakegood(claim, group, covered, lineOfGroup)
    else addTaken(lineOfGroup(group), claim, group, covered, slots.length > 0)
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
    isInvoiced: (claim, group) => invoiced.has(billedMonthOf(group, claim)),
  }
}

/** What became of a group's spots besides claims: the rows of those that did not air, and how many aired elsewhere by agreement. */
interface Unaired {
  readonly missed: readonly (readonly SellerRow[])[]
  readonly good: number
}

/** Counts the spots of a group, and the outcomes of those that did not air. */
function addBooked(line: ReconciliationLine, group: SpotGroup, { missed: reported, good }: Unaired, { isLogged }: Coverage): void {
  const { units, gross } = group.booked
  line.order(units, gross)
  const didNotAir = units - group.claims.filter(({ aired }) => aired !== undefined).length
  if (didNotAir === 0) return
  // Rows tell first of the spots that a makegood was agreed for.
  const replaced = addReplaced(line, group, reported, good)
  const missed = reported.slice(replaced)
  const unaired = didNotAir - replaced
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

/**
 * Counts the units that agreed makegoods replace: as made good once these have aired, and as missed before, with the makegood that is to come. Returns their
 * number.
 */
function addReplaced(line: ReconciliationLine, group: SpotGroup, reported: Unaired['missed'], good: number): number {
  if (group.replaced.length === 0) return 0
  const each = group.replaced.flatMap(({ units, ...by }) => Array.from({ length: units }, () => by))
  line.countMadeGood(each.length)
  line.count('makegood', good)
  line.count('missed', each.length - good)
  for (const [index, { makegood_id, reason }] of each.slice(good).entries()) {
    line.vary('MISSED', { gross: group.price, rows: reported[good + index] ?? [], reason, makegood_id })
  }
  return each.length
}

/** Evaluates a claim that took a spot. */
function addTaken(line: ReconciliationLine, claim: Claim, group: SpotGroup, { isInvoiced }: Coverage, countsMakegoods: boolean): void {
  const { aired, billed } = claim
  const { price } = group
  const rows = rowsOfClaim(claim)
  if (aired !== undefined) {
    const codes = codesOf(claim, group)
    for (const code of codes) line.vary(code, { gross: price, rows, ...(code === 'MAKEGOOD' ? { agreed: false } : {}) })
    line.count(claim.makegood !== undefined ? 'makegood' : codes.length === 0 ? 'aired_in_spec' : 'aired_out_of_spec', 1)
    if (claim.makegood !== undefined && countsMakegoods) line.countMakegoodAiring()
    if (billed === undefined && price.gt(ZERO) && isInvoiced(claim, group)) line.vary('RUN_NOT_BILLED', { gross: price, rows })
  }
  if (billed?.rate === undefined) return
  line.bill(billed.rate)
  if (!isNear(group, billed.rate)) line.vary('RATE_MISMATCH', { gross: decimal(billed.rate).minus(price), rows })
}

/** Evaluates a claim that took a slot of an agreed makegood. What it costs and bills belongs to the lines of what it replaces, by their cost. */
function addMakegood(
  claim: Claim,
  group: SpotGroup,
  { isInvoiced, isLogged }: Coverage,
  lineOf: (group: SpotGroup) => ReconciliationLine,
): void {
  const { aired, billed, isAgreed } = claim
  const { price, currency, agreed } = group
  const [first] = agreed?.replaced ?? []
  if (agreed === undefined || first === undefined) return
  const rows = rowsOfClaim(claim)
  const { makegood_id } = agreed.slots
  const costs = partsOf(agreed, price, currency, lineOf)
  const varyAll = (code: VarianceCode, parts: typeof costs, more: { agreed?: boolean; makegood_id?: string } = {}) => {
    for (const { line, part } of parts) line.vary(code, { gross: part, rows, ...more })
  }
  if (aired !== undefined) {
    varyAll('MAKEGOOD', costs, { makegood_id, agreed: isAgreed })
    for (const code of codesOf({ ...claim, makegood: undefined }, group)) varyAll(code, costs)
    lineOf(first.group).countMakegoodAiring()
    if (billed === undefined && price.gt(ZERO) && isInvoiced(claim, group)) varyAll('RUN_NOT_BILLED', costs)
  } else if (isLogged(group)) addBilledNotRun(lineOf(first.group), claim)
  if (billed?.rate === undefined) return
  for (const [index, { line, part }] of partsOf(agreed, billed.rate, currency, lineOf).entries()) line.bill(part, index === 0 ? 1 : 0)
  if (!isNear(group, billed.rate)) lineOf(first.group).vary('RATE_MISMATCH', { gross: decimal(billed.rate).minus(price), rows })
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
