import type { DropError, DropWarning } from '../../contract/drop.ts'
import type { EntryError, EntryWarning } from '../../contract/product.ts'
import type { RateEntry } from '../../contract/rateCard.ts'
import { WARNINGS_PER_DROP } from '../../contract/vocabulary/drops.ts'
import { addTo } from '../addTo.ts'
import { weeksBetween } from '../calendar.ts'
import {
  type CommittedPrice,
  completeCommit,
  conflictText,
  hasRefused,
  isOpen,
  otherHeadText,
  otherMember,
} from '../publish/completeCommit.ts'
import { type KeysFault, keysFault } from '../publish/keysPerProduct.ts'
import { pricedValues } from '../publish/pricedEntries.ts'
import { priceWarnings } from '../publish/priceWarnings.ts'
import type { ProductTerms } from '../publish/productTerms.ts'
import { byIndex } from '../publish/staged.ts'
import { type Effective, MAX_PRICES, type PricedEntry, stageRateCard, windowFault } from '../publish/stageRateCard.ts'
import { unorderablePrices } from '../publish/unorderable.ts'
import type { PricedValue } from '../publish/unpriced.ts'
import { Refusal } from '../refusal.ts'
import { countsOf, type DropEntry, placedError, placedWarning, type RowCounts, rowName } from './dropEntry.ts'

/** A commit of a drop. The bytes of its file belong to it: the same name in another file is another commit. */
export interface DropCommit {
  readonly commit: string
  readonly effective: Effective
  readonly agreement_id: string | undefined
  /** A hash of the name and of the files that have rows of it, as hexadecimal digits. */
  readonly body_sha256: string
  /** Whether rows of these files could not be read as entries. */
  readonly has_unread_rows: boolean
  readonly entries: readonly DropEntry<RateEntry>[]
}

/** A commit that has been published before, or by an earlier file of this drop. */
export interface EarlierCommit {
  readonly body_sha256: string
  readonly commit_no: string
  /** The stored answer. */
  readonly reply: string
  readonly effective: Effective
  readonly agreement_id: string | null
  readonly has_parts: boolean
  /** What it has published for the keys of the drop's entries. */
  readonly prices: readonly CommittedPrice[]
}

export interface StagedDropCommit extends DropCommit {
  /** The prices to write; empty for a commit that is refused or was published before. */
  readonly accepted: readonly PricedEntry[]
  readonly values: readonly PricedValue[]
  /** The number of the commit of this name that the prices complete; absent for a new commit. */
  readonly completes?: string | undefined
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
  /** What the commits before price, the published ones and those of the drop. */
  readonly priced: readonly PricedValue[]
  /** The number of prices that the commits before have left. */
  readonly room: number | undefined
  /** True if the drop has as many commits as it may. */
  readonly isFull: boolean
}

/** The most commits of one drop. Until the drop is published, every read of the seller's prices has to leave each of them out. */
export const COMMITS_PER_DROP = 100

/** The number of entries to stage at once. */
const BATCH = 5_000

/**
 * Applies the rules of a PUT to one commit of a drop. A fault of the whole commit is an error at its first row and does not affect
 * the other commits (contract, File drops: integrity). Rows of a commit that was published before
 * are checked again and may complete it; each row that would change it is CONFLICT.
 */
