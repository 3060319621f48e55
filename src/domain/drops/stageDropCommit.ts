import type { DropError, DropWarning } from '../../contract/drop.ts'
import type { EntryError, EntryWarning } from '../../contract/product.ts'
import type { RateEntry } from '../../contract/rateCard.ts'
import { WARNINGS_PER_DROP } from '../../contract/vocabulary/drops.ts'
import { addTo } from '../addTo.ts'
import { weeksBetween } from '../calendar.ts'
import { pricedValues } from '../publish/pricedEntries.ts'
import { priceWarnings } from '../publish/priceWarnings.ts'
import type { ProductTerms } from '../publish/productTerms.ts'
import { byIndex } from '../publish/staged.ts'
import { type Effective, MOST_PRICES, type PricedEntry, stageRateCard, windowFault } from '../publish/stageRateCard.ts'
import { unorderablePrices } from '../publish/unorderable.ts'
import type { PricedValue } from '../publish/unpriced.ts'
import { Refusal } from '../refusal.ts'
import { countsOf, type DropEntry, placedError, placedWarning, type RowCounts, rowName } from './dropEntry.ts'

/** A commit of a drop. The bytes of its file belong to it: the same name in another file is another commit. */
export interface DropCommit {
  readonly commit: string
  readonly effective: Effective
  readonly agreement_id: string | undefined
  /** A hash of the file and the name, as hexadecimal digits. */
  readonly body_sha256: string
  readonly entries: readonly DropEntry<RateEntry>[]
}

/** A commit that has been published, or, if it has no reply, an earlier commit of this drop. */
export interface EarlierCommit {
  readonly body_sha256: string
  readonly reply?: CommitReply
}

/** The answer to a commit, kept for drops that send the commit again. */
export interface CommitReply {
  readonly counts: RowCounts
  readonly errors: readonly Omit<DropError, 'file'>[]
}

export interface StagedDropCommit extends DropCommit {
  /** The prices to write; empty for a commit that is refused or was published before. */
  readonly accepted: readonly PricedEntry[]
  readonly values: readonly PricedValue[]
  readonly counts: RowCounts
  readonly errors: readonly DropError[]
  readonly warnings: readonly DropWarning[]
  /** The number of prices that the drop may still have. */
  readonly room: number
}

export interface CommitFacts {
  readonly earlier: ReadonlyMap<string, EarlierCommit>
  readonly agreements: ReadonlySet<string>
  /** The seller's currency, that of entries without one. */
  readonly currency: string
  /** The catalog after the drop. */
  readonly catalog: ReadonlyMap<string, ProductTerms>
  readonly now: string
  /** The number of prices that the commits before have left. */
  readonly room: number | undefined
  /** True if the drop has as many commits as it may. */
  readonly isFull: boolean
}

/** The most commits of one drop. Until the drop is published, every read of the seller's prices has to leave each of them out. */
export const COMMITS_PER_DROP = 100

/** The number of entries to stage at once. */
const AT_ONCE = 5_000

/**
 * Applies the rules of a PUT to one commit of a drop. A fault of the whole commit is an error at its first row and does not affect
 * the other commits (spec, File drops: everything but the integrity of the catalog is row-level).
 */
