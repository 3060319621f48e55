import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { Actor, IsoDate, IsoDateTime, IsoMonth, Money, Name, NextCursor, Reason, SpotLength, Stamp, TimeOfDay } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import {
  MAKEGOOD_ACTIONS,
  MAKEGOOD_BILLINGS,
  MAKEGOOD_ENTRIES,
  MAKEGOOD_OFFERS,
  MAKEGOOD_REASONS,
  MAKEGOOD_SIDES,
  MAKEGOOD_SPANS,
  MAKEGOOD_STATUSES,
} from './vocabulary/makegoods.ts'

/** Spots of one line and date are few: an order books at most some thousands. */
const Units = z.int().positive().max(100_000)

/** Units of a line on a date. */
export const SpotUnits = z.object({ unit_id: Name, date: IsoDate, units: Units }).meta({ id: 'SpotUnits' })
export type SpotUnits = z.infer<typeof SpotUnits>

/** Units that do not air, and why. */
export const MissedUnits = SpotUnits.extend({
  reason_code: Name.meta({ description: `Why they do not air: ${MAKEGOOD_REASONS.join(', ')}, or a word of the seller.` }),
  reason: Reason,
}).meta({ id: 'MissedUnits' })
export type MissedUnits = z.infer<typeof MissedUnits>

/** An offer of other spots. Offers of one makegood are alternatives; one offer may replace several spots, and a spot may be replaced by several. */
export const OfferMakegood = z
  .object({
    offer_id: Name.optional().meta({ description: 'The name of the offer among those of its makegood; its number from 1 if omitted.' }),
    product_id: Name,
    date: IsoDate,
    units: Units,
    spot_length: SpotLength,
    replaces: z
      .array(SpotUnits)
      .min(1)
      .max(MAKEGOOD_ENTRIES)
      .optional()
      .meta({ description: 'What the offer replaces, all or part of the notice; all of it if omitted.' }),
    unit_cost: Money.optional().meta({
      description:
        'What the seller’s system prices a unit at, in major units of the currency. It is never billed, and must not come to more than what the offer replaces.',
    }),
    impressions: z.int().nonnegative().max(1e12).optional().meta({ description: 'The impressions that the seller projects for a unit.' }),
  })
  .meta({ id: 'OfferMakegood' })
export type OfferMakegood = z.infer<typeof OfferMakegood>

const Offers = z.array(OfferMakegood).min(1).max(MAKEGOOD_OFFERS)
const ExpiresAt = IsoDateTime.optional().meta({
  description:
    'Until when the buyer may answer, a UTC time, at most the earliest air date that is offered; the end of that date if omitted.',
})

/** POST /me/orders/{order_id}/makegoods (additive; choices, Makegoods) */
export const NoticeMakegood = z
  .object({
    for: z.array(MissedUnits).min(1).max(MAKEGOOD_ENTRIES),
    offers: Offers.optional(),
    expires_at: ExpiresAt,
    agreed_outside: z
      .boolean()
      .optional()
      .meta({ description: 'The parties have agreed on the one offer by other means: it is recorded as accepted.' }),
    upload_id: Name.optional().meta({
      description:
        'The notice as a file: an upload of the seller in status uploaded, of POST /me/uploads. It is kept with the order, and both parties may read it.',
    }),
    actor: Actor.optional(),
  })
  .meta({ id: 'NoticeMakegood' })
export type NoticeMakegood = z.infer<typeof NoticeMakegood>

/** POST /me/orders/{order_id}/makegoods/{makegood_id} */
export const ReviseMakegood = z
  .object({
    action: z.enum(['offer', 'recall']),
    offers: Offers.optional(),
    expires_at: ExpiresAt,
    version: z.int().positive().optional(),
    note: Reason,
    actor: Actor.optional(),
  })
  .superRefine(({ action, offers, expires_at }, ctx) => {
    const fault = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
    if (action === 'offer' && offers === undefined) fault('offers', 'is required when action is offer')
    if (action === 'recall' && offers !== undefined) fault('offers', 'must be left out when action is recall')
    if (action === 'recall' && expires_at !== undefined) fault('expires_at', 'must be left out when action is recall')
  })
  .meta({ id: 'ReviseMakegood' })
export type ReviseMakegood = z.infer<typeof ReviseMakegood>

/** POST /orders/{order_id}/makegoods/{makegood_id} */
export const AnswerMakegood = z
  .object({
    action: z.enum(['accept', 'decline', 'credit']),
    offer_id: Name.optional().meta({ description: 'The accepted offer; it may be omitted if there is only one.' }),
    version: z.int().positive().meta({ description: 'The version that is answered. With another the reply is 409 INVALID_STATE.' }),
    note: Reason,
    actor: Actor.optional(),
  })
  .superRefine(({ action, offer_id }, ctx) => {
    if (action === 'accept' || offer_id === undefined) return
    ctx.addIssue({ code: 'custom', path: ['offer_id'], message: `must be left out unless action is accept; ${action} was sent` })
  })
  .meta({ id: 'AnswerMakegood' })
