import type { Product, RateCardReply } from '../contract/product.ts'
import { type PutRateCard, RateEntry } from '../contract/rateCard.ts'
import { mergedCard, refuseGrainConflicts, weekPrices } from '../domain/publish/grainConflict.ts'
import { firstEntries, pricedValues } from '../domain/publish/pricedEntries.ts'
import { costFaults, type PricedEntry, stageRateCard } from '../domain/publish/stageRateCard.ts'
import { unorderablePrices } from '../domain/publish/unorderable.ts'
import { unpricedWarnings } from '../domain/publish/unpriced.ts'
import { Refusal, refuseIfAny } from '../domain/refusal.ts'
import { findProducts } from '../store/catalog/catalog.ts'
import { readPricedValues } from '../store/catalog/pricedValues.ts'
import { markUsesApi, type Publishing, withPublishLock } from '../store/catalog/publishLock.ts'
import { findCommit, standingPrices } from '../store/catalog/rateCards.ts'
import type { Database } from '../store/connection/database.ts'
import { announce } from '../store/delivery/notices.ts'
import { saveCommit } from '../store/orders/saveCommit.ts'
import { isAgreementOf } from '../store/tenants/agreements.ts'
import { cardNotice } from './cardNotice.ts'
import { reportingIntegrity } from './integrity.ts'
import { openWindowsOf } from './openDueWindows.ts'
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
  return reportingIntegrity(db, seller, () =>
    withPublishLock(db, seller, async (publishing) => {
      const earlier = await findCommit(publishing.sql, seller, put.commit)
      if (earlier !== undefined) return replayOf(earlier, put.commit, bodySha256)
      refuseIfAny(costFaults(put.entries))
      await refuseForeignAgreement(publishing, put)
      const { commit, effective, agreement_id: agreementId } = put
      const named = parsed.map(({ value }) => value.product_id)
      const products = await findProducts(publishing.sql, seller, named)
      const staged = stageRateCard(effective, new Set(products.keys()), parsed)
      await refuseUnlikeMonths(publishing, products, staged.accepted, agreementId)
      const values = pricedValues(staged.accepted)
      const known = await readPricedValues(publishing.sql, seller, { agreementIds: 'all', productIds: [...products.keys()] })
      const warnings = [
        ...unorderablePrices(staged.accepted, products, new Date().toISOString()),
        ...unpricedWarnings(firstEntries(staged.accepted, products), [...known, ...values]),
      ]
      const answer: RateCardReply = { commit, ...outcomeOf(put.entries, read, { ...staged, warnings }) }
      const reply = JSON.stringify(answer)
      if (surface === 'api') await publishing.commit((tx) => markUsesApi(tx, publishing))
      if (staged.accepted.length === 0) return { reply, replayed: false }
      const card = { commit, effective, agreement_id: agreementId ?? null }
      const notice = await cardNotice(publishing, card, [...products.values()].filter(isPricedBy(staged.accepted)))
      const commitNo = await saveCommit(
        publishing,
        { seller, commit, effective, agreementId, bodySha256, reply },
        { entries: staged.accepted, values, currency: publishing.currency },
        (tx) => announce(tx, [notice]),
      )
      await openWindowsOf(publishing, commitNo)
      return { reply, replayed: false }
    }),
  )
}

function replayOf(earlier: { body_sha256: Buffer; reply: string }, commit: string, bodySha256: Buffer): PublishedCard {
  if (earlier.body_sha256.equals(bodySha256)) return { reply: earlier.reply, replayed: true }
  throw new Refusal('CONFLICT', `The commit ${commit} was published with other content; a commit never changes. Choose another name.`, {
    field: 'commit',
    commit,
  })
}

/** A card may be scoped to an agreement of its own seller (choices, Presenting an agreement). */
async function refuseForeignAgreement({ sql, seller }: Publishing, { agreement_id }: PutRateCard): Promise<void> {
  if (agreement_id === undefined || (await isAgreementOf(sql, seller, agreement_id))) return
  throw new Refusal('INVALID_INPUT', `${agreement_id} is not an agreement of yours.`, { field: 'agreement_id', agreement_id })
}

/** Products that offer month are looked at over the card as this commit leaves it, in the commit's scope. */
async function refuseUnlikeMonths(
  { sql, seller, currency }: Publishing,
  products: ReadonlyMap<string, Product>,
  accepted: readonly PricedEntry[],
  agreementId: string | undefined,
): Promise<void> {
  const sold = accepted.filter(({ entry }) => products.get(entry.product_id)?.grains.includes('month'))
  const byMonth = new Set(sold.map(({ entry }) => entry.product_id))
  const standing = await standingPrices(sql, seller, [...byMonth], { agreementId: agreementId ?? null })
  refuseGrainConflicts(byMonth, mergedCard(standing, weekPrices(sold, currency, agreementId)))
}

function isPricedBy(accepted: readonly PricedEntry[]): (product: Product) => boolean {
  const priced = new Set(accepted.map(({ entry }) => entry.product_id))
  return ({ product_id }) => priced.has(product_id)
}
