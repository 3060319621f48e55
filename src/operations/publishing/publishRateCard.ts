import type { Product, RateCardReply } from '../../contract/product.ts'
import { type PutRateCard, RateEntry } from '../../contract/rateCard.ts'
import { completeCommit, conflictText, hasRefused, isOpen, otherHeadText, otherMember } from '../../domain/publish/completeCommit.ts'
import { comparedWeeks, mergedCard, refuseGrainConflicts, weekPrices } from '../../domain/publish/grainConflict.ts'
import { keysFault } from '../../domain/publish/keysPerProduct.ts'
import { firstEntries, pricedValues } from '../../domain/publish/pricedEntries.ts'
import { priceWarnings } from '../../domain/publish/priceWarnings.ts'
import { entryName } from '../../domain/publish/staged.ts'
import { costFaults, type PricedEntry, stageRateCard } from '../../domain/publish/stageRateCard.ts'
import { unorderablePrices } from '../../domain/publish/unorderable.ts'
import { unpricedWarnings } from '../../domain/publish/unpriced.ts'
import { Refusal, refuseIfAny } from '../../domain/refusal.ts'
import { committedPrices, type FoundCommit, findCommits } from '../../store/catalog/earlierCommits.ts'
import { commitOrDiscard } from '../../store/catalog/hidden.ts'
import { readPricedValues } from '../../store/catalog/pricedValues.ts'
import { markUsesApi, type Publishing, withPublishLock } from '../../store/catalog/publishLock.ts'
import { currentPrices } from '../../store/catalog/rateCards.ts'
import type { Database, Tx } from '../../store/connection/database.ts'
import { announce, type Notice } from '../../store/delivery/notices.ts'
import { type NewCommit, type NewPrices, saveCommit } from '../../store/orders/saveCommit.ts'
import { isAgreementOf } from '../../store/tenants/agreements.ts'
import { cardNotice } from './cardNotice.ts'
import { reportingIntegrity } from './integrity.ts'
import { namedProducts } from './namedProducts.ts'
import { openWindowsOf } from './openDueWindows.ts'
import { outcomeOf, type Surface } from './outcome.ts'
import { type ParsedEntries, parseEntries } from './parseEntries.ts'
import { cardEffect, type PublishRequest, requireBasis } from './publishEffect.ts'

export interface PublishedCard {
  /** A RateCardReply as JSON text, so that a replay returns the same bytes. */
  readonly reply: string
  readonly replayed: boolean
}

/**
 * Publishes a commit of a rate card (contract, Rate card commit; choices, Publish bodies). A commit name with the same bytes as before replays
 * the stored answer, unless an entry that it refused passes now. Other bytes may complete what was refused; they are 409 CONFLICT if they
 * would change what was published. A cost field both or neither refuses the whole, 422 INVALID_INPUT; so do months that are
 * priced unlike, 409 GRAIN_CONFLICT with catalog.integrity_failed. A commit without an accepted entry is not kept: its name stays free.
 */
export async function publishRateCard(
  db: Database,
  seller: string,
  put: PutRateCard,
  bodySha256: Buffer,
  surface: Surface,
  request: PublishRequest,
): Promise<PublishedCard> {
  const entries = await parseRateCard(put)
  const publish = () =>
    withPublishLock(db, seller, async (publishing) => {
      const staged = await stageCommit(publishing, put, entries, bodySha256)
      if ('replayed' in staged) return staged
      const effectFrom = () => cardEffect(publishing, staged.prices.entries, put.agreement_id)
      if (request.dryRun) return { reply: JSON.stringify({ ...JSON.parse(staged.commit.reply), ...(await effectFrom()) }), replayed: false }
      await requireBasis(request, effectFrom)
      if (surface === 'api') await publishing.commit((tx) => markUsesApi(tx, publishing))
      const { reply } = staged.commit
      if (staged.prices.entries.length === 0) return { reply, replayed: false }
      const hidden = await saveCommit(publishing, staged.commit, staged.prices)
      await commitOrDiscard(publishing, hidden, async (tx) => {
        await hidden.reveal(tx)
        await announceAll(tx, [staged])
      })
      await openWindowsOf(publishing, hidden.commitNo)
      return { reply, replayed: false }
    })
  return request.dryRun ? publish() : reportingIntegrity(db, seller, publish)
}

/** A commit that has passed the rules. A commit without entries must not be written. */
export interface StagedCommit {
  readonly commit: NewCommit
  /** The prices, which are written before the commit and hidden. */
  readonly prices: NewPrices
  /** The notice of the commit to buyers. */
  readonly notice: Notice | undefined
}

export function parseRateCard(put: PutRateCard): Promise<ParsedEntries<RateEntry>> {
  return parseEntries(RateEntry, 'entries', put.entries)
}

/**
 * Checks a commit against the rules and the catalog, including the products of an update that is `pending`; writes nothing. Of a commit
 * that was published before, the prices are those that it does not have yet; replays it if there are none.
 */
