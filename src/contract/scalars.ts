import { z } from 'zod'
import { isMoneyCode } from './moneyCodes.ts'
import { MOST_GROSS, MOST_UNITS } from './vocabulary.ts'

/** The small shapes that every resource shares. */

/** An id or handle as a client sends one: bounded, since it ends up in an index. */
export const Name = z.string().min(1).max(200)
/** Who acts, as it is to be displayed: recorded verbatim, and no identity (spec, Authentication 4). */
export const Actor = z.string().min(1).max(200)
/** Why somebody acts; an empty reason is none. Bounded, since every line that it is about repeats it. */
export const Reason = z
  .string()
  .max(1_000)
  .optional()
  .overwrite((reason) => (reason === '' ? undefined : reason))
/** Of a command, where its sender saw the order: it is refused once the order has moved on, as with If-Match (choices, If-Match). */
export const SeenSeq = z
  .int()
  .positive()
  .optional()
  .meta({ description: 'The last_seq of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE.' })
/** A product's id. `*` stands for all products in an agreement, and is no product. */
export const ProductId = Name.refine((id) => id !== '*', 'must not be *, which means all products')
/** An audience that impressions are counted in. */
export const AudienceCode = Name.refine((code) => code !== 'spots', 'must be an audience code, which spots is not')
/** Words for people: bounded, since every read of a catalog carries them. */
export const Label = z.string().min(1).max(500)
/** A calendar date, `YYYY-MM-DD`, that exists. */
export const IsoDate = z.iso.date()
/** An ISO datetime that is kept as sent, an offset included: of issued_at alone (spec, Order creation body). */
export const SentDateTime = z.iso.datetime({ offset: true })
/** An ISO datetime; an offset is allowed, and turned into UTC: every other time that the service gives back is in UTC (spec, head). */
export const IsoDateTime = z.iso
  .datetime({ offset: true })
  .overwrite(inUtc)
  .refine((text) => !/^[+-]/.test(text), 'must be in the years 0000 to 9999, in UTC too')
/** An ISO datetime in UTC, as the platform stamps it. */
export const Stamp = z.iso.datetime()
/** A three-letter currency code. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, 'must be a three-letter currency code, such as USD')
/** What a price is published in. */
export const MoneyCode = Currency.refine(isMoneyCode, 'must be a currency of ISO 4217')
/** A price in major units of its currency (dollars, not cents), exact as written. */
export const Money = z.number().nonnegative().max(1e12)
/** Said of `unit_cost` where a price has both it and `cpm`, or neither. */
export const EITHER_COST = 'must be sent unless cpm is, and never both'
/** What something comes to in all: at most what a JSON number carries exactly, and not split below the hundredth, so that differences are exact too. */
export const Amount = z
  .number()
  .nonnegative()
  .max(MOST_GROSS)
  .refine((amount) => /^\d+(\.\d{1,2})?$/.test(String(amount)), 'must have at most two decimal places')
export const Count = z.int().nonnegative().max(1e12)
export const PositiveCount = z.int().positive().max(MOST_UNITS)
/** Seconds. */
export const SpotLength = z.int().positive().max(3600)
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day as HH:MM, 00:00 to 23:59')
export const IsoWeek = z.string().regex(/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/, 'must be an ISO week as YYYY-Www, such as 2026-W50')
export const IsoMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month as YYYY-MM, such as 2026-12')
export const DateRange = z
  .object({ start: IsoDate, end: IsoDate })
  .refine(({ start, end }) => start <= end, { path: ['end'], message: 'must not be before start' })
  .meta({ id: 'DateRange', description: 'Dates from start to end, both included.' })

/** Period of a line or an avail (spec, Line item): the start's format follows from the grain. */
export const Period = z
  .discriminatedUnion(
    'grain',
    [
      z.object({ grain: z.literal('day'), start: IsoDate }).meta({ id: 'DayPeriod' }),
      z.object({ grain: z.literal('week'), start: IsoWeek }).meta({ id: 'WeekPeriod' }),
      z.object({ grain: z.literal('month'), start: IsoMonth }).meta({ id: 'MonthPeriod' }),
    ],
    { error: 'must be day, week or month' },
  )
  .meta({ id: 'Period' })
export type Period = z.infer<typeof Period>

/** A name that was taken out of the contract (spec, Product: package, package_id and packages[] are refused). */
export const Retired = z.undefined({ error: 'is not part of this contract: use product' }).optional()

/** `rate_basis` as a client may send it: derived from the cost field and ignored, but per-second pricing is gone (spec, Rate). */
export const SentBasis = z
  .unknown()
  .optional()
  .refine((basis) => basis !== 'per_second', 'must be per_unit or cpm')

/** Where the next page of a list starts; null at its end. */
export const NextCursor = z.string().nullable()

/** A list of a request. It is counted before its entries are looked at: of a bad one nobody is told a hundred thousand times. */
export const listOf = <Item extends z.ZodType>(item: Item, most = 1_000) => z.array(item).max(most)

/** A map of a request, counted before its values are looked at. */
export const mapOf = <Value extends z.ZodType>(value: Value, most = 100) =>
  z.preprocess(
    (sent, ctx) => {
      if (typeof sent !== 'object' || sent === null || Object.keys(sent).length <= most) return sent
      ctx.addIssue(`must have at most ${most} members`)
      return z.NEVER
    },
    z.record(z.string(), value).meta({ maxProperties: most }),
  )

/** For a rule across members: it is looked at even where a member is wrong, so that every fault is told at once. Only an object is. */
export const EVEN_SO = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null && !Array.isArray(value) }

function inUtc(text: string): string {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}
