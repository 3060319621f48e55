import type { Period } from '../../contract/scalars.ts'

export type QuestionKind = 'option' | 'role' | 'basis' | 'product' | 'fee' | 'bonus' | 'year' | 'weeks' | 'row' | 'rows'

export interface Question {
  readonly kind: QuestionKind
  readonly message: string
  readonly at: string
  /** The positions of the lines that wait for it. */
  readonly lines: readonly number[]
  /** What may be answered; empty where only its lines can be stated. */
  readonly choices: readonly Choice[]
  /** The words by which an answer is remembered. */
  readonly label?: string | undefined
}

/** An answer, with what it makes of the lines of its question. */
export interface Choice {
  readonly choice: string
  readonly text: string
  /** The lines that stay ordered; if absent, all of them. */
  readonly orders?: readonly number[] | undefined
  /** The column of prices that it takes. */
  readonly rate?: number | undefined
  /** The year of dates that print none. */
  readonly year?: number | undefined
  /** How the units of a span are those of its weeks. */
  readonly spread?: Spread | undefined
  /** What the columns of dates are, by `headingKey`. */
  readonly periods?: ReadonlyMap<string, Period> | undefined
}

/** How the units of a span are those of its weeks: `evenly`, the first weeks taking what is left over, or all of them in each week. */
export type Spread = 'evenly' | 'each_week'
