import { Refusal } from './refusal.ts'

const DEPTH = 32
const SIGNIFICANT_DIGITS = 15
/** More than 100,000 entries of a publish have. A body of nothing but small values takes far longer to read than one of its size does. */
const MOST_VALUES = 3_000_000
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * JSON as this service accepts it, or MALFORMED_REQUEST: UTF-8 that is valid, no key twice in one object, no U+0000 and no lone surrogate
 * (Postgres stores neither), at most 32 levels, and no number of more than 15 significant digits or beyond the range of a double (it would not survive as sent).
 * More than `mostValues` values: PAYLOAD_TOO_LARGE.
 */
export function strictJson(bytes: Uint8Array, mostValues = MOST_VALUES): unknown {
  if (bytes.length > mostValues && valuesIn(bytes) > mostValues)
    throw new Refusal('PAYLOAD_TOO_LARGE', `The body holds more than ${mostValues} values.`)
  const text = decoded(bytes)
  const value = parsed(text)
  inspect(text)
  return value
}

/** About how many values JSON text holds, found without reading it: each but the last of a list or an object is followed by a comma. */
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

/** One pass over text that is known to be valid JSON. */
function inspect(text: string): void {
  const keys: (Set<string> | null)[] = [] // one per open object or array; null for an array
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b /* { */ || code === 0x5b /* [ */) {
      if (keys.length === DEPTH) throw malformed(`The body is nested deeper than ${DEPTH} levels.`)
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
  if (!isStorableText(content)) throw malformed('The body holds U+0000 or a lone surrogate, which no text may.')
  return content
}

/** Text that Postgres can store. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
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
    if (!Number.isFinite(value) || (value === 0 && digits !== ''))
      throw malformed(`The number ${said} is too large or too small to be kept.`)
  }
  return start + number.length - 1
}

/** Without the zeros that lead and trail. Digit by digit: the number may be as long as the body. */
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
