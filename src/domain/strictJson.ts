import { Refusal } from './refusal.ts'

/** The most objects and lists that may be nested. */
export const MOST_LEVELS = 32
const SIGNIFICANT_DIGITS = 15
/** The most values, more than 100,000 entries have. A body of only small values takes far longer to parse than others of its size. */
const MOST_VALUES = 3_000_000
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses JSON strictly: valid UTF-8, no repeated key in an object, no U+0000 and no lone surrogate (Postgres stores neither), at most 32 levels,
 * and no number of more than 15 significant digits or beyond the range of a double, which would not be kept as sent. Errors: MALFORMED_REQUEST;
 * PAYLOAD_TOO_LARGE for more than `mostValues` values.
 */
export function strictJson(bytes: Uint8Array, mostValues = MOST_VALUES): unknown {
  if (bytes.length > mostValues && valuesIn(bytes) > mostValues)
    throw new Refusal('PAYLOAD_TOO_LARGE', `The body has more than ${mostValues} values.`)
  const text = decoded(bytes)
  const value = parsed(text)
  inspect(text)
  return value
}

/** Estimates the number of values in JSON text without parsing it, by counting commas. */
export function valuesIn(bytes: Uint8Array): number {
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x2c /* , */ || byte === 0x7b /* { */ || byte === 0x5b /* [ */) values++
  }
  return values
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformed('The body is not valid UTF-8.')
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(
      text === '' ? 'The body is empty; send a JSON object.' : `The body is not valid JSON: ${(error as SyntaxError).message}.`,
    )
  }
}

/** Checks text that is known to be valid JSON, in one pass. */
function inspect(text: string): void {
  const keys: (Set<string> | null)[] = [] // one per open object or array; null for an array
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b /* { */ || code === 0x5b /* [ */) {
      if (keys.length === MOST_LEVELS) throw malformed(`The body is nested deeper than ${MOST_LEVELS} levels.`)
      keys.push(code === 0x7b ? new Set() : null)
    } else if (code === 0x7d /* } */ || code === 0x5d /* ] */) {
      keys.pop()
    } else if (code === 0x22 /* " */) {
      const end = endOfString(text, at)
      const content = contentOf(text, at, end)
      at = end
      const known = keys.at(-1)
      if (known && isKey(text, end + 1)) {
        if (known.has(content)) throw malformed(`The key "${content}" occurs twice in one object.`)
        known.add(content)
      }
    } else if (code === 0x2d /* - */ || (code >= 0x30 && code <= 0x39)) {
      at = checkNumber(text, at)
    }
  }
}

function endOfString(text: string, start: number): number {
  let end = start + 1
  while (text.charCodeAt(end) !== 0x22) end += text.charCodeAt(end) === 0x5c /* \ */ ? 2 : 1
  return end
}

function contentOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end)
  const content: string = raw.includes('\\') ? JSON.parse(text.slice(start, end + 1)) : raw
  if (!isStorableText(content)) throw malformed('The body has U+0000 or a lone surrogate in a text, which is not allowed.')
  return content
}

/** Returns true for text that Postgres can store. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** Returns the text with U+FFFD in place of everything that Postgres cannot store or cannot read again from JSON. */
export function storableText(text: string): string {
  return isStorableText(text) ? text : text.toWellFormed().replaceAll('\u0000', '\ufffd')
}

function isKey(text: string, at: number): boolean {
  let next = at
  while (text.charCodeAt(next) <= 0x20) next++
  return text.charCodeAt(next) === 0x3a /* : */
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
function checkNumber(text: string, start: number): number {
  NUMBER.lastIndex = start
  const [number = ''] = NUMBER.exec(text) ?? []
  if (number.length > SIGNIFICANT_DIGITS || /[eE]/.test(number)) {
    const digits = significantDigits(number)
    const said = number.slice(0, 40)
    if (digits.length > SIGNIFICANT_DIGITS) throw malformed(`The number ${said} has more than ${SIGNIFICANT_DIGITS} significant digits.`)
    const value = Number(number)
    if (!Number.isFinite(value) || (value === 0 && digits !== '')) throw malformed(`The number ${said} is outside the range of a double.`)
  }
  return start + number.length - 1
}

/** Returns true for a decimal that a double keeps as written. */
export function isExactNumber(decimal: string): boolean {
  return decimal.length <= SIGNIFICANT_DIGITS || significantDigits(decimal).length <= SIGNIFICANT_DIGITS
}

/** Strips leading and trailing zeros. Works digit by digit, since a number may be as long as the body. */
function significantDigits(number: string): string {
  const [mantissa = ''] = number.split(/[eE]/)
  const digits = mantissa.replace(/\D/g, '')
  let [from, to] = [0, digits.length]
  while (digits[from] === '0') from += 1
  while (to > from && digits[to - 1] === '0') to -= 1
  return digits.slice(from, to)
}

function malformed(message: string): Refusal {
  return new Refusal('MALFORMED_REQUEST', message)
}