export type AnswerMakegood = z.infer<typeof AnswerMakegood>

const Window = z.object({ start: TimeOfDay, end: TimeOfDay })

/** An offer as it is read, with the network and the windows of its product on the date. */
export const MakegoodOffer = OfferMakegood.extend({
  offer_id: z.string(),
  network: z.string(),
  windows: z.array(Window).meta({ description: 'When the spots may air, in the local time of the product.' }),
  replaces: z.array(SpotUnits),
}).meta({ id: 'MakegoodOffer' })
export type MakegoodOffer = z.infer<typeof MakegoodOffer>

/** Replaced units with what they cost, at which their makegood is billed. */
const ReplacedUnits = SpotUnits.extend({ network: z.string(), gross: z.number() }).meta({ id: 'ReplacedUnits' })

/** The accepted offer. Its spots are billed at `gross`, the price of what they replace, in the broadcast month of the booked or the aired date. */
export const AgreedMakegood = MakegoodOffer.omit({ replaces: true })
  .extend({ replaces: z.array(ReplacedUnits), gross: z.number(), billing: z.enum(MAKEGOOD_BILLINGS) })
  .meta({ id: 'AgreedMakegood' })
export type AgreedMakegood = z.infer<typeof AgreedMakegood>

/** Units that are credited. */
export const CreditedUnits = ReplacedUnits.extend({
  broadcast_month: IsoMonth,
  invoice_id: z.string().optional().meta({ description: 'The credit note, once there is an invoice to credit.' }),
}).meta({ id: 'CreditedUnits' })
export type CreditedUnits = z.infer<typeof CreditedUnits>

export const MakegoodStep = z
  .object({
    action: z.enum(MAKEGOOD_ACTIONS),
    side: z.enum(MAKEGOOD_SIDES),
    actor: z.string(),
    note: z.string().optional(),
    version: z.int(),
    status: z.enum(MAKEGOOD_STATUSES),
    at: Stamp,
  })
  .meta({ id: 'MakegoodStep' })

const read = {
  makegood_id: z.string(),
  order_id: z.string(),
  seller: z.string(),
  buyer_entity: z.string(),
  status: z.enum(MAKEGOOD_STATUSES),
  version: z.int().positive(),
  for: z.array(MissedUnits),
  offers: z.array(MakegoodOffer),
  expires_at: Stamp.nullable(),
  agreed_outside: z.boolean(),
  upload_id: z
    .string()
    .optional()
    .meta({ description: 'The notice as a file, below the attachments of the order; absent if there is none.' }),
  agreed: AgreedMakegood.optional(),
  credits: z.array(CreditedUnits),
  actions: z.array(MakegoodStep),
  created_at: Stamp,
  updated_at: Stamp,
}

/** A makegood as both parties read it. */
export const Makegood = z.object({ ...read, warnings: UnknownMembers }).meta({ id: 'Makegood' })
export type Makegood = z.infer<typeof Makegood>

export const MakegoodList = z
  .object({ items: z.array(z.object(read).meta({ id: 'ListedMakegood' })), next_cursor: NextCursor })
  .meta({ id: 'MakegoodList' })

const filters = {
  status: z.enum(MAKEGOOD_STATUSES).optional(),
  product: Name.optional().meta({ description: 'A product that is offered or replaced.' }),
  since: IsoDateTime.optional().meta({ description: 'Only makegoods that have changed at this time or later.' }),
  ...listQuery({ usual: 100, max: 500 }),
}
/** GET /orders/{order_id}/makegoods, and the seller's. */
export const OrderMakegoodsQuery = z.strictObject(filters)
export type OrderMakegoodsQuery = z.output<typeof OrderMakegoodsQuery>
/** GET /makegoods, and the seller's. */
export const MakegoodsQuery = z.strictObject({ ...filters, order_id: Name.optional() })
export type MakegoodsQuery = z.output<typeof MakegoodsQuery>

/** When the platform accepts an offer in the buyer's place (choices, Makegoods: guidelines). */
export const MakegoodGuidelines = z
  .object({
    auto_accept: z
      .object({
        same_product: z.boolean().default(true),
        within: z.enum(MAKEGOOD_SPANS).default('week'),
        ratio: z.number().positive().max(100).default(1).meta({ description: 'The offered units for each replaced unit, at least.' }),
        same_length: z.boolean().default(true),
        audience_floor_pct: z.number().min(0).max(1_000).optional().meta({
          description:
            'The impressions that the offer projects, at least, in percent of those of what it replaces. Where either is unknown a person decides.',
        }),
      })
      .meta({ id: 'MakegoodAutoAccept' }),
  })
  .meta({ id: 'MakegoodGuidelines' })
export type MakegoodGuidelines = z.infer<typeof MakegoodGuidelines>
