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
  /** Of a credit; all that is left if omitted. */
  readonly amount?: number | undefined
}

/** A variance as it is when a party acts on it. */
export interface StandingVariance {
  readonly code: VarianceCode
  readonly steps: readonly VarianceStep[]
  /** Undefined when new data has ended it. */
  readonly now: VarianceFigures | undefined
  /** What has been credited of its spot, for this variance or another, also for one that new data has ended. */
  readonly credited: DecimalLike
  /** What credit notes have left of the platform's invoice; undefined if there is none. */
  readonly invoiceLeft?: DecimalLike | undefined
}

export interface NextStep {
  /** Of a credit. */
  readonly amount: Decimal | null
  /** What a credit takes off the platform's invoice, where there is one. */
  readonly invoiceCredit: Decimal | undefined
  /** What the step keeps from the undisputed amount of the platform's invoice. */
  readonly disputed: Decimal
}

/** Applies an action to a variance. Returns undefined for an exact repeat of the last one, which changes nothing; an action that has a key repeats none. */
export function actOnVariance(
  { code, steps, now, credited, invoiceLeft }: StandingVariance,
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
  const amount = asked.action === 'credit' ? creditOf(asked.amount, creditable) : null
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

/** Whether the platform's invoice bills what a code is about: it bills what is booked. The other codes are about what only the seller's files bill. */
export function isInvoiced(code: VarianceCode): boolean {
  return !SELLERS_OWN.has(code)
}

const SELLERS_OWN: ReadonlySet<VarianceCode> = new Set(['RATE_MISMATCH', 'BILLED_NOT_RUN', 'RUN_NOT_ORDERED', 'DUPLICATE'])

function isRepeat(last: VarianceStep | undefined, { action, note, amount }: AskedAction): boolean {
  if (last?.action !== action || (note ?? null) !== last.note) return false
  return amount === undefined || (last.amount !== null && sameAmount(amount, last.amount))
}

/** Where nothing is left, as of a spot without a price, a credit of nothing is the only one. */
function creditOf(asked: number | undefined, left: Decimal): Decimal {
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
