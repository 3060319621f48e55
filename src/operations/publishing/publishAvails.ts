import { Avail, type PutAvails } from '../../contract/avail.ts'
import type { AvailsReply, Product } from '../../contract/product.ts'
import type { CatalogTerms } from '../../domain/publish/productTerms.ts'
import { stageAvails } from '../../domain/publish/stageAvails.ts'
import { unsoldPeriods } from '../../domain/publish/unorderable.ts'
import { saveAvails, saveMostAvails } from '../../store/catalog/avails.ts'
import { markUsesApi, type Publishing, withPublishLock } from '../../store/catalog/publishLock.ts'
import type { Database, Tx } from '../../store/connection/database.ts'
import { answerAvailsRequests } from './answerAvailsRequests.ts'
import { namedProducts } from './namedProducts.ts'
import { outcomeOf, type Surface } from './outcome.ts'
import { type ParsedEntries, parseEntries } from './parseEntries.ts'
import { availsEffect, type PublishRequest, requireBasis } from './publishEffect.ts'

/**
 * Publishes avails, each on its own; they merge by (product_id, period), and answer buyers' requests
 * (contract, Avail; One write model; choices, Large publishes). A large publish is written in several short transactions, each visible as soon as it commits.
 */
export async function publishAvails(
  db: Database,
  seller: string,
  put: PutAvails,
  surface: Surface,
  request: PublishRequest,
): Promise<AvailsReply> {
  const entries = await parseAvails(put)
  return withPublishLock(db, seller, async (publishing) => {
    const staged = await stageAvailsUpdate(publishing, put, entries)
    const effectFrom = () => availsEffect(publishing, staged.avails)
    if (request.dryRun) return { ...staged.reply, ...(await effectFrom()) }
    await requireBasis(request, effectFrom)
    const unwritten = await saveMostAvails(publishing, staged.avails)
    await publishing.commit(async (tx) => {
      await writeAvails(tx, publishing, staged, unwritten)
      if (surface === 'api') await markUsesApi(tx, publishing)
    })
    return staged.reply
  })
}

/** Avails that have passed the rules. */
export interface StagedAvails {
  readonly reply: AvailsReply
  readonly avails: readonly Avail[]
  /** The products that the avails name. */
  readonly products: ReadonlyMap<string, CatalogTerms>
}

export function parseAvails(put: PutAvails): Promise<ParsedEntries<Avail>> {
  return parseEntries(Avail, 'avails', put.avails)
}

/** Checks avails against the rules and the catalog, including the products of an update that is `pending`; writes nothing. */
export async function stageAvailsUpdate(
  publishing: Publishing,
  put: PutAvails,
  { parsed, ...read }: ParsedEntries<Avail>,
  pending: readonly Product[] = [],
): Promise<StagedAvails> {
  const named = parsed.map(({ value }) => value.product_id)
  const products = await namedProducts(publishing, named, pending)
  const staged = stageAvails(products, parsed)
  const avails = staged.accepted.map(({ value }) => value)
  return { reply: outcomeOf(put.avails, read, { ...staged, warnings: unsoldPeriods(staged.accepted, products) }), avails, products }
}

/** Merges staged avails, all or those that are still `unwritten`, and answers buyers' requests for any of them. */
export async function writeAvails(
  tx: Tx,
  { seller }: Pick<Publishing, 'seller'>,
  { avails, products }: StagedAvails,
  unwritten: readonly Avail[] = avails,
): Promise<void> {
  await saveAvails(tx, seller, unwritten)
  await answerAvailsRequests(tx, seller, products, avails)
}
