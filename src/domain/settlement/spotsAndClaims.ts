import type { MakegoodBilling } from '../../contract/vocabulary/makegoods.ts'
import type { IsoDate } from '../calendar.ts'
import type { Decimal, DecimalLike } from '../decimal.ts'
import type { BookedSpots, SpotWindow } from './bookedSpots.ts'
import type { LocalTime } from './localTime.ts'
import type { SellerRow } from './sellerRows.ts'

/** A spot that a seller says it aired, bills, or both. It claims one of the order's booked spots. */
export interface Claim {
  readonly aired: SellerRow | undefined
  readonly billed: SellerRow | undefined
  readonly at: LocalTime
  /** The number of its broadcast day. */
  readonly day: number
  readonly network: string
  readonly spot_length: number
  readonly isci: string | undefined
  readonly unit_id: string | undefined
  /** The missed spot that this one makes good. */
  readonly makegood: { unit_id: string | undefined; date: IsoDate | undefined } | undefined
  /** The group whose spot it takes. */
  group: SpotGroup | undefined
  /** Whether it airs where its makegood was agreed; false for one that the parties did not agree on. */
  isAgreed: boolean
  /** The reason why it aired out of spec, if its time is the reason. */
  outOfTime: 'WRONG_DATE' | 'OUT_OF_DAYPART' | undefined
}

/** Identical booked spots, and the claims that take them. */
export interface SpotGroup {
  readonly booked: BookedSpots
  readonly currency: string
  readonly price: Decimal
  readonly windows: GroupWindow[]
  readonly claims: Claim[]
  /** The number of spots that no claim has taken and no agreed makegood replaces. */
  free: number
  /** The units that agreed makegoods replace. */
  replaced: readonly ReplacedUnits[]
  /** Set for the slots of an agreed makegood. */
  readonly agreed?: AgreedGroup | undefined
}

/** A window of a group on its date. */
export interface GroupWindow {
  readonly group: SpotGroup
  readonly from: LocalTime
  readonly to: LocalTime
  /** The number of the broadcast day in which it starts. */
  readonly day: number
}

export interface ReplacedSpots {
  readonly unit_id: string
  readonly network: string
  readonly air_date: IsoDate
  readonly units: number
  /** What they cost, at which the makegood is billed. */
  readonly gross: DecimalLike
}

/** The slots of an agreed makegood among the groups that claims may take. */
export interface AgreedGroup {
  readonly slots: AgreedSlots
  /** What is still booked of what they replace, in the order in which it is made good. */
  readonly replaced: readonly Replaced[]
  readonly value: Decimal
}

/** Units of a group that an agreed makegood replaces, and why. */
export interface ReplacedUnits {
  readonly units: number
  readonly makegood_id: string
  readonly reason: string
}

/** The spots of an agreed makegood, and what they replace. */
export interface AgreedSlots {
  readonly makegood_id: string
  readonly product_id: string
  readonly network: string
  readonly air_date: IsoDate
  readonly units: number
  readonly spot_length: number
  readonly windows: readonly SpotWindow[]
  /** The month in which the seller bills them. */
  readonly billing: MakegoodBilling
  /** Why what they replace did not air. */
  readonly reason: string
  readonly replaces: readonly ReplacedSpots[]
}

export interface Replaced extends ReplacedSpots {
  readonly group: SpotGroup
}
