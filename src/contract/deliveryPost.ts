import { z } from 'zod'
import { Amount, AudienceCode, Currency, EVEN_SO, IsoDate, IsoMonth, Label, Money, Name, SpotLength } from './scalars.ts'
import { AIRING_CLOCKS, POST_STREAMS, RUN_CODES } from './vocabulary/drops.ts'

/** A time of day, in a broadcast day up to 29:59. */
const AirTime = z
  .string()
  .regex(/^([01]\d|2\d):[0-5]\d(:[0-5]\d)?$/, 'must be a time as HH:MM or HH:MM:SS, 00:00 to 23:59, or to 29:59 on the broadcast clock')

/** Which order a row is about, in the words of the seller, the buyer or the platform. */
const references = { order_id: Name.optional(), seller_order_id: Name.optional(), external_order_id: Name.optional() }

const airing = {
  ...references,
  network: Label,
  air_date: IsoDate,
  air_time: AirTime.optional(),
  clock: z.enum(AIRING_CLOCKS).default('calendar'),
  spot_length: SpotLength,
  unit_id: Name.optional(),
  isci: Name.optional(),
  makegood_for_unit_id: Name.optional(),
  makegood_for_date: IsoDate.optional(),
  revision: z.int().nonnegative().max(1_000_000).optional(),
}

/** A row of a station's log: a spot that aired or did not. */
export const AsRunRow = z
  .object({ record_type: z.literal('as_run'), ...airing, status: Name, reason: Label.optional(), log_id: Name.optional() })
  .superRefine((row, ctx) => {
    checkReference(row, ctx, 0)
    checkTime(row, isAired(row.status), ctx)
  }, EVEN_SO)
  .meta({ id: 'AsRunRow' })

const InvoiceShape = z.object({
  record_type: z.literal('invoice'),
  ...airing,
  invoice_number: Name,
  invoice_date: IsoDate,
  broadcast_month: IsoMonth,
  currency: Currency,
  run_code: z.enum(RUN_CODES),
  rate: Money,
  invoice_gross: Amount.optional(),
  invoice_commission: Amount.optional(),
  invoice_net: Amount.optional(),
  invoice_spot_count: z.int().nonnegative().optional(),
})

/** A spot that a seller's invoice bills. */
export const InvoiceRow = InvoiceShape.superRefine(checkInvoiceRow, EVEN_SO).meta({ id: 'InvoiceRow' })

/** The same from a station invoice file, which has no currency: it is that of the order. */
export const StationInvoiceRow = InvoiceShape.omit({ currency: true }).superRefine(checkInvoiceRow, EVEN_SO)

/** What a spot, or a unit's spots of a date, delivered of an audience. */
export const AudiencePostRow = z
  .object({
    record_type: z.literal('post'),
    ...references,
    network: Label,
    air_date: IsoDate,
    unit_id: Name,
    audience_code: AudienceCode,
    stream: z.enum(POST_STREAMS),
    impressions: z.number().nonnegative().max(1e12),
    final: z.boolean(),
    revision: airing.revision,
  })
  .superRefine((row, ctx) => checkReference(row, ctx), EVEN_SO)
  .meta({ id: 'AudiencePostRow' })

/** A row of a `delivery_posts` file. */
export const DeliveryPost = z.discriminatedUnion('record_type', [AsRunRow, InvoiceRow, AudiencePostRow]).meta({ id: 'DeliveryPost' })
export type DeliveryPost = z.infer<typeof DeliveryPost>

/** Statuses of spots that aired, as traffic systems write them. */
export function isAired(status: unknown): boolean {
  return typeof status === 'string' && /^(aired|joined in progress)/i.test(status)
}

type References = { readonly [name in keyof typeof references]?: unknown }
type Context = z.core.$RefinementCtx

function checkInvoiceRow(row: z.infer<typeof StationInvoiceRow>, ctx: Context): void {
  checkReference(row, ctx)
  checkTime(row, row.run_code === 'Y', ctx)
}

function checkReference(row: References, ctx: Context, fewest = 1): void {
  const sent = Object.keys(references).filter((name) => row[name as keyof References] !== undefined)
  if (sent.length >= fewest && sent.length <= 1) return
  const message = `must be the only one of ${Object.keys(references).join(', ')}; ${sent.length === 0 ? 'none was' : `${sent.join(' and ')} were`} sent`
  ctx.addIssue({ code: 'custom', path: [sent[0] ?? 'order_id'], message })
}

/** A spot that did not air may have no time. Hours from 24 on are of a broadcast day. */
function checkTime({ air_time, clock }: { air_time?: unknown; clock?: unknown }, aired: boolean, ctx: Context): void {
  if (air_time === undefined && aired) ctx.addIssue({ code: 'custom', path: ['air_time'], message: 'is required of a spot that aired' })
  if (typeof air_time === 'string' && air_time >= '24' && clock !== 'broadcast')
    ctx.addIssue({ code: 'custom', path: ['air_time'], message: 'must be before 24:00 unless clock is broadcast' })
}
