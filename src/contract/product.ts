import { z } from 'zod'
import { isMoneyCode } from './moneyCodes.ts'
import { dryRunMembers } from './publishEffect.ts'
import { AudienceCode, DateRange, IsoDate, Label, listOf, Name, ProductId, retired, SpotLength, TimeOfDay } from './scalars.ts'
import { isTimezone } from './timezones.ts'
import { ENTRIES_PER_PUBLISH } from './vocabulary/bounds.ts'
import { ENTRY_ERRORS, type EntryWarningCode } from './vocabulary/codes.ts'
import {
  AVAILS_POLICIES,
  BUY_TYPES,
  GRAINS,
  PRICING_POLICIES,
  PRODUCT_STATUSES,
  PUBLISH_RESULTS,
  REPORTING_DAYPARTS,
  VISIBILITIES,
  WEEKDAYS,
} from './vocabulary.ts'

/** The most values of one kind that a product may declare. Each unpriced one is a warning, and an entry of every buyer's read. */
const MAX_DECLARED = 200

const Days = listOf(z.enum(WEEKDAYS)).min(1)
const Timezone = z.string().min(1).max(64).refine(isTimezone, 'must be a time zone of the IANA database, such as America/New_York')

export const DaypartDefinition = z
  .object({ selling_title: Label, days: Days, start: TimeOfDay, end: TimeOfDay, timezone: Timezone })
  .meta({ id: 'DaypartDefinition' })
const RotatorWindow = z.object({ days: Days, start: TimeOfDay, end: TimeOfDay }).meta({ id: 'RotatorWindow' })
export const RotatorDefinition = z
  .object({ windows: listOf(RotatorWindow, 100).min(1), selling_title: Label.optional(), timezone: Timezone.optional() })
  .meta({ id: 'RotatorDefinition' })
const Occurrence = z.object({ date: IsoDate, start: TimeOfDay, end: TimeOfDay }).meta({ id: 'Occurrence' })
export const ProgramDefinition = z
  .object({ title: Label, occurrences: listOf(Occurrence, 5_000).min(1), timezone: Timezone })
  .meta({ id: 'ProgramDefinition' })

const Disclosure = z
  .object({ pricing_policy: z.enum(PRICING_POLICIES).default('published'), avails_policy: z.enum(AVAILS_POLICIES).default('published') })
  .meta({ id: 'Disclosure' })

const members = {
  product_id: ProductId,
  status: z
    .enum(PRODUCT_STATUSES)
    .optional()
    .meta({ description: 'withdrawn: no buyer sees the product and no new order can book it. available if omitted.' }),
  name: Label.optional(),
  network: Label,
  effective: DateRange.optional(),
  currencies: listOf(
    AudienceCode.refine((code) => !isMoneyCode(code), 'must be an audience code, not a currency code'),
    MAX_DECLARED,
  )
    .default([])
    .meta({ description: 'Audience codes that impressions are counted in, never money currencies. The list may be empty.' }),
  buy_types: listOf(z.enum(BUY_TYPES)).min(1),
  grains: listOf(z.enum(GRAINS)).min(1).default(['week']),
  visibility: z.enum(VISIBILITIES).default('open'),
  disclosure: Disclosure.prefault({}),
  posting_policy: Label.optional(),
  reporting_dayparts: z.array(z.enum(REPORTING_DAYPARTS)).max(6).optional(),
  external_ref: Name.optional().meta({ description: "The seller's own reference, unique per seller. Buyers never see it." }),
  billboard: z.record(z.string(), z.unknown()).optional(),
  spot_lengths: listOf(SpotLength, MAX_DECLARED).optional(),
  advertiser_classes: listOf(Name, MAX_DECLARED).optional(),
  mirror_product_id: Name.optional(),
  ...retired('product_id'),
}

const typesOf = <Members extends z.core.$ZodShape>(name: string, shape: Members) =>
  [
    z.object({ ...shape, type: z.literal('daypart'), definition: DaypartDefinition }).meta({ id: `Daypart${name}` }),
    z.object({ ...shape, type: z.literal('rotator'), definition: RotatorDefinition }).meta({ id: `Rotator${name}` }),
    z.object({ ...shape, type: z.literal('program'), definition: ProgramDefinition }).meta({ id: `Program${name}` }),
  ] as const

/** A product as its seller publishes it (contract, Product). */
export const Product = z.discriminatedUnion('type', typesOf('Product', members)).meta({ id: 'Product' })
export type Product = z.infer<typeof Product>

const { product_id: _, status: __, ...unnamed } = members
/** A product that a plan defines. The platform mints it and assigns its product_id. */
export const NewProduct = z
  .discriminatedUnion('type', typesOf('NewProduct', { ...unnamed, ...retired('product') }))
  .meta({ id: 'NewProduct' })
export type NewProduct = z.infer<typeof NewProduct>

export const PutCatalog = z.object({
  taxonomy_version: Name,
  products: z.array(z.unknown()).min(1).max(ENTRIES_PER_PUBLISH),
  ...retired('products'),
})
export type PutCatalog = z.infer<typeof PutCatalog>

/** The documented form of PutCatalog, which leaves products untyped, since each is checked and refused separately. */
export const CatalogUpdate = PutCatalog.extend({ products: z.array(Product).min(1).max(ENTRIES_PER_PUBLISH) }).meta({ id: 'CatalogUpdate' })

/** A refused entry (contract, One write model). */
export const EntryError = z
  .object({
    index: z.int().nonnegative(),
    error_code: z.enum(ENTRY_ERRORS),
    field: z.string().optional(),
    value: z.unknown().optional(),
    message: z.string(),
  })
  .meta({ id: 'EntryError' })
export type EntryError = z.infer<typeof EntryError>

export const EntryWarning = z
  .looseObject({ index: z.int().nonnegative(), code: z.string(), message: z.string() })
  .meta({ id: 'EntryWarning' })
export type EntryWarning = z.infer<typeof EntryWarning> & { code: EntryWarningCode }

const outcome = {
  result: z.enum(PUBLISH_RESULTS).meta({
    description: 'success: every entry was accepted; partial: some were; none: nothing was published. The status is 200 in each case.',
  }),
  accepted: z.int().nonnegative(),
  rejected: z.int().nonnegative(),
  errors: z.array(EntryError),
  warnings: z.array(EntryWarning),
}
export const CatalogReply = z.object({ taxonomy_version: z.string(), ...outcome, ...dryRunMembers }).meta({ id: 'CatalogReply' })
export type CatalogReply = z.infer<typeof CatalogReply>
export const RateCardReply = z.object({ commit: z.string(), ...outcome, ...dryRunMembers }).meta({ id: 'RateCardReply' })
export type RateCardReply = z.infer<typeof RateCardReply>
export const AvailsReply = z.object({ ...outcome, ...dryRunMembers }).meta({ id: 'AvailsReply' })
export type AvailsReply = z.infer<typeof AvailsReply>

/** GET /sellers/{seller}/catalog. */
export const CatalogRead = z
  .object({
    seller: z.string(),
    taxonomy_version: z.string().nullable(),
    rate_version: z.string().nullable(),
    products: z.array(z.looseObject({ product_id: z.string(), type: z.string(), network: z.string(), grains: z.array(z.enum(GRAINS)) })),
    buy_types: z.array(z.enum(BUY_TYPES)),
    rate_classes: z.array(z.string()),
  })
  .meta({ id: 'CatalogRead' })
export type CatalogRead = z.infer<typeof CatalogRead>
