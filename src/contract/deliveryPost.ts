import { z } from 'zod'
import {
  AirTime,
  Amount,
  AudienceCode,
  Currency,
  Decimal,
  EVEN_SO,
  IsoDate,
  IsoMonth,
  Label,
  listOf,
  Money,
  Name,
  SpotLength,
} from './scalars.ts'
import { asRunOutcome } from './vocabulary/asRun.ts'
import { AIRING_CLOCKS, POST_STREAMS, RECORD_TYPES, RUN_CODES } from './vocabulary/drops.ts'
import { finerThanCurrency } from './vocabulary/minorUnits.ts'

/** The most spots that one row may say that it makes good. */
const MAKEGOODS_NAMED = 20

/** The order that a row is about, by the id of the seller, the buyer or the platform. Several of them must name the same order. */
const references = { order_id: Name.optional(), seller_order_id: Name.optional(), external_order_id: Name.optional() }

const airing = {
  ...references,
  network: Label,
  air_date: IsoDate.describe('The date on which the spot aired, in the time zone of the product.'),
  air_time: AirTime.optional().describe(
    'The time at which the spot aired, in the time zone of the product. Required for a spot that aired.',
  ),
  clock: z
    .enum(AIRING_CLOCKS)
    .default('calendar')
    .describe('calendar, or broadcast: air_date is the broadcast date, and times after midnight are 24:00 to 29:59.'),
  spot_length: SpotLength,
  unit_id: Name.optional(),
  isci: Name.optional().describe('The id of the copy that aired.'),
  makegood_for_unit_id: Name.optional().describe('The line whose missed spot this one makes good.'),
  makegood_for_date: IsoDate.optional().describe('The date of the missed spot that this one makes good.'),
  makegood_for: listOf(Name, MAKEGOODS_NAMED)
    .optional()
    .describe(
      "The missed spots that this one makes good, by the seller's own references: one spot may make good several, and several one. Kept and shown.",
    ),
  is_bonus: z.boolean().optional().describe('Whether the spot is a bonus, at no price. Kept and shown.'),
  is_adu: z.boolean().optional().describe('Whether the spot is an audience deficiency unit, at no price. Kept and shown.'),
  is_credit: z.boolean().optional().describe('Whether the spot is a credit. Kept and shown.'),
  seller_line_id: Name.optional().describe("The seller's own number of the line. Kept and shown."),
  revision: z.int().nonnegative().max(1_000_000).optional().describe('The number of a correction: the highest one counts.'),
}

const RECORD_TYPE = 'as_run: a spot of a log. invoice: a spot of an invoice. post: the audience of a date.'

/** A row of a station's log: a spot that aired or did not. */
export const AsRunRow = z
  .object({
    record_type: z.literal('as_run').describe(RECORD_TYPE),
    ...airing,
    status: Name.describe(
      'What became of the spot, in one of the words listed with the columns. A word that is not among them is warned about, and its row changes nothing.',
    ),
    reason: Label.optional().describe('Why the spot did not air.'),
    log_id: Name.optional().describe(
      'The id of the log. Of a network and a broadcast day, a log replaces the one with its id; without an id, the one without. A log that begins at ' +
        'midnight needs an id of its own: its first hours are of the broadcast day before.',
    ),
  })
  .superRefine((row, ctx) => {
    checkReference(row, ctx, 0)
    checkTime(row, typeof row.status === 'string' && asRunOutcome(row.status) === 'aired', ctx)
  }, EVEN_SO)
  .meta({ id: 'AsRunRow' })

const InvoiceShape = z.object({
  record_type: z.literal('invoice').describe(RECORD_TYPE),
  ...airing,
  invoice_number: Name.describe('The number of the invoice. An invoice sent again replaces the earlier one of its number.'),
  invoice_date: IsoDate.describe('The date of the invoice.'),
  broadcast_month: IsoMonth.describe('The broadcast month that is billed, YYYY-MM.'),
  currency: Currency,
  run_code: z.enum(RUN_CODES).describe('Y: the spot aired and is billed. N: it did not air.'),
  rate: Money.describe(
    'The gross amount that is billed for the spot, in major units of its currency. It may be finer than a minor unit, as the unit price of a cpm is.',
  ),
  invoice_gross: Amount.optional().describe('The gross total of the invoice.'),
  invoice_commission: Amount.optional().describe('The agency commission of the invoice.'),
  invoice_net: Amount.optional().describe('The net total of the invoice.'),
  invoice_spot_count: z.int().nonnegative().optional().describe('The number of spots on the invoice.'),
})

