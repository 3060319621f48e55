import type { Agreement } from '../../contract/agreement.ts'
import type { Product } from '../../contract/product.ts'
import { MAKEGOOD_BILLINGS, type MakegoodBilling } from '../../contract/vocabulary/makegoods.ts'
import type { Instant, IsoDate } from '../calendar.ts'
import type { DecimalLike } from '../decimal.ts'
import { acceptedLines } from '../edi/blocks.ts'
import type { OrderState } from '../order/state.ts'
import { type BookedDate, bookedOn, spotKey } from './bookedOn.ts'
import { asOf } from './makegoodState.ts'
import { accountsOf, type CountedMakegood, NO_ACCOUNT, type SpotAccount } from './unitsOfSpots.ts'

/** What a makegood is decided against. */
export interface MakegoodFacts {
  readonly order: OrderState
  /** The other makegoods of the order. */
  readonly others: readonly CountedMakegood[]
  readonly now: Instant
  /** The agreement of the order as it is now. */
  readonly agreement?: Pick<Agreement, 'effective' | 'makegood_guidelines' | 'makegood_billing'> | undefined
  /** Of a notice that names a file: whether it is one of the seller's that can be used. */
  readonly hasFile?: boolean
  /** The lines and dates that reconciliation knows. */
  readonly reconciled: readonly ReconciledSpots[]
  /** The products that the buyer may see. */
  readonly products: readonly Product[]
  /** The prices that the buyer could order at, by week, for the products of offers. */
  readonly priced: readonly { readonly product_id: string; readonly week: string; readonly spot_length: number }[]
}

/** What is known of a line and date: the units that aired, and what variances have credited. */
export interface ReconciledSpots {
  readonly unit_id: string
  readonly date: IsoDate
  readonly aired: number
  readonly credited: DecimalLike
}

/** What the order books, with what is left of it. */
export interface Spots {
  /** Undefined for a line or a date that the order does not book. */
  booked(unitId: string, date: IsoDate): BookedDate | undefined
  account(unitId: string, date: IsoDate): SpotAccount
  reconciled(unitId: string, date: IsoDate): Pick<ReconciledSpots, 'aired' | 'credited'>
  /** The units of a date that may still be made good or credited: booked, not aired, and neither made good nor credited. */
  left(booked: BookedDate): number
}

export function spotsOf({ order, others, now, reconciled }: Pick<MakegoodFacts, 'order' | 'others' | 'now' | 'reconciled'>): Spots {
  const booked = bookedOn(order)
  const accounts = accountsOf(others.map((other) => asOf(other, now)))
  const known = new Map(reconciled.map((spots) => [spotKey(spots.unit_id, spots.date), spots]))
  const account = (unitId: string, date: IsoDate) => accounts.get(spotKey(unitId, date)) ?? NO_ACCOUNT
  const knownOf = (unitId: string, date: IsoDate) => known.get(spotKey(unitId, date)) ?? NOTHING_KNOWN
  return {
    booked: (unitId, date) => booked.get(spotKey(unitId, date)),
    account,
    reconciled: knownOf,
    left({ unit_id, date, units }) {
      const { made_good, credited } = account(unit_id, date)
      return Math.max(units - knownOf(unit_id, date).aired - made_good - credited, 0)
    },
  }
}

const NOTHING_KNOWN = { aired: 0, credited: 0 }

/** The dates of a flight, both included. */
export interface Flight {
  readonly start: IsoDate
  readonly end: IsoDate
}

/** Returns the first and last date that an order books; undefined if it books none. */
export function flightOf(order: OrderState): Flight | undefined {
  const dates = acceptedLines(order)
    .flatMap(({ allocation }) => allocation.map(({ date }) => date))
    .sort()
  const [start, end] = [dates.at(0), dates.at(-1)]
  return start === undefined || end === undefined ? undefined : { start, end }
}

const [, AIRED] = MAKEGOOD_BILLINGS

/** Returns the month in which makegoods of an order are billed. */
export function billingOf({ agreement }: Pick<MakegoodFacts, 'agreement'>): MakegoodBilling {
  return agreement?.makegood_billing ?? AIRED
}
