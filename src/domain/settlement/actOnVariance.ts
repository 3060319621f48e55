import { finerThanCurrency } from '../../contract/vocabulary/minorUnits.ts'
import {
  ACTIONS_BEFORE_LAST_DISPUTE,
  type VarianceAction,
  type VarianceCode,
  type VarianceState,
} from '../../contract/vocabulary/reconciliation.ts'
import { type Decimal, type DecimalLike, decimal, jsonNumber, sameAmount } from '../decimal.ts'
import { Refusal } from '../refusal.ts'
import { STATE_AFTER, type VarianceFigures, type VarianceStep, varianceState } from './varianceState.ts'

export interface AskedAction {
  readonly action: VarianceAction
  readonly note?: string | undefined
  /** The amount of a credit; if omitted, all that is left. */
  readonly amount?: number | undefined
}

/** A variance at the time when a party acts on it. */
export interface OpenVariance {
  readonly code: VarianceCode
  /** The currency of the order. */
  readonly currency: string
  readonly steps: readonly VarianceStep[]
  /** Undefined if new data has ended the variance. */
  readonly now: VarianceFigures | undefined
  /** The credits of its spot so far, for this variance or another, including variances that new data has ended. */
  readonly credited: DecimalLike
  /** The amount of the platform's invoice that is not credited yet; undefined if there is no invoice. */
  readonly invoiceLeft?: DecimalLike | undefined
}

export interface NextStep {
  /** The amount of a credit; null for other actions. */
  readonly amount: Decimal | null
  /** The amount that a credit takes off the platform's invoice, if there is one. */
  readonly invoiceCredit: Decimal | undefined
  /** The amount that the step excludes from the undisputed amount of the platform's invoice. */
  readonly disputed: Decimal
}

/** Applies an action to a variance. Returns undefined for an exact repeat of the last one, which changes nothing, unless it has a key. */
export function actOnVariance(
  { code, currency, steps, now, credited, invoiceLeft }: OpenVariance,
  asked: AskedAction,
  { isKeyed = false } = {},
): NextStep | undefined {
  const state = varianceState(steps, now)
  if (!isKeyed && isRepeat(steps.at(-1), asked) && state === STATE_AFTER[asked.action]) return undefined
  if (now === undefined || !NEXT[state].includes(asked.action)) {
    throw new Refusal('INVALID_STATE', `The variance is ${state}: ${asked.action} is not possible.`, { state })
  }
  if (asked.action === 'dispute' && steps.length >= ACTIONS_BEFORE_LAST_DISPUTE) {
    const message = `The variance has had ${steps.length} actions and can be disputed before ${ACTIONS_BEFORE_LAST_DISPUTE}: accept it, or leave it ${state}.`
    throw new Refusal('INVALID_STATE', message, { state, maximum: ACTIONS_BEFORE_LAST_DISPUTE })
  }
  const left = atLeastZero(decimal(now.gross).minus(decimal(credited)))
  const creditable = isInvoiced(code) && invoiceLeft !== undefined ? lesser(left, decimal(invoiceLeft)) : left
  const amount = asked.action === 'credit' ? creditOf(asked.amount, creditable, currency) : null
  const isDisputed = asked.action === 'dispute' || asked.action === 'uphold'
  return {
    amount,
    invoiceCredit: amount?.gt(NOTHING) && isInvoiced(code) ? amount : undefined,
    disputed: isDisputed && isInvoiced(code) ? left : NOTHING,
  }
}

const NOTHING = decimal(0)

const NEXT: Readonly<Record<VarianceState, readonly VarianceAction[]>> = {
  open: ['accept', 'dispute'],
  accepted: [],
  disputed: ['credit', 'uphold'],
  credited: ['accept', 'dispute'],
  upheld: ['accept', 'dispute'],
  gone: [],
}

/** Returns true if the platform's invoice, which bills the bookings, covers a code. The other codes concern only the seller's files. */
export function isInvoiced(code: VarianceCode): boolean {
  return !SELLERS_OWN.has(code)
}

const SELLERS_OWN: ReadonlySet<VarianceCode> = new Set(['RATE_MISMATCH', 'BILLED_NOT_RUN', 'RUN_NOT_ORDERED', 'DUPLICATE'])

function isRepeat(last: VarianceStep | undefined, { action, note, amount }: AskedAction): boolean {
  if (last?.action !== action || (note ?? null) !== last.note) return false
  return amount === undefined || (last.amount !== null && sameAmount(amount, last.amount))
}

/** Checks the amount of a credit. If nothing is left, as for a spot without a price, only a credit of zero is possible. */
function creditOf(asked: number | undefined, left: Decimal, currency: string): Decimal {
  const fault = asked === undefined ? undefined : finerThanCurrency(asked, currency)
  if (fault !== undefined) throw new Refusal('INVALID_INPUT', `amount ${fault}.`, { field: 'amount' })
  const amount = asked === undefined ? left : decimal(asked)
  if (amount.lte(left) && (amount.gt(NOTHING) || left.eq(NOTHING))) return amount
  const message = `${jsonNumber(amount)} cannot be credited of the variance: an amount above 0 and up to ${jsonNumber(left)} can.`
  throw new Refusal('INVALID_INPUT', message, { field: 'amount', maximum: jsonNumber(left) })
}

function lesser(one: Decimal, other: Decimal): Decimal {
  return one.lt(other) ? one : other
}

function atLeastZero(amount: Decimal): Decimal {
  return amount.lt(NOTHING) ? NOTHING : amount
}
