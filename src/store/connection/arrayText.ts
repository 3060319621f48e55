import { memoized } from '../../domain/memoized.ts'

/**
 * Array parameters as text, as Postgres reads them. The driver quotes each element of an array anew, which costs more than all else that a row is written
 * with where there are millions.
 */

/** An array of numbers, dates and other values without commas, quotes, braces or spaces, none of them empty. */
export function plainArray(values: readonly (string | number)[]): string {
  return `{${values.join()}}`
}

/** An array of texts, most of which recur. */
export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join()}}`
}

const quoted = memoized((text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`)
