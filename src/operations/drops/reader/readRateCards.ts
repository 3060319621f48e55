import { faultsOf } from '../../../contract/errorEnvelope.ts'
import type { EntryError } from '../../../contract/product.ts'
import { PutRateCard, RateEntry } from '../../../contract/rateCard.ts'
import { ENTRIES_PER_PUBLISH } from '../../../contract/vocabulary/bounds.ts'
import { invalidEntry } from '../../../domain/publish/staged.ts'
import { costFault, MAX_PRICES } from '../../../domain/publish/stageRateCard.ts'
import { parseEntry } from '../../publishing/parseEntries.ts'
import { type EntryOutput, type EntryReader, HELD_CHARACTERS, rowErrors, warnUnknown } from './entryReader.ts'
import { type ReadTask, sliceLine } from './messages.ts'

/** The most commits of one file. */
const MAX_COMMITS = 1_000

const CommitHead = PutRateCard.omit({ entries: true })
type CommitHead = Pick<PutRateCard, 'commit' | 'effective' | 'agreement_id'>

interface Commit {
  readonly head: CommitHead
  readonly number: number
  /** The first row of the commit. */
  readonly row: number
  entries: number
}

/**
 * Checks rate entries against their schema and allows one cost each. Finds each entry's commit, either the one that it names or one named
 * after the drop and the file, over the window that it names or that of the manifest.
 */
export function readRateCards(
  task: ReadTask,
  output: EntryOutput,
  { mostEntries = MAX_PRICES, mostCharacters = HELD_CHARACTERS } = {},
): EntryReader {
  const commits = commitsOf(task, output)
  let entries = 0
  let characters = 0
  return {
    beginFile: commits.beginFile,
    take(sent) {
      const { row, entry } = sent
      const read = parseEntry(RateEntry, row, entry)
      const cost = costFault(entry)
      const errors = [
        ...(read.errors ?? []),
        ...(cost === undefined ? [] : [invalidEntry(row, 'gross_rate_unit', undefined, `The entry ${cost}.`)]),
      ]
      if (read.errors !== undefined || errors.length > 0) return output.reject(row, rowErrors(errors))
      const commit = commits.find(row, sent.head)
      if (Array.isArray(commit)) return output.reject(row, rowErrors(commit))
      const line = sliceLine({ row, commit: commit.number, entry: read.value })
      if (entries === mostEntries || characters + line.length > mostCharacters) return output.reject(row, rowErrors([tooMany(row)]))
      entries += 1
      characters += line.length
      commit.entries += 1
      warnUnknown(output, RateEntry, sent)
      output.accept(row, line)
    },
  }

  function tooMany(row: number): EntryError {
    const message = `The rate cards of a drop can have at most ${mostEntries} entries, and ${mostCharacters} characters as JSON.`
    return { index: row, error_code: 'INVALID_ENTRY', message }
  }
}

/** Finds the commits of the rows, file by file, and outputs the head of each at its first row. */
function commitsOf({ drop_id, effective, files }: ReadTask, output: EntryOutput) {
  let file = 0
  let numbers = 0
  /** The commits of the current file, by name. */
  let commits = new Map<string, Commit>()

  return {
    beginFile(index: number) {
      file = index
      commits = new Map()
    },
    find(row: number, sent: Readonly<Record<string, unknown>>): Commit | EntryError[] {
      const whole = { commit: `${drop_id}-${files[file]?.sha256.slice(0, 8)}`, ...(effective === undefined ? {} : { effective }), ...sent }
      const known = commits.get(String(whole.commit))
      const parsed = CommitHead.safeParse(whole)
      if (!parsed.success)
        return faultsOf(CommitHead, parsed.error.issues, whole).map(({ field = '', message }) =>
          invalidEntry(row, field, undefined, message),
        )
      const head = parsed.data
      if (known === undefined) return begun(row, head)
      const field = differentMember(known.head, head)
      if (field !== undefined)
        return [invalidEntry(row, field, undefined, `${field} differs from row ${known.row} of the commit ${head.commit}.`)]
      if (known.entries === ENTRIES_PER_PUBLISH)
        return [invalidEntry(row, 'commit', head.commit, `A commit can have at most ${ENTRIES_PER_PUBLISH} entries.`)]
      return known
    },
  }

  function begun(row: number, head: CommitHead): Commit | EntryError[] {
    if (commits.size === MAX_COMMITS) return [invalidEntry(row, 'commit', head.commit, `A file can have at most ${MAX_COMMITS} commits.`)]
    const commit = { head, number: numbers, row, entries: 0 }
    numbers += 1
    commits.set(head.commit, commit)
    const { agreement_id } = head
    output.head({
      kind: 'commit',
      file,
      row,
      number: commit.number,
      commit: head.commit,
      effective: head.effective,
      ...(agreement_id && { agreement_id }),
    })
    return commit
  }
}

function differentMember(a: CommitHead, b: CommitHead): string | undefined {
  if (a.effective.start !== b.effective.start) return 'effective.start'
  if (a.effective.end !== b.effective.end) return 'effective.end'
  return a.agreement_id === b.agreement_id ? undefined : 'agreement_id'
}
