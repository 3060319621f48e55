import { type Decimal, type DecimalLike, decimal, isExact } from '../../decimal.ts'

/** The one grammar of numbers in documents: money, counts and lengths. Each parser returns undefined for text of another kind. */

const BEFORE = /^(?:US\$|[$€£]|USD|EUR|GBP|CAD|AUD)\s*/i
const AFTER = / ?(?:US\$|[$€£]|USD|EUR|GBP|CAD|AUD)$/i
const NOTHING = /^[$€£]\s*[-–—]$/
const AMOUNT_CHARACTERS = 24

/**
 * Parses money or a count: `1,250.50`, `$1250.5`, `USD 1,250`, `(25.00)`. An accountant's `-` below a sign of money, `$ -`, is zero. Undefined
 * for anything else, for what may be several numbers, such as `5 3` or `1 250`, and for `1.250`, which is a thousand and more in many countries.
 */
export function amountOf(text: string): Decimal | undefined {
  const plain = text.trim()
  if (plain.length === 0 || plain.length > AMOUNT_CHARACTERS) return undefined
  if (NOTHING.test(plain)) return decimal(0)
  const bare = plain.replace(BEFORE, '').replace(AFTER, '')
  const negative = /^\((.+)\)$/.exec(bare) ?? /^-(.+)$/.exec(bare)
  const digits = (negative?.[1] ?? bare).trim().replace(BEFORE, '')
  if (!/^\d{1,3}(,\d{3})+(\.\d+)?$|^\d+(\.\d*)?$|^\.\d+$/.test(digits) || /^[1-9]\d{0,2}\.\d{3}$/.test(digits)) return undefined
  const number = digits.replace(/,/g, '').replace(/\.$/, '')
  if (!isExact(number)) return undefined
  const value = decimal(number as DecimalLike)
  return negative === null ? value : value.times(decimal(-1))
}

/** Parses the money of a cell that is known to hold a price, as exact decimal text: at least zero; `1 250` is one number there. */
export function readAmount(text: string): string | undefined {
  const amount = amountOf(text.replace(/(?<=\d)\s(?=\d{3}(?:\D|$))/g, ','))
  return amount === undefined || amount.lt(decimal(0)) ? undefined : amount.toFixed()
}

/** Returns true if a text is written as money: with a sign of currency or two decimals. */
export function isMoney(text: string): boolean {
  return amountOf(text) !== undefined && (/\$|USD/i.test(text) || /\.\d\d\)?$/.test(text.trim()))
}

/** Parses a count of at least zero. Money is no count, but a spreadsheet may write `2.0`. */
export function countOf(text: string): number | undefined {
  const plain = text.trim().replace(/\.0$/, '')
  return /^[\d,]+$/.test(plain) && plain.replace(/,/g, '').length <= COUNT_DIGITS ? wholeOf(plain) : undefined
}

/** Parses the units of a week: a count, also `2x` or `2 spots`. */
export function unitsIn(text: string): number | undefined {
  return countOf(text) ?? (/[a-z]/i.test(text) ? readCount(text) : undefined)
}

/** A number of more digits on a page is an id. */
const COUNT_DIGITS = 7

/** Parses the count of a cell that is known to hold one, of at least zero; `12x` and `12 spots` are 12. */
export function readCount(text: string): number | undefined {
  const digits = text
    .trim()
    .replace(/(?:x|spots?|units?)$/i, '')
    .trimEnd()
  return /^[\d,.]+$/.test(digits) ? wholeOf(digits) : undefined
}

function wholeOf(digits: string): number | undefined {
  const count = Number(amountOf(digits)?.toFixed() ?? Number.NaN)
  return Number.isSafeInteger(count) && count <= 1e9 ? count : undefined
}

/** Parses a length to seconds, as long as the trade sells spots: a clock, a count or a rating is none. */
export function secondsOf(text: string): number | undefined {
  const seconds = readSeconds(text)
  return seconds !== undefined && seconds >= 5 && seconds <= 300 && seconds % 5 === 0 ? seconds : undefined
}

/** Parses the length of a cell that is known to hold one, of up to an hour: `:30`, `:30s`, `30`, `30s`, `30 sec`, `0:30`, `1:00`, `00:00:30`, `1 min`, `1/2 min`. */
export function readSeconds(text: string): number | undefined {
  const plain = text.trim().toLowerCase()
  const clock = /^(?:(\d{1,2}):)?(\d{0,2}):\s?(\d{1,2})\s?(?:s|secs?|seconds?)?$/.exec(plain)
  if (clock !== null) return upToAnHour(Number(clock[1] ?? 0) * 3600 + Number(clock[2] || 0) * 60 + Number(clock[3]))
  if (/^(?:1\/2|½) ?-?min(?:ute)?s?\.?$/.test(plain)) return 30
  const number = /^(\d{1,4})(?:\.0+)?\s*(s|secs?|seconds?|"|''|m|mins?|minutes?)?\.?$/.exec(plain)
  return number === null ? undefined : upToAnHour(Number(number[1]) * (number[2]?.startsWith('m') === true ? 60 : 1))
}

function upToAnHour(seconds: number): number | undefined {
  return seconds > 0 && seconds <= 3_600 ? seconds : undefined
}
