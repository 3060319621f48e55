import type { Product, RateCardReply } from '../contract/product.ts'
import { type PutRateCard, RateEntry } from '../contract/rateCard.ts'
import { weeksBetween } from '../domain/calendar.ts'
import { mergedCard, refuseGrainConflicts, weekPrices } from '../domain/publish/grainConflict.ts'
import { firstEntries, pricedValues } from '../domain/publish/pricedEntries.ts'
import type { Parsed } from '../domain/publish/staged.ts'
import { costFaults, type PricedEntry, stageRateCard } from '../domain/publish/stageRateCard.ts'
import { unpricedWarnings } from '../domain/publish/unpriced.ts'
import { Refusal, refuseIfAny } from '../domain/refusal.ts'
import { isAgreementOf } from '../store/agreements.ts'
import { findProducts } from '../store/catalog.ts'
import type { Database, Tx } from '../store/database.ts'
import { readPricedValues, savePricedValues } from '../store/pricedValues.ts'
import { markUsesApi, type PublishingSeller, withPublishLock } from '../store/publishLock.ts'
import { clearLaidDownPrices, findCommit, layDownPrices, saveCommit, standingPrices } from '../store/rateCards.ts'
import { readConformance } from '../store/sellers.ts'
import { announceCard } from './announceCard.ts'
import { reportingIntegrity } from './integrity.ts'
import { outcomeOf, type Surface } from './outcome.ts'
import { parseEntries } from './parseEntries.ts'

export interface PublishedCard {
  /** A RateCardReply as JSON text: the same bytes again on a replay. */
  readonly reply: string
  readonly replayed: boolean
}

/**
 * Publishes one commit of a rate card (spec, Rate card commit; choices, Publish bodies). A commit name that is sent again with the same bytes
 * replays the stored answer; with others it is 409 CONFLICT. A cost field both or neither refuses the whole, 422 INVALID_INPUT; months priced
 * unlike do too, 409 GRAIN_CONFLICT with catalog.integrity_failed. A commit of which nothing was accepted is not kept: its name stays free.
 */
export async function publishRateCard(
  db: Database,
  seller: string,
  put: PutRateCard,
  bodySha256: Buffer,
  surface: Surface,
): Promise<PublishedCard> {
  const { parsed, ...read } = await parseEntries(RateEntry, 'entries', put.entries)
  const laidDown = countPrices(put, parsed) > MANY ? await layDownCard(db, seller, put, parsed) : undefined
  try {
    return await reportingIntegrity(db, seller, () =>
      withPublishLock(db, seller, async (tx, held) => {
        const earlier = await findCommit(tx, seller, put.commit)
        if (earlier !== undefined) return replayOf(earlier, put.commit, bodySha256)
        refuseIfAny(costFaults(put.entries))
        await refuseForeignAgreement(tx, seller, put)
        const { commit, effective, agreement_id: agreementId } = put
        const named = parsed.map(({ value }) => value.product_id)
        const products = await findProducts(tx, seller, named)
        // A catalog that changed meanwhile is rare: then the prices go in as few ones do.
        const ready = laidDown !== undefined && sameIds(laidDown.known, products) ? laidDown : undefined
        const staged = ready?.staged ?? stageRateCard(effective, new Set(products.keys()), parsed)
        await refuseUnlikeMonths(tx, held, products, staged.accepted, agreementId)
        const values = pricedValues(staged.accepted)
        const known = await readPricedValues(tx, seller, { agreementIds: 'all', productIds: [...products.keys()] })
        const warnings = unpricedWarnings(firstEntries(staged.accepted, products), [...known, ...values])
        const answer: RateCardReply = { commit, ...outcomeOf(put.entries, read, { ...staged, warnings }) }
        const reply = JSON.stringify(answer)
        if (surface === 'api') await markUsesApi(tx, held)
        if (staged.accepted.length === 0) return { reply, replayed: false }
        const prices = ready === undefined ? { entries: staged.accepted, currency: held.currency } : { laidDown: ready.publishId }
        const commitNo = await saveCommit(tx, { seller, commit, effective, agreementId, bodySha256, reply }, prices)
        await savePricedValues(tx, seller, agreementId, values)
        const card = { commit, effective, agreement_id: agreementId ?? null }
        await announceCard(tx, seller, card, commitNo, [...products.values()].filter(isPricedBy(staged.accepted)))
        return { reply, replayed: false }
      }),
    )
  } finally {
    if (laidDown !== undefined) await clearLaidDownPrices(db, laidDown.publishId)
  }
}

function sameIds(known: ReadonlySet<string>, now: ReadonlyMap<string, Product>): boolean {
  return known.size === now.size && [...now.keys()].every((id) => known.has(id))
}

/** Prices above which laying down is worth its round trips. */
const MANY = 5_000

/** How many prices a card comes to, spanning entries counted in every week of its window. */
function countPrices({ effective }: PutRateCard, parsed: readonly Parsed<RateEntry>[]): number {
  const weeks = weeksBetween(effective.start, effective.end).length
  return parsed.reduce((sum, { value }) => sum + (value.week === undefined ? weeks : 1), 0)
}

/** Lays a large card down before its transaction begins, since the feed waits for the oldest open one. */
async function layDownCard(db: Database, seller: string, { effective }: PutRateCard, parsed: readonly Parsed<RateEntry>[]) {
  const { currency } = await readConformance(db, seller)
  const products = await findProducts(
    db.sql,
    seller,
    parsed.map(({ value }) => value.product_id),
  )
  const known = new Set(products.keys())
  const staged = stageRateCard(effective, known, parsed)
  return { known, staged, publishId: await layDownPrices(db, staged.accepted, currency) }
}

function replayOf(earlier: { body_sha256: Buffer; reply: string }, commit: string, bodySha256: Buffer): PublishedCard {
  if (earlier.body_sha256.equals(bodySha256)) return { reply: earlier.reply, replayed: true }
  throw new Refusal('CONFLICT', `The commit ${commit} was published with other content; a commit never changes. Choose another name.`, {
    field: 'commit',
    commit,
  })
}

/** A card may be scoped to an agreement of its own seller (choices, Presenting an agreement). */
async function refuseForeignAgreement(tx: Tx, seller: string, { agreement_id }: PutRateCard): Promise<void> {
  if (agreement_id === undefined || (await isAgreementOf(tx, seller, agreement_id))) return
  throw new Refusal('INVALID_INPUT', `${agreement_id} is not an agreement of yours.`, { field: 'agreement_id', agreement_id })
}

/** Products that offer month are looked at over the card as this commit leaves it, in the commit's scope. */
async function refuseUnlikeMonths(
  tx: Tx,
  { seller, currency }: PublishingSeller,
  products: ReadonlyMap<string, Product>,
  accepted: readonly PricedEntry[],
  agreementId: string | undefined,
): Promise<void> {
  const sold = accepted.filter(({ entry }) => products.get(entry.product_id)?.grains.includes('month'))
  const byMonth = new Set(sold.map(({ entry }) => entry.product_id))
  const standing = await standingPrices(tx, seller, [...byMonth], { agreementId: agreementId ?? null })
  refuseGrainConflicts(byMonth, mergedCard(standing, weekPrices(sold, currency, agreementId)))
}

function isPricedBy(accepted: readonly PricedEntry[]): (product: Product) => boolean {
  const priced = new Set(accepted.map(({ entry }) => entry.product_id))
  return ({ product_id }) => priced.has(product_id)
}
