import { z } from 'zod'
import { isMailAddress } from './mailAddress.ts'
import { MakegoodGuidelines } from './makegood.ts'
import { CancellationTerms } from './order.ts'
import { Amount, Currency, DateRange, Decimal, IsoDate, listOf, MoneyCode, Name, NextCursor, ProductId } from './scalars.ts'
import { EDI_BUY_TYPES, EDI_FORMATS } from './vocabulary/edi.ts'
import { MAKEGOOD_BILLINGS } from './vocabulary/makegoods.ts'
import { AVAILS_POLICIES, BUY_TYPES, GRAINS, PRICING_POLICIES, SETTLEMENT_MODES } from './vocabulary.ts'

/** A product id, or `*` for all of them. */
const ProductOrAll = Name

export const DisclosureOverride = z
  .object({
    product_id: ProductOrAll,
    pricing_policy: z.enum(PRICING_POLICIES).optional(),
    avails_policy: z.enum(AVAILS_POLICIES).optional(),
  })
  .meta({ id: 'DisclosureOverride' })

export const PostingPolicyOverride = z
  .object({ product_id: ProductOrAll, posting_policy: z.string().min(1) })
  .meta({ id: 'PostingPolicyOverride' })

/** late_fee_pct is a percentage of the placed gross. */
const GrantedTerms = CancellationTerms.extend({ late_fee_pct: Decimal.min(0).max(100).optional() }).meta({ id: 'GrantedTerms' })

/** Where and how the documents of placed orders go to the agency's billing system (additive; choices, Order document: agreement). */
export const EdiDelivery = z
  .object({
    to: z
      .string()
      .refine(isMailAddress, 'must be one mail address as local@domain.tld in ASCII, without quotes, % or !')
      .meta({ description: 'The mail address of the billing system. It is one address; lists are kept by the agency.' }),
    formats: z
      .array(z.enum(EDI_FORMATS))
      .min(1)
      .max(EDI_FORMATS.length)
      .refine((formats) => new Set(formats).size === formats.length, 'must not list a format twice')
      .optional()
      .meta({ description: 'The forms that a mail carries; scx if omitted.' }),
    buy_type: z
      .enum(EDI_BUY_TYPES)
      .optional()
      .meta({ description: 'What a week of a document is: one date, or the Monday of its week. daily if omitted.' }),
    nsi_id: z.int().min(0).max(9_999).optional().meta({ description: 'The NSI market id of the documents; 0 if omitted.' }),
    syscode: z
      .string()
      .regex(/^\d{4}$/, 'must be four digits')
      .optional()
      .meta({ description: 'The syscode of the system that airs the orders; 0000 if omitted.' }),
    makegoods: z.boolean().optional().meta({
      description: 'Whether a mail tells of every change of a makegood, in text and as csv; false if omitted.',
    }),
    system_name: z.string().min(1).max(255).optional().meta({ description: 'The name of that system; National if omitted.' }),
  })
  .meta({ id: 'EdiDelivery' })
export type EdiDelivery = z.infer<typeof EdiDelivery>

/** The commission as a percentage of the gross of invoices, with two places, as invoices print it. */
const CommissionPct = z
  .number()
  .min(0)
  .max(100)
  .refine((pct) => /^\d+(\.\d{1,2})?$/.test(String(pct)), 'must have at most two decimal places')

const Minutes = z.int().min(0).max(30)

/** The minutes within which sellers' rows match (choices, Reconciliation: minutes). */
export const ReconciliationMinutes = z
  .object({
    window_minutes: Minutes.optional().meta({
      description: 'How many minutes before the start and after the end of its window a spot still airs in it; 5 if omitted.',
    }),
    match_minutes: Minutes.optional().meta({
      description: 'How many minutes a billed row may be from the airing that it bills; 10 if omitted.',
    }),
  })
  .meta({ id: 'ReconciliationMinutes' })

