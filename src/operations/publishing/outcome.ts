import type { EntryError, EntryWarning } from '../../contract/product.ts'
import type { Gate, PublishResult } from '../../contract/vocabulary.ts'
import { byIndex, type Staged } from '../../domain/publish/staged.ts'
import type { ParsedEntries } from './parseEntries.ts'

/** The ways in which a publish arrives. All share one write model; use of the API is recorded (choices, Level). */
export type Surface = Extract<Gate, 'api' | 'console'> | 'drop'

export interface Outcome {
  result: PublishResult
  accepted: number
  rejected: number
  errors: EntryError[]
  warnings: EntryWarning[]
}

/** Builds the answer to a publish: counts of entries, and every fault with its place in the body. */
export function outcomeOf(
  sent: readonly unknown[],
  read: Pick<ParsedEntries<unknown>, 'errors' | 'warnings'>,
  staged: Staged<unknown>,
): Outcome {
  const accepted = staged.accepted.length
  return {
    result: accepted === sent.length ? 'success' : accepted > 0 ? 'partial' : 'none',
    accepted,
    rejected: sent.length - accepted,
    errors: [...read.errors, ...staged.errors].sort(byIndex),
    warnings: [...read.warnings, ...staged.warnings].sort(byIndex),
  }
}