export async function stageCommit(
  publishing: Publishing,
  put: PutRateCard,
  { parsed, ...read }: ParsedEntries<RateEntry>,
  bodySha256: Buffer,
  pending: readonly Product[] = [],
): Promise<StagedCommit | PublishedCard> {
  const { sql, seller, currency } = publishing
  const { commit, effective, agreement_id: agreementId } = put
  const [earlier] = await findCommits(sql, seller, [commit])
  if (earlier !== undefined && isSame(earlier, bodySha256) && !hasRefused(earlier.reply)) return { reply: earlier.reply, replayed: true }
  if (earlier !== undefined) refuseOtherHead(earlier, put)
  refuseIfAny(costFaults(put.entries))
  await refuseForeignAgreement(publishing, put)
  const named = parsed.map(({ value }) => value.product_id)
  const products = await namedProducts(publishing, named, pending)
  const staged = stageRateCard(effective, new Set(products.keys()), parsed, currency)
  const entries = earlier === undefined ? staged.accepted : await completing(publishing, earlier, staged.accepted, bodySha256)
  if (earlier !== undefined && isSame(earlier, bodySha256) && entries.length === 0) return { reply: earlier.reply, replayed: true }
  await refuseUnlikeMonths(publishing, products, entries, agreementId)
  const values = pricedValues(entries)
  const known = await readPricedValues(sql, seller, { agreementIds: 'all', productIds: [...products.keys()] })
  const tooMany = keysFault(known, values)
  if (tooMany !== undefined) {
    const { message, ...details } = tooMany
    throw new Refusal('INVALID_INPUT', message, { field: 'entries', ...details })
  }
  const warnings = [
    ...unorderablePrices(staged.accepted, products, new Date().toISOString()),
    ...priceWarnings(staged.accepted, currency),
    ...unpricedWarnings(firstEntries(staged.accepted, products), [...known, ...values]),
  ]
  const reply: RateCardReply = { commit, ...outcomeOf(put.entries, read, { ...staged, warnings }) }
  const card = { commit, effective, agreement_id: agreementId ?? null }
  const priced = [...products.values()].filter(isPricedBy(entries))
  return {
    commit: { seller, commit, effective, agreementId, bodySha256, reply: JSON.stringify(reply), completes: earlier?.commit_no },
    prices: { entries, values, currency },
    notice: entries.length === 0 ? undefined : await cardNotice(publishing, card, priced),
  }
}

/** Notifies buyers of commits. Call `openWindowsOf` after the transaction, to announce the windows that are open. */
export async function announceAll(tx: Tx, commits: readonly Pick<StagedCommit, 'notice'>[]): Promise<void> {
  for (const { notice } of commits) if (notice !== undefined) await announce(tx, [notice])
}

function isSame({ body_sha256 }: FoundCommit, bodySha256: Buffer): boolean {
  return body_sha256.equals(bodySha256)
}

/** Refuses a body under the name of a quote, or of a commit with another window or agreement. */
function refuseOtherHead({ reply, effective, agreement_id }: FoundCommit, put: PutRateCard): void {
  const { commit } = put
  if (reply === '') throw new Refusal('CONFLICT', `${commit} is the name of a quote. Choose another name.`, { field: 'commit', commit })
  const field = otherMember({ effective, agreement_id }, put)
  if (field === undefined) return
  throw new Refusal('CONFLICT', otherHeadText(commit, field), { field, commit })
}

/**
 * Returns the entries, with their weeks, that a commit does not price yet. Errors: CONFLICT with the indexes of the entries that would change
 * what it has published; for any other bytes if it had refused none, with the entries that it does not have. The same bytes change nothing.
 */
async function completing(
  { sql, currency }: Publishing,
  earlier: FoundCommit,
  accepted: readonly PricedEntry[],
  bodySha256: Buffer,
): Promise<readonly PricedEntry[]> {
  const committed = await committedPrices(
    sql,
    earlier,
    accepted.map(({ entry }) => entry),
  )
  const { added, changed } = completeCommit(committed, accepted, currency)
  if (isSame(earlier, bodySha256)) return added
  const isCompletable = isOpen(earlier)
  const faulty = changed.length > 0 || isCompletable ? changed : added
  if (faulty.length === 0 && isCompletable) return added
  const names = faulty.map(({ index }) => entryName(index))
  throw new Refusal('CONFLICT', conflictText(earlier.commit, names, changed.length > 0), {
    ...{ field: 'commit', commit: earlier.commit },
    entries: faulty.slice(0, MAX_NAMED).map(({ index }) => index),
  })
}

/** The most entries that a CONFLICT lists. */
const MAX_NAMED = 1_000

/** Refuses a card scoped to an agreement that is not this seller's (choices, Presenting an agreement). */
async function refuseForeignAgreement({ sql, seller }: Publishing, { agreement_id }: PutRateCard): Promise<void> {
  if (agreement_id === undefined || (await isAgreementOf(sql, seller, agreement_id))) return
  throw new Refusal('INVALID_INPUT', `${agreement_id} is not an agreement of yours.`, { field: 'agreement_id', agreement_id })
}

/** Refuses unlike months: checks products that offer months against the card as this commit leaves it, in the commit's scope. */
async function refuseUnlikeMonths(
  { sql, seller, currency }: Publishing,
  products: ReadonlyMap<string, Pick<Product, 'grains'>>,
  accepted: readonly PricedEntry[],
  agreementId: string | undefined,
): Promise<void> {
  const sold = accepted.filter(({ entry }) => products.get(entry.product_id)?.grains.includes('month'))
  const byMonth = new Set(sold.map(({ entry }) => entry.product_id))
  const weeks = comparedWeeks(sold.flatMap((priced) => priced.weeks))
  const current = await currentPrices(sql, seller, [...byMonth], { agreementId: agreementId ?? null }, weeks)
  refuseGrainConflicts(byMonth, mergedCard(current, weekPrices(sold, currency, agreementId)))
}

function isPricedBy(accepted: readonly PricedEntry[]): (product: Pick<Product, 'product_id'>) => boolean {
  const priced = new Set(accepted.map(({ entry }) => entry.product_id))
  return ({ product_id }) => priced.has(product_id)
}
