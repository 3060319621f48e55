import { Refusal } from './refusal.ts'

/** The most objects and lists that may be nested. */
export const MAX_LEVELS = 32
const SIGNIFICANT_DIGITS = 15
/** As many as programs print of a double, in any language. */
const DIGITS_OF_DOUBLES = 17
/** The most values, more than 100,000 entries have. A body of only small values takes far longer to parse than others of its size. */
const MAX_VALUES = 3_000_000
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses JSON strictly: valid UTF-8, no repeated key in an object, no U+0000 and no lone surrogate (Postgres stores neither), at most 32 levels,
 * and no number that is not a double: beyond its range, of more digits than one prints, or whole and not kept as sent. What fields make of a
 * double of more than 15 digits is theirs (choices, Numbers). Errors: MALFORMED_REQUEST, with the dotted path of what is wrong inside the body;
 * PAYLOAD_TOO_LARGE for more than `mostValues` values.
 */
export function strictJson(bytes: Uint8Array, mostValues = MAX_VALUES): unknown {
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
      if (keys.length === MAX_LEVELS) throw malformed(`The body is nested deeper than ${MAX_LEVELS} levels.`)
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
  const fault = number.length > SIGNIFICANT_DIGITS || /[eE]/.test(number) ? faultOfNumber(number) : undefined
  if (fault === undefined) return start + number.length - 1
  const path = pathTo(text, start)
  const said = `The number ${number.slice(0, 40)}${path === '' ? '' : ` at ${path}`}`
  throw new Refusal('MALFORMED_REQUEST', `${said} ${fault}.`, path === '' ? {} : { field: path })
}

/** Returns why a number is not read, as the end of a sentence; undefined if it is. */
function faultOfNumber(number: string): string | undefined {
  const value = Number(number)
  const digits = significantDigits(number)
  if (!Number.isFinite(value) || (value === 0 && digits !== '')) return 'is outside the range of a double'
  if (digits.length > DIGITS_OF_DOUBLES) return `has more than ${DIGITS_OF_DOUBLES} significant digits, more than a double has`
  const isChanged = /^-?\d+$/.test(number) && digits.length > SIGNIFICANT_DIGITS && String(value) !== number
  return isChanged ? `is a whole number that a double does not keep, which would be read as ${value}` : undefined
}

/** Returns the dotted path to the value that starts at a place of valid JSON text; empty for the whole body. */
function pathTo(text: string, end: number): string {
  const steps: (string | number)[] = [] // one per open object or list: the last key, or the index
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    const step = steps.at(-1)
    if (code === 0x7b /* { */) steps.push('')
    else if (code === 0x5b /* [ */) steps.push(0)
    else if (code === 0x7d /* } */ || code === 0x5d /* ] */) steps.pop()
    else if (code === 0x2c /* , */ && typeof step === 'number') steps[steps.length - 1] = step + 1
    else if (code === 0x22 /* " */) {
      const close = endOfString(text, at)
      if (isKey(text, close + 1)) steps[steps.length - 1] = contentOf(text, at, close)
      at = close
    }
  }
  return steps.join('.')
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