export function* stageDropCommit(commit: DropCommit, facts: CommitFacts): Generator<void, StagedDropCommit> {
  const { entries } = commit
  const room = facts.room ?? MOST_PRICES
  const none = { ...commit, accepted: [], values: [], errors: [], warnings: [], room, counts: countsOf(entries, new Set()) }
  const earlier = facts.earlier.get(commit.commit)
  if (earlier?.reply !== undefined && earlier.body_sha256 === commit.body_sha256) return { ...none, ...replayed(commit, earlier.reply) }
  const fault = faultOf(commit, facts, earlier)
  if (fault !== undefined) return { ...none, errors: fault }

  const known = new Set(facts.catalog.keys())
  const accepted: PricedEntry[] = []
  const refused: EntryError[] = []
  const warnings: EntryWarning[] = []
  try {
    for (const indexes of byProductAtOnce(entries)) {
      const some = indexes.map((index) => ({ index, value: (entries[index] as DropEntry<RateEntry>).value }))
      const staged = stageRateCard(commit.effective, known, some, facts.currency, (index) => rowName(entries, index))
      for (const one of staged.accepted) accepted.push(one)
      for (const one of staged.errors) refused.push(one)
      if (warnings.length < WARNINGS_PER_DROP)
        for (const one of unorderablePrices(staged.accepted, facts.catalog, facts.now)) warnings.push(one)
      yield
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...none, errors: atFirst(commit, 'commit', commit.commit, error.message) }
  }
  const prices = accepted.reduce((count, { weeks }) => count + weeks.length, 0)
  if (prices > room) return { ...none, errors: atFirst(commit, 'commit', commit.commit, tooMany(commit.commit, prices, room)) }
  accepted.sort(byIndex)
  // These come first, since the one of the currency must not be lost among many others.
  const said = [...priceWarnings(accepted, facts.currency), ...warnings]
  return {
    ...commit,
    accepted,
    values: pricedValues(accepted),
    errors: refused.sort(byIndex).map((error) => placedError(entries, error)),
    warnings: said.slice(0, WARNINGS_PER_DROP).map((warning) => placedWarning(entries, warning)),
    room: room - prices,
    counts: countsOf(entries, new Set(accepted.map(({ index }) => index))),
  }
}

/** Returns the weeks that a commit can price; none if its window is refused. */
export function weeksOfCommit({ effective }: DropCommit): string[] {
  return windowFault(effective) === undefined ? weeksBetween(effective.start, effective.end) : []
}

/** Returns the fault that refuses the whole commit, at its first row. */
function faultOf(commit: DropCommit, { agreements, isFull }: CommitFacts, earlier: EarlierCommit | undefined): DropError[] | undefined {
  const { commit: name, agreement_id, effective } = commit
  if (earlier !== undefined) {
    const message = `The commit ${name} was published with other content; a commit never changes. Choose another name.`
    return atFirst(commit, 'commit', name, message, 'CONFLICT')
  }
  if (isFull)
    return atFirst(commit, 'commit', name, `A drop can publish at most ${COMMITS_PER_DROP} commits. Send ${name} in another drop.`)
  if (agreement_id !== undefined && !agreements.has(agreement_id))
    return atFirst(commit, 'agreement_id', agreement_id, `${agreement_id} is not an agreement of yours.`)
  const fault = windowFault(effective)
  if (fault !== undefined)
    return atFirst(commit, fault.field, fault.field === 'effective.start' ? effective.start : effective.end, fault.message)
  return undefined
}

function atFirst(
  { entries: [first] }: DropCommit,
  field: string,
  value: string,
  message: string,
  error_code: DropError['error_code'] = 'INVALID_ENTRY',
): DropError[] {
  return first === undefined ? [] : [{ file: first.file, row: first.row, error_code, field, value, message }]
}

function tooMany(commit: string, prices: number, room: number): string {
  return `The commit ${commit} has ${prices} prices (entries times weeks); a drop can have ${MOST_PRICES}, of which ${room} are left. Send it in another drop.`
}

/** Returns the answer to a file that an earlier drop sent: the counts of that time, and its errors again. */
function replayed({ entries: [first] }: DropCommit, { counts, errors }: CommitReply): Pick<StagedDropCommit, 'counts' | 'errors'> {
  return { counts, errors: first === undefined ? [] : errors.map((error) => ({ file: first.file, ...error })) }
}

/** Yields the indexes of entries in groups that keep a product's entries together, since rules compare only entries of one product. */
function* byProductAtOnce(entries: readonly DropEntry<RateEntry>[]): Generator<number[]> {
  const indexesOf = new Map<string, number[]>()
  for (const [index, { value }] of entries.entries()) addTo(indexesOf, value.product_id, index)
  let some: number[] = []
  for (const indexes of indexesOf.values()) {
    for (const index of indexes) some.push(index)
    if (some.length < AT_ONCE) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
