import type { AgreedMakegood, CreditedUnits, MakegoodOffer, MissedUnits } from '../../contract/makegood.ts'
import type { MakegoodAction, MakegoodSide, MakegoodStatus } from '../../contract/vocabulary/makegoods.ts'
import type { Instant } from '../calendar.ts'

/** A makegood: units of an order that do not air, what is offered for them, and what became of it. */
export interface MakegoodState {
  readonly status: MakegoodStatus
  /** Raised by each offer, so that an answer names what it answers. */
  readonly version: number
  readonly missed: readonly MissedUnits[]
  readonly offers: readonly MakegoodOffer[]
  readonly expires_at: Instant | null
  readonly agreed: AgreedMakegood | null
  readonly credits: readonly CreditedUnits[]
  readonly agreed_outside: boolean
}

/** A change of a makegood, with the action that its log keeps. */
export interface MakegoodChange {
  readonly makegood: MakegoodState
  readonly steps: readonly MakegoodStepDraft[]
}

export interface MakegoodStepDraft {
  readonly action: MakegoodAction
  readonly side: MakegoodSide
  readonly actor: string
  readonly note?: string | undefined
  readonly status: MakegoodStatus
  readonly version: number
}

/** The statuses in which a makegood still waits for a party. */
export function isOpen({ status }: Pick<MakegoodState, 'status'>): boolean {
  return status === 'noticed' || status === 'offered'
}

/** Returns the makegood as of a time: the clock decides whether an offer has expired, never a timer (architecture, Timers only look). */
export function asOf<State extends Pick<MakegoodState, 'status' | 'expires_at'>>(makegood: State, now: Instant): State {
  return hasExpired(makegood, now) ? { ...makegood, status: 'expired' } : makegood
}

export function hasExpired({ status, expires_at }: Pick<MakegoodState, 'status' | 'expires_at'>, now: Instant): boolean {
  return status === 'offered' && expires_at !== null && expires_at <= now
}