const members = {
  buyer_entity: Name,
  status: z.enum(['active', 'ended']).default('active'),
  effective: DateRange,
  settlement_mode: z.enum(SETTLEMENT_MODES).default('direct'),
  currency: MoneyCode.optional(),
  credit_limit: Amount.optional(),
  commitment_gross: Amount.optional(),
  permitted_buy_types: listOf(z.enum(BUY_TYPES))
    .optional()
    .meta({ description: 'The values permitted under the agreement; no restriction if omitted or empty.' }),
  permitted_grains: listOf(z.enum(GRAINS))
    .optional()
    .meta({ description: 'The values permitted under the agreement; no restriction if omitted or empty.' }),
  catalog_scope: z
    .union([z.literal('*').meta({ id: 'AllProducts' }), listOf(ProductId, 10_000).meta({ id: 'ProductIds' })], {
      error: 'must be * or a list of product ids',
    })
    .default('*')
    .meta({ description: 'The by_agreement products that the agreement unlocks, or * for all of them. It never hides open products.' }),
  disclosure_overrides: listOf(DisclosureOverride, 10_000).optional(),
  posting_policy_overrides: listOf(PostingPolicyOverride, 10_000).optional(),
  cancellation_terms: GrantedTerms.optional(),
  edi: EdiDelivery.optional().meta({
    description:
      "The delivery of order documents to the agency's billing system; none if omitted. Setting or changing it " +
      'needs the scope orders:approve as well. A marketplace that sends no mail refuses it.',
  }),
  agency_commission_pct: CommissionPct.optional().meta({
    description: "The agency's commission, in percent of the gross of an invoice, as it is when the invoice is issued; 0 if omitted.",
  }),
  reconciliation: ReconciliationMinutes.optional().meta({
    description:
      'Within how many minutes the spots of orders are matched with what aired and was billed. A change reconciles the orders again.',
  }),
  makegood_guidelines: MakegoodGuidelines.optional().meta({
    description: 'When the platform accepts an offered makegood in the place of the buyer; a person decides on every offer if omitted.',
  }),
  makegood_billing: z.enum(MAKEGOOD_BILLINGS).optional().meta({
    description: 'The broadcast month in which a makegood is billed: that of the booked spot, or that of its airing. aired if omitted.',
  }),
  external_ref: Name.optional(),
}

/** PUT /me/agreements/{agreement_id}: replaces the whole agreement (contract, Agreement; choices, Agreement ids). */
export const PutAgreement = z
  .object({
    agreement_id: Name.optional().meta({ description: 'The agreement id. If sent, it must equal the id in the path.' }),
    seller: Name.optional().meta({ description: 'The seller. If sent, it must be the caller.' }),
    ...members,
  })
  .meta({ id: 'PutAgreement' })
export type PutAgreement = z.infer<typeof PutAgreement>

/** An agreement as its seller reads it. */
export const Agreement = z
  .object({
    agreement_id: z.string(),
    seller: z.string(),
    ...members,
    currency: Currency,
    cancellation_terms: CancellationTerms.optional(),
  })
  .meta({ id: 'Agreement' })
export type Agreement = z.infer<typeof Agreement>

const ProductSeen = z
  .object({ pricing_policy: z.enum(PRICING_POLICIES), avails_policy: z.enum(AVAILS_POLICIES) })
  .meta({ id: 'ProductSeen', description: 'What the buyer sees of a product.' })

const SeenProducts = z
  .object({
    products: z.int().nonnegative().meta({ description: 'The products that the buyer sees.' }),
    priced: z.int().nonnegative().meta({ description: 'Those of them whose prices it sees, rather than asks for.' }),
    with_avails: z.int().nonnegative().meta({ description: 'Those of them whose avails it sees.' }),
  })
  .meta({ id: 'SeenProducts' })

