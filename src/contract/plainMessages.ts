import { z } from 'zod'

/**
 * Returns what a value must be, as a predicate for its member's name: `must be greater than 0`. Loading this module replaces zod's default
 * messages for every schema without its own.
 */
export function plainMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'undefined' ? 'is not taken here' : `must be ${typeName(issue.expected)}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return `must ${FORMATS[issue.format] ?? `match ${issue.pattern}`}${isNoDay(issue) ? ', and this day does not exist' : ''}`
    case 'unrecognized_keys':
      return `must not have ${issue.keys.length === 1 ? 'the member' : 'the members'} ${issue.keys.join(', ')}`
    case 'invalid_union':
      return ofUnion(issue)
    case 'invalid_key':
      return 'has a name that is not allowed'
    case 'invalid_element':
      return 'has an entry that is not allowed'
    default:
      return 'is not valid'
  }
}

z.config({ localeError: plainMessage })

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  url: 'be a URL',
  email: 'be an e-mail address',
  uuid: 'be a UUID',
  date: 'be a date as YYYY-MM-DD',
  datetime: 'be a time in UTC as YYYY-MM-DDThh:mm:ssZ',
}

/** Returns true for a date or a time in the right form whose day is not in the calendar, such as 2027-02-30. */
function isNoDay({ format, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): boolean {
  const [, year, month, day] = (typeof input === 'string' && /^(\d{4})-(\d\d)-(\d\d)(T|$)/.exec(input)) || []
  if ((format !== 'date' && format !== 'datetime') || day === undefined) return false
  const read = new Date(`${year}-${month}-01T00:00:00Z`)
  return Number.isNaN(read.getTime()) || Number(day) < 1 || Number(day) > daysOf(read)
}

/** The number of days of a month. */
function daysOf(month: Date): number {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()
}

function typeName(expected: string): string {
  return TYPES[expected] ?? `of the type ${expected}`
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return shown.length === 1 ? `${shown[0]}` : `one of ${shown.join(', ')}`
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (origin === 'string' && Number(minimum) === 1) return 'must not be empty'
  if (isCounted(origin)) return `must have at least ${counted(minimum, UNITS[origin])}`
  return `must be ${inclusive ? 'at least' : 'greater than'} ${minimum}`
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  if (isCounted(origin)) return `must have at most ${counted(maximum, UNITS[origin])}`
  return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`
}

const UNITS = { string: 'character', array: 'entry', set: 'entry', map: 'entry', object: 'member', record: 'member' } as const

function isCounted(origin: string): origin is keyof typeof UNITS {
  return Object.hasOwn(UNITS, origin)
}

function counted(number: number | bigint, unit: string): string {
  if (Number(number) === 1) return `1 ${unit}`
  return `${number} ${unit.endsWith('y') ? `${unit.slice(0, -1)}ies` : `${unit}s`}`
}

/** Returns the types that a union accepts, or the first fault against the option nearest to the value. */
function ofUnion({ errors, options, discriminator }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (discriminator !== undefined && Array.isArray(options)) return `must be ${oneOf(options)}`
  const firsts = errors.flatMap((branch: readonly z.core.$ZodIssue[]) => branch.slice(0, 1))
  const others = firsts.filter(({ code, path }) => code !== 'invalid_type' || path.length > 0)
  const [nearest] = others.sort((a, b) => b.path.length - a.path.length)
  if (nearest === undefined) {
    const types = firsts.map((first) => (first.code === 'invalid_type' ? typeName(first.expected) : ''))
    return `must be ${[...new Set(types)].join(' or ')}`
  }
  return nearest.path.length === 0 ? nearest.message : `is not valid: ${nearest.path.join('.')} ${nearest.message}`
}

/** The number of characters of a text that a message repeats, enough to recognize the text. */
const SHOWN = 40

/**
 * Returns what was sent, as the end of a message's sentence. Does not repeat text that is only too long or too short, and says that a value
 * is a list or an object only if that is the fault.
 */
export function sentInstead(issue: z.core.$ZodIssue, sent: unknown): string {
  const isSize = issue.code === 'too_big' || issue.code === 'too_small'
  if (typeof sent === 'string') {
    if (isSize) return sent === '' ? '' : `; it has ${counted(sent.length, 'character')}`
    return `; ${JSON.stringify(sent.length > SHOWN ? `${sent.slice(0, SHOWN).toWellFormed()}…` : sent)} was sent`
  }
  if (Array.isArray(sent) && isSize) return `; it has ${counted(sent.length, 'entry')}`
  if (typeof sent === 'object' && sent !== null) return isOfType(issue) ? `; ${Array.isArray(sent) ? 'a list' : 'an object'} was sent` : ''
  return sent === undefined ? '' : `; ${sent} was sent`
}

function isOfType({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || (code === 'invalid_union' && message.startsWith('must be '))
}
