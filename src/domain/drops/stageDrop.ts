import type { DropError, DropWarning } from '../../contract/drop.ts'
import { WARNINGS_PER_DROP } from '../../contract/vocabulary/drops.ts'
import { addTo } from '../addTo.ts'
import type { CatalogRoom } from '../publish/catalogRoom.ts'
import { grainConflicts, mergedCard, refuseConflicts, type WeekPrice, weekPrices } from '../publish/grainConflict.ts'
import { firstEntries } from '../publish/pricedEntries.ts'
import type { CatalogTerms, ProductTerms } from '../publish/productTerms.ts'
import { type KnownProduct, stageCatalog } from '../publish/stageCatalog.ts'
import type { Parsed } from '../publish/staged.ts'
import type { PricedEntry } from '../publish/stageRateCard.ts'
import { type PricedValue, unpricedWarnings } from '../publish/unpriced.ts'
import type { Refusal } from '../refusal.ts'
import { countsOf, type DropEntry, placedError, placedWarning, type RowCounts, rowName } from './dropEntry.ts'
import { COMMITS_PER_DROP, type DropCommit, type EarlierCommit, type StagedDropCommit, stageDropCommit } from './stageDropCommit.ts'

/** The catalog and the rate cards of a drop, as read from its files. */
export interface DropEntries<P extends CatalogTerms = CatalogTerms> {
  readonly products: readonly DropEntry<P>[]
  readonly commits: readonly DropCommit[]
}

/** The seller's published state, for the products, commits and agreements that the drop names. */
export interface DropFacts {
  readonly known: readonly KnownProduct[]
  readonly room: CatalogRoom | undefined
  /** The products of the catalog that the commits name. */
  readonly products: ReadonlyMap<string, ProductTerms>
  readonly earlier: ReadonlyMap<string, EarlierCommit>
  /** The seller's own agreements that the drop names. */
  readonly agreements: ReadonlySet<string>
  /** The prices in force, in all scopes, of the named products that are sold by the month. */
  readonly currentPrices: readonly WeekPrice[]
  readonly priced: readonly PricedValue[]
  readonly currency: string
  readonly now: string
}

export interface StagedDrop<P extends ProductTerms = ProductTerms> {
  readonly products: readonly P[]
  readonly commits: readonly StagedDropCommit[]
  /** The catalog after the drop, for the products that it publishes or whose prices it names. */
  readonly catalog: ReadonlyMap<string, ProductTerms>
  readonly counts: { readonly catalog: RowCounts; readonly rate_cards: RowCounts }
  readonly errors: readonly DropError[]
  readonly warnings: readonly DropWarning[]
}

/**
 * Stages the catalog and the rate cards of a drop in dependency order (contract, File drops): catalog rows first, then each commit against the
 * resulting catalog. A refused row keeps the prior definition of an existing product and creates no new one. Refuses the whole drop with
 * DUPLICATE_EXTERNAL_REF, or with GRAIN_CONFLICT over the prices in force and those of all commits. Yields between steps, so that its
 * caller can serve others in between.
 */
export function* stageDrop<P extends ProductTerms>(
  { products: entries, commits }: DropEntries<P>,
  facts: DropFacts,
): Generator<void, StagedDrop<P>> {
  const staged = stageCatalog(
    facts.known,
    entries.map(({ value }, index) => ({ index, value })),
    facts.room,
    (index) => rowName(entries, index),
  )
  yield
  const products = staged.accepted.map(({ value }) => value)
  const catalog = new Map<string, ProductTerms>([...facts.products, ...products.map((product) => [product.product_id, product] as const)])
  const stagedCommits: StagedDropCommit[] = []
  const taken = new Map(facts.earlier)
  const priced = [...facts.priced]
  let room: number | undefined
  for (const commit of commits) {
    const isFull = stagedCommits.filter(({ accepted }) => accepted.length > 0).length >= COMMITS_PER_DROP
    const one = yield* stageDropCommit(commit, { ...facts, earlier: taken, priced, catalog, room, isFull })
    for (const value of one.values) priced.push(value)
    room = one.room
    // A commit without an accepted entry does not use up its name. A commit of this drop is never completed: its files are one commit.
    if (one.accepted.length > 0) taken.set(commit.commit, { ...commit, ...NOT_STORED, agreement_id: commit.agreement_id ?? null })
    stagedCommits.push(one)
  }
  yield* checkMonths(products, stagedCommits, catalog, facts)
  return {
    products,
    commits: stagedCommits,
    catalog,
    counts: {
      catalog: countsOf(entries, new Set(staged.accepted.map(({ index }) => index))),
      rate_cards: totalOf(stagedCommits.map(({ counts }) => counts)),
    },
    errors: [...staged.errors.map((error) => placedError(entries, error)), ...stagedCommits.flatMap(({ errors }) => errors)],
    warnings: [
      ...stagedCommits.flatMap(({ warnings }) => warnings),
      ...unpricedIn(entries, staged.accepted, stagedCommits, catalog, priced),
    ],
  }
}

