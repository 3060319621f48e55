import { type Decimal, type DecimalLike, decimal, isExact } from '../../decimal.ts'

/**
 * Parses money or a count: `1,250.50`, `$1250.5`, `USD 1,250`, `(25.00)`. An accountant's `-` below a sign of money, `$ -`, is zero. Undefined
 * for anything else, and for what may be several numbers, such as `5 3`.
 */
export function amountOf(text: string): Decimal | undefined {
  const plain = text.trim()
  if (plain.length === 0 || plain.length > AMOUNT_CHARACTERS) return undefined
  if (/^\$\s*[-–—]$/.test(plain)) return decimal(0)
  const bare = plain.replace(/^(USD|US\$|\$)\s*/i, '').replace(/ ?USD$/i, '')
  const negative = /^\((.+)\)$/.exec(bare) ?? /^-(.+)$/.exec(bare)
  const digits = (negative?.[1] ?? bare).trim().replace(/^\$\s*/, '')
  if (!/^\d{1,3}(,\d{3})+(\.\d+)?$|^\d+(\.\d*)?$|^\.\d+$/.test(digits)) return undefined
  const number = digits.replace(/,/g, '').replace(/\.$/, '')
  if (!isExact(number)) return undefined
  const value = decimal(number as DecimalLike)
  return negative === null ? value : value.times(decimal(-1))
}

const AMOUNT_CHARACTERS = 24

/** Returns true if a text is written as money: with a sign of currency or two decimals. */
export function isMoney(text: string): boolean {
  return amountOf(text) !== undefined && (/\$|USD/i.test(text) || /\.\d\d\)?$/.test(text.trim()))
}

/** Parses a count of at least zero. Money is no count, but a spreadsheet may write `2.0`. */
export function countOf(text: string): number | undefined {
  const plain = text.trim().replace(/\.0$/, '')
  if (!/^\d{1,3}(,\d{3})+$|^\d{1,7}$/.test(plain)) return undefined
  return Number(plain.replace(/,/g, ''))
}

/** Parses a length to seconds: `:30`, `:30s`, `30`, `30s`, `30 sec`, `0:30`, `1:00`, `00:00:30`. */
export function secondsOf(text: string): number | undefined {
  const plain = text.trim().toLowerCase()
  const clock = /^(?:(\d{1,2}):)?(\d{0,2}):\s?(\d{1,2})\s?(?:s|secs?|seconds?)?$/.exec(plain)
  if (clock !== null) return length(Number(clock[1] ?? 0) * 3600 + Number(clock[2] || 0) * 60 + Number(clock[3]))
  const number = /^(\d{1,3})(?:\.0+)?\s*(s|secs?|seconds?|"|''|m|mins?|minutes?)?\.?$/.exec(plain)
  return number === null ? undefined : length(Number(number[1]) * (number[2]?.startsWith('m') === true ? 60 : 1))
}

/** Spots are as long as the trade sells them: a clock, a count or a rating is no length. */
function length(seconds: number): number | undefined {
  return seconds >= 5 && seconds <= 300 && seconds % 5 === 0 ? seconds : undefined
}
