import { z } from 'zod'
import { isMoneyCode } from './moneyCodes.ts'
import { MAX_GROSS, MAX_UNITS } from './vocabulary/bounds.ts'
import { toFifteenDigits } from './vocabulary/digits.ts'

/** Scalar types that all resources share. */

/** Text of one line. A control character in an identifier is a slip of the program that sends it, and breaks files, mails and logs. */
export const OneLine = z.string().refine((text) => !/\p{Cc}/u.test(text), 'must not have control characters, such as line feeds')
/** An id or handle that a client sends. Its length is limited, since it is indexed. */
export const Name = OneLine.min(1).max(200)
/** The display name of the person who acts: recorded verbatim, not an identity (contract, Actor). */
export const Actor = z.string().min(1).max(200)
/** The reason for a command; empty text counts as none. Its length is limited, since every affected line repeats it. */
export const Reason = z
  .string()
  .max(1_000)
  .optional()
  .overwrite((reason) => (reason === '' ? undefined : reason))
/** The last_seq that the sender of a command saw. The command is refused if the order has changed since, as with If-Match (choices, If-Match). */
export const SeenSeq = z
  .int()
  .positive()
  .optional()
  .meta({ description: 'The last_seq of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE.' })
/** A product id. `*` means all products in an agreement, so it is not a valid id. */
export const ProductId = Name.refine((id) => id !== '*', 'must not be *, which means all products')
/** The code of an audience in which impressions are counted. */
export const AudienceCode = Name.refine((code) => code !== 'spots', 'must be an audience code, not spots')
/** Text for people. Its length is limited, since every read of a catalog includes it. */
export const Label = z.string().min(1).max(500)
/** An existing calendar date, `YYYY-MM-DD`. */
export const IsoDate = z.iso.date()
/** An ISO datetime kept as sent, including an offset; used only for issued_at (contract, Order creation body). */
export const SentDateTime = z.iso.datetime({ offset: true })
/** An ISO datetime. An offset is allowed and converted, since the service returns all other times in UTC (contract, Time and text). */
export const IsoDateTime = z.iso
  .datetime({ offset: true })
  .overwrite(inUtc)
  .refine((text) => !/^[+-]/.test(text), 'must be in the years 0000 to 9999 in UTC')
/** An ISO datetime in UTC, set by the platform. */
export const Stamp = z.iso.datetime()
/** A three-letter currency code. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, 'must be a three-letter currency code, such as USD')
/** The currency of a published price. */
export const MoneyCode = Currency.refine(isMoneyCode, 'must be a currency of ISO 4217')
/** A number that is not money. One of more than 15 significant digits, which a program has computed, is rounded to 15 (choices, Numbers). */
export const Decimal = z.number().overwrite(toFifteenDigits)
/** A price in major units of its currency (dollars, not cents), kept exactly as sent and never rounded. */
export const Money = z
  .number()
  .nonnegative()
  .max(1e12)
  .refine((price) => toFifteenDigits(price) === price, 'must have at most 15 significant digits, since money is not rounded')
/** The fault of `unit_cost` if a price has both it and `cpm`, or neither. */
export const EITHER_COST = 'must be sent unless cpm is, and never both'
/**
 * A total, small enough that a JSON number carries it exactly, so differences are exact too. Who knows its currency checks that it is not
 * finer than that; no currency has more than four decimals.
 */
export const Amount = z
  .number()
  .nonnegative()
  .max(MAX_GROSS)
  .refine((amount) => /^\d+(\.\d{1,4})?$/.test(String(amount)), 'must have at most four decimal places')
export const Count = z.int().nonnegative().max(1e12)
export const PositiveCount = z.int().positive().max(MAX_UNITS)
/** The length of a spot in seconds. */
export const SpotLength = z.int().positive().max(3600)
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day as HH:MM, 00:00 to 23:59')
/** A time of day, up to 29:59 in a broadcast day. */
export const AirTime = z
  .string()
  .regex(/^([01]\d|2\d):[0-5]\d(:[0-5]\d)?$/, 'must be a time as HH:MM or HH:MM:SS, 00:00 to 23:59, or to 29:59 on the broadcast clock')
export const IsoWeek = z.string().regex(/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/, 'must be an ISO week as YYYY-Www, such as 2026-W50')
export const IsoMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month as YYYY-MM, such as 2026-12')
export const DateRange = z
  .object({ start: IsoDate, end: IsoDate })
  .refine(({ start, end }) => start <= end, { path: ['end'], message: 'must not be before start' })
  .meta({ id: 'DateRange', description: 'Dates from start to end, both included.' })

/** The period of a line or an avail (contract, Line item). The grain decides the format of start. */
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

/** Members that were removed from the contract; `instead` says where a product is named now (contract, Removed terms: package, package_id and packages[] are refused). */
export function retired(instead: string) {
  const Retired = z.undefined({ error: `is not part of this contract; use ${instead}` }).optional()
  return { package: Retired, package_id: Retired, packages: Retired }
}

/** A sent `rate_basis`, which is ignored, since it is derived from the cost. Only per_second, which was removed, is refused (contract, Rate). */
export const SentBasis = z
  .unknown()
  .optional()
  .refine((basis) => basis !== 'per_second', 'must be per_unit or cpm')

/** The cursor of the next page; null on the last. */
export const NextCursor = z.string().nullable()

/** A bounded list of a request. The length is checked before the entries, so an oversized list does not produce a fault per entry. */
export const listOf = <Item extends z.ZodType>(item: Item, max = 1_000) => z.array(item).max(max)

/** A bounded map of a request, whose size is checked before its values. */
export const mapOf = <Value extends z.ZodType>(value: Value, max = 100) =>
  z.preprocess(
    (sent, ctx) => {
      if (typeof sent !== 'object' || sent === null || Object.keys(sent).length <= max) return sent
      ctx.addIssue(`must have at most ${max} members`)
      return z.NEVER
    },
    z.record(z.string(), value).meta({ maxProperties: max }),
  )

/** Runs a refinement across members even if a member is wrong, so one reply lists every fault. Runs on objects only. */
export const EVEN_SO = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null && !Array.isArray(value) }

function inUtc(text: string): string {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}