const NOT_STORED = { commit_no: '', reply: '', has_parts: false, prices: [] }

/** Compares the prices of each month on the cards after the drop, product by product, yielding after each. */
function* checkMonths(
  products: readonly ProductTerms[],
  commits: readonly StagedDropCommit[],
  catalog: ReadonlyMap<string, ProductTerms>,
  { currentPrices, currency }: DropFacts,
): Generator<void, void> {
  const touched = new Set(products.map(({ product_id }) => product_id))
  for (const { accepted } of commits) for (const { entry } of accepted) touched.add(entry.product_id)
  const byMonth = new Set([...touched].filter((product_id) => catalog.get(product_id)?.grains.includes('month')))
  const currentOf = groupBy(currentPrices, ({ product_id }) => product_id)
  const sold: { entriesOf: Map<string, PricedEntry[]>; agreement_id: string | undefined }[] = commits.map(({ accepted, agreement_id }) => ({
    entriesOf: groupBy(
      accepted.filter(({ entry }) => byMonth.has(entry.product_id)),
      ({ entry }) => entry.product_id,
    ),
    agreement_id,
  }))
  const conflicts = []
  for (const product_id of byMonth) {
    const committed = sold.flatMap(({ entriesOf, agreement_id }) => weekPrices(entriesOf.get(product_id) ?? [], currency, agreement_id))
    conflicts.push(...grainConflicts(mergedCard(currentOf.get(product_id) ?? [], committed)))
    yield
  }
  refuseConflicts(conflicts)
}

/** Warns of declared values that no card prices after the drop, at the row of the product, or else at its first price. */
function unpricedIn(
  entries: readonly DropEntry<CatalogTerms>[],
  accepted: readonly Parsed<CatalogTerms>[],
  commits: readonly StagedDropCommit[],
  catalog: ReadonlyMap<string, ProductTerms>,
  all: readonly PricedValue[],
): DropWarning[] {
  const warned = new Set(accepted.map(({ value }) => value.product_id))
  const ofCatalog = unpricedWarnings(accepted, all, WARNINGS_PER_DROP).map((warning) => placedWarning(entries, warning))
  const ofCards = commits.flatMap((commit) => {
    const first = firstEntries(commit.accepted, catalog).filter(({ value }) => !warned.has(value.product_id))
    for (const { value } of first) warned.add(value.product_id)
    return unpricedWarnings(first, all, WARNINGS_PER_DROP).map((warning) => placedWarning(commit.entries, warning))
  })
  return [...ofCatalog, ...ofCards]
}

function totalOf(counts: readonly RowCounts[]): RowCounts {
  const sum = (of: keyof RowCounts) => counts.reduce((total, count) => total + count[of], 0)
  return { rows_written: sum('rows_written'), rows_rejected: sum('rows_rejected') }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) addTo(groups, keyOf(item), item)
  return groups
}

/** Returns the error of a drop that is rejected for its integrity, at the row that caused it. */
export function integrityError({ products, commits }: DropEntries, { code, message, details, faults: [fault] }: Refusal): DropError {
  const index = Number(/^products\.(\d+)\./.exec(fault?.field ?? '')?.[1])
  const ofProduct = (entries: readonly DropEntry<{ readonly product_id: string }>[]) =>
    entries.find(({ value }) => value.product_id === details.product_id)
  const at = products[index] ?? ofProduct(commits.flatMap(({ entries }) => entries)) ?? ofProduct(products)
  const value = details.external_ref ?? details.product_id
  const field = details.external_ref === undefined ? 'product_id' : 'external_ref'
  return { file: at?.file ?? '', row: at?.row ?? 0, error_code: code as DropError['error_code'], field, value, message }
}