/** A spot that a seller's invoice bills. */
export const InvoiceRow = InvoiceShape.superRefine((row, ctx) => {
  checkInvoiceRow(row, ctx)
  if (typeof row.currency !== 'string') return
  for (const member of ['invoice_gross', 'invoice_commission', 'invoice_net'] as const) {
    const message = typeof row[member] === 'number' ? finerThanCurrency(row[member], row.currency) : undefined
    if (message !== undefined) ctx.addIssue({ code: 'custom', path: [member], message })
  }
}, EVEN_SO).meta({ id: 'InvoiceRow' })

/** A spot of a station invoice file, which has no currency: the currency of the order applies. */
export const StationInvoiceRow = InvoiceShape.omit({ currency: true }).superRefine(checkInvoiceRow, EVEN_SO)

/** What one spot, or all spots of a unit on one date, delivered of an audience. */
export const AudiencePostRow = z
  .object({
    record_type: z.literal('post').describe(RECORD_TYPE),
    ...references,
    network: Label,
    air_date: IsoDate.describe('The date on which the spots aired.'),
    unit_id: Name,
    audience_code: AudienceCode,
    stream: z.enum(POST_STREAMS).describe('The viewing that is counted: Live, C3 or C7.'),
    impressions: Decimal.nonnegative().max(1e12).describe('The impressions of all spots of the line on that date, not in thousands.'),
    final: z.boolean().describe('Whether the figure is final, or an estimate.'),
    revision: airing.revision,
  })
  .superRefine((row, ctx) => checkReference(row, ctx), EVEN_SO)
  .meta({ id: 'AudiencePostRow' })

/** A row of a `delivery_posts` file. */
export const DeliveryPost = z.discriminatedUnion('record_type', [AsRunRow, InvoiceRow, AudiencePostRow]).meta({ id: 'DeliveryPost' })
export type DeliveryPost = z.infer<typeof DeliveryPost>

/** What a refused row may still tell: the log or invoice that it is of, and its date, time and copy. Members that are wrong are absent. */
export const PostKey = z.object({
  record_type: z.enum(RECORD_TYPES).optional().catch(undefined),
  network: Label.optional().catch(undefined),
  log_id: Name.default('').or(z.undefined()).catch(undefined),
  invoice_number: Name.optional().catch(undefined),
  air_date: IsoDate.optional().catch(undefined),
  air_time: AirTime.optional().catch(undefined),
  clock: z.enum(AIRING_CLOCKS).catch('calendar'),
  isci: Name.optional().catch(undefined),
})

type References = { readonly [name in keyof typeof references]?: unknown }
type Context = z.core.$RefinementCtx

function checkInvoiceRow(row: z.infer<typeof StationInvoiceRow>, ctx: Context): void {
  checkReference(row, ctx)
  checkTime(row, row.run_code === 'Y', ctx)
}

function checkReference(row: References, ctx: Context, fewest = 1): void {
  const names = Object.keys(references)
  if (names.filter((name) => row[name as keyof References] !== undefined).length >= fewest) return
  ctx.addIssue({ code: 'custom', path: ['order_id'], message: `must be sent, or another one of ${names.join(', ')}` })
}

/** Checks the time of a spot: only an aired one needs a time, and only the broadcast clock has hours from 24 on. */
function checkTime({ air_time, clock }: { air_time?: unknown; clock?: unknown }, aired: boolean, ctx: Context): void {
  if (air_time === undefined && aired) ctx.addIssue({ code: 'custom', path: ['air_time'], message: 'is required of a spot that aired' })
  if (typeof air_time === 'string' && air_time >= '24' && clock !== 'broadcast')
    ctx.addIssue({ code: 'custom', path: ['air_time'], message: 'must be before 24:00 unless clock is broadcast' })
}