export function* stageDropCommit(commit: DropCommit, facts: CommitFacts): Generator<void, StagedDropCommit> {
  const { entries } = commit
  const room = facts.room ?? MAX_PRICES
  const none = { ...commit, accepted: [], values: [], errors: [], warnings: [], room, counts: countsOf(entries, new Set()) }
  const earlier = facts.earlier.get(commit.commit)
  const isSame = earlier?.body_sha256 === commit.body_sha256
  if (earlier !== undefined && isSame && !hasRefused(earlier.reply))
    return { ...none, counts: countsOf(entries, new Set(entries.keys())), warnings: repeated(commit) }
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
  let sold: readonly PricedEntry[] = accepted.sort(byIndex)
  const conflicting: DropError[] = []
  const taken = new Set(accepted.map(({ index }) => index))
  if (earlier !== undefined) {
    const { added, changed } = completeCommit(earlier.prices, sold, facts.currency)
    const isCompletable = isSame || isOpen(earlier)
    sold = isCompletable ? added : []
    for (const [faulty, isChange] of [[isSame ? [] : changed, true] as const, [isCompletable ? [] : added, false] as const]) {
      conflicting.push(...conflicts(commit, faulty, isChange))
      for (const { index } of faulty) taken.delete(index)
    }
  }
  const prices = sold.reduce((count, { weeks }) => count + weeks.length, 0)
  if (prices > room) return { ...none, errors: atFirst(commit, 'commit', commit.commit, tooMany(commit.commit, prices, room)) }
  const values = pricedValues(sold)
  const tooManyKeys = keysFault(facts.priced, values)
  if (tooManyKeys !== undefined) return { ...none, errors: atFirstOf(commit, tooManyKeys) }
  // These come first, since the one of the currency must not be lost among many others.
  const said = [...priceWarnings(sold, facts.currency), ...warnings]
  return {
    ...commit,
    accepted: sold,
    completes: earlier?.commit_no,
    values,
    errors: [...refused.sort(byIndex).map((error) => placedError(entries, error)), ...conflicting],
    warnings: said.slice(0, WARNINGS_PER_DROP).map((warning) => placedWarning(entries, warning)),
    room: room - prices,
    counts: countsOf(entries, taken),
  }
}

/** Returns the weeks that a commit can price; none if its window is refused. */
export function weeksOfCommit({ effective }: DropCommit): string[] {
  return windowFault(effective) === undefined ? weeksBetween(effective.start, effective.end) : []
}

/** Returns the fault that refuses the whole commit, at its first row. */
function faultOf(commit: DropCommit, { agreements, isFull }: CommitFacts, earlier: EarlierCommit | undefined): DropError[] | undefined {
  const { commit: name, agreement_id, effective } = commit
  const other = earlier === undefined ? undefined : (otherMember(earlier, commit) ?? (earlier.reply === '' ? 'content' : undefined))
  if (other !== undefined) return atFirst(commit, 'commit', name, otherHeadText(name, other), 'CONFLICT')
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

/** Returns a fault of the whole commit at the first row of the product that it is of. */
function atFirstOf(commit: DropCommit, { product_id, message }: KeysFault): DropError[] {
  const entries = commit.entries.filter(({ value }) => value.product_id === product_id)
  return atFirst({ ...commit, entries }, 'product_id', product_id, message)
}

function tooMany(commit: string, prices: number, room: number): string {
  return `The commit ${commit} has ${prices} prices (entries times weeks); a drop can have ${MAX_PRICES}, of which ${room} are left. Send it in another drop.`
}

/** Warns at the first row of a commit whose files were published before. */
function repeated({ commit, entries: [first] }: DropCommit): DropWarning[] {
  if (first === undefined) return []
  const message = `The commit ${commit} was published from the same file before; nothing of it was written again, and prices of newer commits stay in force.`
  return [{ file: first.file, row: first.row, code: 'REPEATED_COMMIT', message }]
}

/** Returns CONFLICT for each entry that would change a published commit, or add to one that has refused nothing. */
function conflicts({ commit, entries }: DropCommit, faulty: readonly PricedEntry[], isChange: boolean): DropError[] {
  return faulty.map(({ index }) => {
    const { file, row } = entries[index] as DropEntry<RateEntry>
    const message = conflictText(commit, [rowName(entries, index)], isChange)
    return { file, row, error_code: 'CONFLICT', field: 'commit', value: commit, message }
  })
}

/** Yields the indexes of entries in groups that keep a product's entries together, since rules compare only entries of one product. */
function* byProductAtOnce(entries: readonly DropEntry<RateEntry>[]): Generator<number[]> {
  const indexesOf = new Map<string, number[]>()
  for (const [index, { value }] of entries.entries()) addTo(indexesOf, value.product_id, index)
  let some: number[] = []
  for (const indexes of indexesOf.values()) {
    for (const index of indexes) some.push(index)
    if (some.length < BATCH) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
