import type { DropError } from '../../contract/drop.ts'
import type { RowCounts } from '../../domain/drops/dropEntry.ts'
import { type DropEntries, type DropFacts, integrityError, type StagedDrop, stageDrop } from '../../domain/drops/stageDrop.ts'
import { type DropCommit, type StagedDropCommit, weeksOfCommit } from '../../domain/drops/stageDropCommit.ts'
import { comparedWeeks } from '../../domain/publish/grainConflict.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { knownProducts } from '../../store/catalog/catalog.ts'
import { commitOrDiscard, type Hidden, hideAll } from '../../store/catalog/hidden.ts'
import { readPricedValues } from '../../store/catalog/pricedValues.ts'
import type { KnownTerms } from '../../store/catalog/productTerms.ts'
import { type Publishing, withPublishLock } from '../../store/catalog/publishLock.ts'
import { currentPrices } from '../../store/catalog/rateCards.ts'
import { saveCatalog } from '../../store/catalog/saveCatalog.ts'
import { lockedTransaction, lockOn } from '../../store/connection/lockedTransaction.ts'
import { announce } from '../../store/delivery/notices.ts'
import { findEarlierCommits, ownAgreements, readTaxonomyVersion } from '../../store/drops/dropFacts.ts'
import { type DropName, moveRun, type OpenRun, type RunMove } from '../../store/drops/dropRun.ts'
import type { DropRunFile } from '../../store/drops/drops.ts'
import { type HiddenCommit, saveCommit } from '../../store/orders/saveCommit.ts'
import { inTurns } from '../loopTurns.ts'
import { cardNotice } from '../publishing/cardNotice.ts'
import { integrityNotice, isIntegrityFailure } from '../publishing/integrity.ts'
import { namedProducts } from '../publishing/namedProducts.ts'
import { openWindowsOf } from '../publishing/openDueWindows.ts'
import { catalogRoom, retryIfTaken } from '../publishing/publishCatalog.ts'
import { announceAll } from '../publishing/publishRateCard.ts'
import { fillSpool } from './fetchDrop.ts'
import { publishApart } from './publishApart.ts'
import { LargeDrop, type ReadEntries, readEntries } from './readEntries.ts'
import { atStage, type PublishDeps, type StageDeps } from './stage.ts'

/**
 * Publishes a drop's catalog and rate cards together, over the seller's published data: first writes prices that nobody sees yet, then
 * shows everything and moves the run in one transaction. An integrity failure writes nothing and rejects the drop (contract, File drops).
 */
export async function publishDrop(deps: StageDeps, name: DropName, signal: AbortSignal, limits = LIMITS): Promise<void> {
  await atStage(deps.db, name, 'publish', async (run) => {
    const files = run.files.filter(({ type }) => type === 'catalog' || type === 'rate_cards')
    await fillSpool(deps, run, files, signal)
    try {
      requireOwn(run, files, limits.ownBytes)
      await publishFiles(deps, run, signal, limits.ownBytes)
    } catch (error) {
      if (!(error instanceof LargeDrop)) throw error
      if ((await publishApart(deps, name, signal, limits.heapMib)) === 'outgrown') await rejectOutgrown(deps, run)
    }
  })
}

/** Throws LargeDrop if the files alone are too large to read them here. Packed files may be, too; their entries are counted. */
function requireOwn({ seller, drop_id }: OpenRun, files: readonly DropRunFile[], mostBytes: number): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > mostBytes) throw new LargeDrop(`the files of ${seller}/${drop_id} have more than ${mostBytes} bytes`)
}

/** The bytes of entries, as JSON, up to which a worker publishes a drop itself, and the heap of the process that publishes a larger one. */
const LIMITS = { ownBytes: 64 * 1024 * 1024, heapMib: 768 }

/** Publishes the files in the spool. Throws LargeDrop, before it writes anything, for entries of more than `mostBytes` as JSON. */
export async function publishFiles(deps: PublishDeps, run: OpenRun, signal: AbortSignal, mostBytes: number): Promise<void> {
  const read = await readEntries(deps, run, signal, mostBytes)
  signal.throwIfAborted()
  await withPublishLock(deps.db, run.seller, (publishing) =>
    retryIfTaken(async () => {
      try {
        await publish(deps, publishing, run, read)
      } catch (error) {
        if (!isIntegrityFailure(error)) throw error
        await reject(publishing, run, read, error)
      }
    }),
  )
}

