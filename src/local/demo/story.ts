import { styleText } from 'node:util'
import type { Allocation, RateRead } from '../../contract/lineItem.ts'
import type { Period } from '../../contract/scalars.ts'
import { weekdayOf } from '../../domain/calendar.ts'
import { type DecimalLike, decimal, money } from '../../domain/decimal.ts'

/** The demo's report goes to standard output as steps, indented lines and small tables. */

const WIDTH = 116
const INDENT = '   '

export function heading(text: string): void {
  write(`\n${process.stdout.isTTY && !process.env.NO_COLOR ? styleText('bold', text) : text}\n`)
}

export function line(text = ''): void {
  write(text === '' ? '\n' : `${INDENT}${text}\n`)
}

/** Prints a table whose columns are as wide as their contents; the columns in `right` are aligned right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], right: readonly string[] = []): void {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((cells) => (cells[column] ?? '').length)))
  for (const cells of all) {
    const padded = head.map((name, column) => {
      const cell = cells[column] ?? ''
      const width = widths[column] ?? 0
      return right.includes(name) ? cell.padStart(width) : cell.padEnd(width)
    })
    line(padded.join('  ').trimEnd())
  }
}

/** Prints items one after the other, wraps full lines and indents the wrapped ones below the first item. */
export function flow(lead: string, items: readonly string[]): void {
  let current = lead
  for (const item of items) {
    if (current.length + item.length + 3 > WIDTH && current.trim() !== '') {
      line(current)
      current = ' '.repeat(lead.length)
    }
    current += `${current.length > lead.length ? ', ' : ''}${item}`
  }
  line(current)
}

/** Writes an exact amount, never through floating point: `133,315.00 USD`. */
export function amount(value: DecimalLike, currency: string): string {
  return `${exact(money(value, currency))} ${currency}`
}

export function count(value: number): string {
  return grouped(String(value))
}

export function price({ unit_cost, cpm }: Pick<RateRead, 'unit_cost' | 'cpm'>): string {
  return cpm === undefined ? exact(unit_cost ?? 0) : `${exact(cpm)} cpm`
}

/** Returns the amount of a line at its locked rate (a guaranteed cpm is per thousand of the impressions that each unit guarantees). */
export function lineAmount({ unit_cost, cpm, guaranteed_impressions }: RateRead, units: number): DecimalLike {
  const booked = decimal(units)
  if (cpm === undefined) return decimal(unit_cost ?? 0).times(booked)
  return decimal(cpm)
    .times(decimal(guaranteed_impressions ?? 0))
    .times(booked)
    .div(decimal(1_000))
}

export function periodText({ grain, start }: Period): string {
  return `${grain} ${start}`
}

/** `Mon 2027-02-01 x3`. */
export function airDate({ date, units }: Allocation): string {
  return `${weekdayOf(date)} ${date} x${units}`
}

/** Writes at least two decimal places, and never fewer than the value has. */
function exact(value: DecimalLike): string {
  const [whole = '', places = ''] = decimal(value).toFixed().split('.')
  return `${grouped(whole)}.${places.padEnd(2, '0')}`
}

function grouped(digits: string): string {
  return BigInt(digits).toLocaleString('en-US')
}

function write(text: string): void {
  process.stdout.write(text)
}
