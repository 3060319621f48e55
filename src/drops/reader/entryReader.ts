import type { SentEntry } from './sentEntries.ts'

/** Takes the entries of one type, over all files of a drop, and reports them to the output. */
export interface EntryReader {
  take(sent: SentEntry): void
  /** Ends a file: an entry may have several rows. */
  endFile?(): void
}
