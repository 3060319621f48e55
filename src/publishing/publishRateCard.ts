import type { RateCardReply } from '../contract/product.ts'
import { type PutRateCard, RateEntry } from '../contract/rateCard.ts'
import { costFaults, type PricedEntry, stageRateCard } from '../domain/publish/stageRateCard.ts'
import type { PricedValue } from '../domain/publish/unpriced.ts'
import { Refusal, refuseIfAny } from '../domain/refusal.ts'
import { findProducts } from '../store/catalog.ts'
import type { Database } from '../store/database.ts'
import { savePricedValues } from '../store/pricedValues.ts'
import { markUsesApi, withPublishLock } from '../store/publishLock.ts'
import { findCommit, saveCommit } from '../store/rateCards.ts'
import { outcomeOf, type Surface } from './outcome.ts'
import { parseEntries } from './parseEntries.ts'

export interface PublishedCard {
  /** A RateCardReply as JSON text: the same bytes again on a replay. */
  readonly reply: string
  readonly replayed: boolean
}

/**
 * Publishes one commit of a rate card (spec, Rate card commit; choices, Publish bodies). A commit name that is sent again with the same bytes
 * replays the stored answer; with others it is 409 CONFLICT. A cost field both or neither refuses the whole, 422 INVALID_INPUT. A commit of
 * which nothing was accepted is not kept: its name stays free.
 */
export async function publishRateCard(
  db: Database,
  seller: string,
  put: PutRateCard,
  bodySha256: Buffer,
  surface: Surface,
): Promise<PublishedCard> {
  const { parsed, errors } = await parseEntries(RateEntry, put.entries)
  return withPublishLock(db, seller, async (tx, held) => {
    const earlier = await findCommit(tx, seller, put.commit)
    if (earlier !== undefined) return replayOf(earlier, put.commit, bodySha256)
    refuseIfAny(costFaults(put.entries))
    refuseUnknownAgreement(put)
    const products = await findProducts(
      tx,
      seller,
      parsed.map(({ value }) => value.product_id),
    )
    const staged = stageRateCard(put.effective, new Set(products.keys()), parsed)
    const answer: RateCardReply = { commit: put.commit, ...outcomeOf(put.entries, errors, staged) }
    const reply = JSON.stringify(answer)
    if (surface === 'api') await markUsesApi(tx, held)
    if (staged.accepted.length === 0) return { reply, replayed: false }
    const { commit, effective, agreement_id: agreementId } = put
    await saveCommit(tx, { seller, commit, effective, agreementId, bodySha256, reply }, staged.accepted, held.currency)
    await savePricedValues(tx, seller, agreementId, pricedValues(staged.accepted))
    return { reply, replayed: false }
  })
}

function replayOf(earlier: { body_sha256: Buffer; reply: string }, commit: string, bodySha256: Buffer): PublishedCard {
  if (earlier.body_sha256.equals(bodySha256)) return { reply: earlier.reply, replayed: true }
  throw new Refusal('CONFLICT', `The commit ${commit} was published with other content; a commit never changes. Choose another name.`, {
    field: 'commit',
    commit,
  })
}

/** No agreement exists yet that a card could be scoped to. */
function refuseUnknownAgreement({ agreement_id }: PutRateCard): void {
  if (agreement_id === undefined) return
  throw new Refusal('INVALID_INPUT', `${agreement_id} is not an agreement of yours.`, { field: 'agreement_id', agreement_id })
}

/** Which values of which products the accepted entries price, each once. */
function pricedValues(entries: readonly PricedEntry[]): PricedValue[] {
  const values = new Map<string, PricedValue>()
  for (const { entry, weeks } of entries) {
    if (weeks.length === 0) continue
    const { product_id, audience_code } = entry
    const priced = [
      ['buy_type', entry.buy_type],
      ['spot_length', String(entry.spot_length)],
      ['advertiser_class', entry.advertiser_class],
      ['market_class', entry.market_class],
      ...(audience_code === undefined ? [] : [['currency', audience_code] as const]),
    ] as const
    for (const [member, value] of priced) values.set(JSON.stringify([product_id, member, value]), { product_id, member, value })
  }
  return [...values.values()]
}
