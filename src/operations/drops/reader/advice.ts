import type { RowError } from './messages.ts'

/** What to do about a cell, and the cause for which it is said once. */
export interface Advice {
  readonly cause: string
  readonly what: string
}

/** Returns what to do about a cell in a form that a spreadsheet, or a country, writes and that is not accepted. */
export function adviceFor({ message, value }: Pick<RowError, 'message' | 'value'>): Advice | undefined {
  if (typeof value !== 'string') return undefined
  return ADVISERS.find(([of]) => message.includes(of))?.[1](value.trim())
}

/** Advice by a part of the message of a PUT. */
const ADVISERS: readonly (readonly [of: string, advise: (value: string) => Advice | undefined])[] = [
  ['must be a number', ofNumber],
  ['must be a date', ofDate],
  ['must be a time', ofTime],
  ['must be one of Mon', ofDays],
]

function ofNumber(value: string): Advice | undefined {
  if (/^[+-]?(\d+(\.\d+)?|\.\d+)$/.test(value) && value.replace(/\D/g, '').length > 15)
    return { cause: 'digits', what: 'it has more than 15 digits, which are not exact; round it to at most 15.' }
  if (/^[+-]?\d{1,3}(,\d{3})+$/.test(value))
    return {
      cause: 'commas',
      what: `write numbers without commas, ${value.replaceAll(',', '')}, or with a point before the decimals, ${value.replace(',', '.')}.`,
    }
  if (/^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(value))
    return { cause: 'thousands', what: `write numbers without separators of thousands, such as ${value.replaceAll(',', '')}.` }
  if (/^[+-]?[\d.]+,\d+$/.test(value))
    return { cause: 'decimals', what: `this column uses commas as decimals; write ${value.replaceAll('.', '').replace(',', '.')}.` }
  if (/^[+-]?[\d.]+[eE][+-]?\d+$/.test(value))
    return {
      cause: 'short',
      what: 'a spreadsheet shortens numbers to this form and may round them; format the column as numbers, and save it again.',
    }
  if (/\d/.test(value) && /[^\d.+-]/.test(value))
    return { cause: 'signs', what: 'write the number alone, such as 1250.50, without a currency, a unit or spaces.' }
  return undefined
}

function ofDate(value: string): Advice | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(value) ? undefined : { cause: 'date', what: 'write it with year, month and day, such as 2030-06-05.' }
}

function ofTime(value: string): Advice {
  const [, hour = '', minute = '00', half = ''] = /^(\d{1,2})(?::(\d\d))?(?::\d\d)? ?([ap])\.?m\.?$/i.exec(value) ?? []
  if (half !== '') {
    const of24 = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
    return { cause: 'halves', what: `write it with 24 hours, such as ${String(of24).padStart(2, '0')}:${minute}.` }
  }
  if (/^24:?00/.test(value)) return { cause: 'midnight', what: 'midnight is 00:00.' }
  return { cause: 'time', what: 'write hours and minutes of 24 hours, such as 19:30.' }
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function ofDays(value: string): Advice {
  const first = value.slice(0, 3).toLowerCase()
  const day = DAYS.find((one) => one.toLowerCase() === first)
  if (day !== undefined && /^[A-Za-z]+\.?$/.test(value)) return { cause: 'day', what: `write ${day}.` }
  return { cause: 'days', what: 'write each day with three letters and bars between them, such as Mon|Tue|Wed|Thu|Fri.' }
}
