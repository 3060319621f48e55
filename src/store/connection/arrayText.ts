import { memoized } from '../../domain/memoized.ts'

/**
 * Encodes array parameters as text in the form that Postgres reads. The driver quotes every element of an array again, which for millions
 * of rows costs more than the rest of writing them.
 */

/** Encodes numbers, dates and other values without commas, quotes, braces or spaces, none of them empty. */
export function plainArray(values: readonly (string | number)[]): string {
  return `{${values.join()}}`
}

/** Encodes texts, most of which recur. */
export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join()}}`
}

const quoted = memoized((text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`)

/** Joins JSON texts, one per line: a line end within JSON is white space. */
export function jsonLines(texts: readonly string[]): string {
  return texts.map((text) => (text.includes('\n') ? text.replaceAll('\n', ' ') : text)).join('\n')
}
