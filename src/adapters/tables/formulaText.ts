/**
 * An order's csv has an apostrophe before text that a spreadsheet would run as a formula, and a file that is returned filled in has it still. Text
 * that begins so itself gets another one, so that taking one off always gives back what was written.
 */

const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/

/** Returns the text of a cell as a spreadsheet may open it. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** Returns the text that `escapeFormula` was given. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}