/** What a grant or a change of an agreement would change for its buyer. */
export const GrantEffect = z
  .object({
    as_of: IsoDate.meta({ description: 'The date that is compared: today, or the first day of the agreement if that is later.' }),
    new_buyer: z.boolean().meta({ description: 'Whether you have had no agreement, order or standing with a buyer of this name.' }),
    unknown_products: z.array(z.string()).meta({ description: 'Names in the body that your catalog does not have, at most 100.' }),
    before: SeenProducts.meta({ description: 'The number of products that the buyer sees now, by what it sees of them.' }),
    after: SeenProducts.meta({ description: 'The number of products that it will see, by what it sees of them.' }),
    changed: z.int().nonnegative().meta({ description: 'The products of which the buyer will see another part.' }),
    changes: z
      .array(
        z.object({
          product_id: z.string(),
          product_title: z.string().optional().meta({ description: 'The title of the product in the catalog.' }),
          before: ProductSeen.nullable().meta({ description: 'What the buyer sees of it now; null if it does not see it.' }),
          after: ProductSeen.nullable().meta({ description: 'What it will see of it; null if it will not see it.' }),
        }),
      )
      .meta({ description: 'The first 50 of them, by product_id.' }),
  })
  .meta({ id: 'GrantEffect' })
export type GrantEffect = z.infer<typeof GrantEffect>

/** 200 of a grant: the agreement, and for a dry run what it would change. */
export const GrantReply = Agreement.extend({
  effect: GrantEffect.optional().meta({ description: 'What the agreement would change for its buyer; of a dry run alone.' }),
}).meta({ id: 'GrantReply' })

/** An agreement as its buyer reads it, without the seller's external_ref. */
export const BuyerAgreement = Agreement.omit({ external_ref: true }).meta({ id: 'BuyerAgreement' })
export type BuyerAgreement = z.infer<typeof BuyerAgreement>

export const AgreementList = z.object({ items: z.array(Agreement), next_cursor: NextCursor }).meta({ id: 'AgreementList' })
export const BuyerAgreementList = z.object({ items: z.array(BuyerAgreement), next_cursor: NextCursor }).meta({ id: 'BuyerAgreementList' })

/** GET /agreements/{id}/pacing: `remaining` is commitment_gross minus booked_gross (contract, Pacing). */
export const Pacing = z
  .object({
    agreement_id: z.string(),
    currency: Currency,
    commitment_gross: z.number().nullable(),
    booked_gross: z.number(),
    remaining: z.number().nullable(),
    invoiced_gross: z.number(),
    as_of: z.iso.datetime(),
  })
  .meta({ id: 'Pacing' })
export type Pacing = z.infer<typeof Pacing>

/** GET /settlement/credit: `available` is credit_limit minus exposure; both are null if the agreement has no cap. */
export const Credit = z
  .object({
    agreement_id: z.string(),
    currency: Currency,
    credit_limit: z.number().nullable(),
    exposure: z.number(),
    available: z.number().nullable(),
    as_of: z.iso.datetime(),
  })
  .meta({ id: 'Credit' })
export type Credit = z.infer<typeof Credit>

export const CreditQuery = z.strictObject({ agreement: Name })
export type CreditQuery = z.infer<typeof CreditQuery>

/** PUT /me/buyers/{buyer_entity}: controls whether a buyer may order (contract, Acting tenant). */
export const PutBuyer = z
  .object({ status: z.enum(['active', 'suspended']).default('active'), allowlisted: z.boolean().default(false) })
  .meta({ id: 'PutBuyer' })
export type PutBuyer = z.infer<typeof PutBuyer>

export const BuyerStanding = z
  .object({ buyer_entity: z.string(), status: z.enum(['active', 'suspended']), allowlisted: z.boolean() })
  .meta({ id: 'BuyerStanding' })
export type BuyerStanding = z.infer<typeof BuyerStanding>

/** GET /me/buyers: the buyers whose standing the seller has set. */
export const BuyerStandingList = z.object({ items: z.array(BuyerStanding), next_cursor: NextCursor }).meta({ id: 'BuyerStandingList' })