/** Rejects a drop that takes more memory than one may: nothing of it was published. */
async function rejectOutgrown({ db }: PublishDeps, run: OpenRun): Promise<void> {
  const [first] = run.files.filter(({ type }) => type === 'catalog' || type === 'rate_cards')
  const message = 'The catalog and the rate cards of this drop take more memory than one drop may. Send them in several drops.'
  const error: DropError = { file: first?.filename ?? '', row: 0, error_code: 'INVALID_INPUT', value: undefined, message }
  await lockedTransaction(db.pool, lockOn(`drops:${run.seller}`), (client) => moveRun(client, run, { stage: 'finish', errors: [error] }))
}

async function publish(deps: PublishDeps, publishing: Publishing, run: OpenRun, read: ReadEntries): Promise<void> {
  const versioned = await withTaxonomyVersion(publishing, read)
  const facts = await readFacts(publishing, versioned, deps.productsPerSeller)
  const staged = await inTurns(stageDrop(versioned, facts))
  const commits = staged.commits.filter(({ accepted }) => accepted.length > 0)
  const cards: Awaited<ReturnType<typeof cardOf>>[] = []
  for (const commit of commits) cards.push(await cardOf(publishing, commit, staged, facts))
  const catalog = { taxonomyVersion: versioned.taxonomy_version, products: staged.products }
  const hidden = await hideAll<Hidden | HiddenCommit>([
    () => saveCatalog(publishing, catalog),
    ...cards.map(
      ({ commit, prices }) =>
        () =>
          saveCommit(publishing, commit, prices),
    ),
  ])
  await commitOrDiscard(publishing, hidden, async (tx) => {
    await moveRun(publishing.client, run, publishedMove(run, versioned, staged))
    await hidden.reveal(tx)
    await announceAll(tx, cards)
  })
  for (const part of hidden.parts) if ('commitNo' in part) await openWindowsOf(publishing, part.commitNo)
}

/** Returns the move of a run whose catalog and cards are published. */
function publishedMove(run: OpenRun, read: ReadEntries, { counts, errors, warnings }: StagedDrop): Partial<RunMove> {
  return {
    stage: 'avails',
    counts: countsOfTypesIn(run, {
      catalog: sum(read.counts.catalog, counts.catalog),
      rate_cards: sum(read.counts.rate_cards, counts.rate_cards),
    }),
    errors: [...read.errors, ...errors],
    error_count: errorCount(read) + errors.length,
    warnings: [...read.warnings, ...warnings],
    mapped: read.mapped,
  }
}

/** Rejects the whole drop, with a conflict report to the seller. */
async function reject(publishing: Publishing, run: OpenRun, read: ReadEntries, refusal: Refusal): Promise<void> {
  const rejected = (entries: readonly { readonly rows: number }[], { rows_rejected }: RowCounts): RowCounts => {
    return { rows_written: 0, rows_rejected: entries.reduce((total, { rows }) => total + rows, rows_rejected) }
  }
  await publishing.commit(async (tx) => {
    await moveRun(publishing.client, run, {
      stage: 'finish',
      counts: countsOfTypesIn(run, {
        catalog: rejected(read.products, read.counts.catalog),
        rate_cards: rejected(
          read.commits.flatMap(({ entries }) => entries),
          read.counts.rate_cards,
        ),
      }),
      errors: [integrityError(read, refusal), ...read.errors],
      error_count: 1 + errorCount(read),
      warnings: read.warnings,
      mapped: read.mapped,
    })
    await announce(tx, [integrityNotice(run.seller, refusal, { drop_id: run.drop_id })])
  })
}

/** Returns the entries with the taxonomy version of the drop or, if it states none, the seller's. Without either, publishes no product. */
async function withTaxonomyVersion(publishing: Publishing, read: ReadEntries): Promise<ReadEntries & { taxonomy_version: string }> {
  const taxonomy_version = read.taxonomy_version ?? (await readTaxonomyVersion(publishing))
  if (taxonomy_version !== null) return { ...read, taxonomy_version }
  const [first] = read.products
  if (first === undefined) return { ...read, taxonomy_version: '' }
  const { rows_written, rows_rejected } = read.counts.catalog
  const unversioned: DropError = {
    ...{ file: first.file, row: 1, error_code: 'INVALID_HEADER', field: 'taxonomy_version', value: null },
    message: 'The first catalog of a seller must have a taxonomy_version.',
  }
  return {
    ...read,
    products: [],
    taxonomy_version: '',
    counts: {
      ...read.counts,
      catalog: { rows_written, rows_rejected: read.products.reduce((total, { rows }) => total + rows, rows_rejected) },
    },
    errors: [...read.errors, unversioned],
  }
}

async function readFacts(publishing: Publishing, { products: entries, commits }: DropEntries, mostProducts: number): Promise<DropFacts> {
  const { sql, seller, currency } = publishing
  const sent = entries.map(({ value }) => value)
  const known = await knownProducts(sql, seller, sent)
  const ofCommits = new Set<string>()
  for (const { entries: prices } of commits) for (const { value } of prices) ofCommits.add(value.product_id)
  const products = await namedProducts(publishing, ofCommits)
  const named = new Set([...sent.map(({ product_id }) => product_id), ...ofCommits])
  const byMonth = [...sent, ...products.values()].filter(({ grains }) => grains.includes('month')).map(({ product_id }) => product_id)
  return {
    known,
    room: await catalogRoom(publishing, known, sent, mostProducts),
    products,
    earlier: await findEarlierCommits(publishing, commits),
    agreements: await ownAgreements(
      publishing,
      commits.flatMap(({ agreement_id }) => agreement_id ?? []),
    ),
    currentPrices: await currentPrices(sql, seller, [...new Set(byMonth)], 'all', comparedWeeks(commits.flatMap(weeksOfCommit))),
    priced: await readPricedValues(sql, seller, { agreementIds: 'all', productIds: [...named] }),
    currency,
    now: new Date().toISOString(),
  }
}

/** Returns a commit as a PUT would write it, with the answer that tells what a later drop may complete. */
async function cardOf(publishing: Publishing, staged: StagedDropCommit, { catalog }: StagedDrop, { products }: DropFacts) {
  const { commit, effective, agreement_id, accepted, values, completes, counts, errors, has_unread_rows } = staged
  const priced = [...new Set(accepted.map(({ entry }) => entry.product_id))].map((id) => {
    const minted_for = (products.get(id) as KnownTerms | undefined)?.minted_for
    return { ...catalog.get(id), ...(minted_for !== undefined && { minted_for }) } as KnownTerms
  })
  const is_partial = has_unread_rows || counts.rows_rejected > 0
  const reply = JSON.stringify({ counts, is_partial, errors: errors.slice(0, ERRORS_KEPT).map(({ file: _, ...error }) => error) })
  return {
    commit: { seller: publishing.seller, commit, effective, agreementId: agreement_id, bodySha256: hashOf(staged), reply, completes },
    prices: { entries: accepted, values, currency: publishing.currency },
    notice: await cardNotice(publishing, { commit, effective, agreement_id: agreement_id ?? null }, priced),
  }
}

/** The most errors of a commit that its answer keeps. */
const ERRORS_KEPT = 1_000

function hashOf({ body_sha256 }: DropCommit): Buffer {
  return Buffer.from(body_sha256, 'hex')
}

/** Returns the number of errors. A reader omits the errors of rows over its limit, so rejected rows count too. */
function errorCount({ errors, counts }: Pick<ReadEntries, 'errors' | 'counts'>): number {
  return Math.max(errors.length, counts.catalog.rows_rejected + counts.rate_cards.rows_rejected)
}

function sum(one: RowCounts, other: RowCounts): RowCounts {
  return { rows_written: one.rows_written + other.rows_written, rows_rejected: one.rows_rejected + other.rows_rejected }
}

/** Returns the counts of those types that have files. */
function countsOfTypesIn({ files }: OpenRun, counts: RunMove['counts']): RunMove['counts'] {
  return Object.fromEntries(Object.entries(counts).filter(([type]) => files.some((file) => file.type === type)))
}
