import { Avail, type PutAvails } from '../contract/avail.ts'
import type { AvailsReply } from '../contract/product.ts'
import { stageAvails } from '../domain/publish/stageAvails.ts'
import { unsoldPeriods } from '../domain/publish/unorderable.ts'
import { saveAvails } from '../store/catalog/avails.ts'
import { findProducts } from '../store/catalog/catalog.ts'
import { markUsesApi, withPublishLock } from '../store/catalog/publishLock.ts'
import type { Database } from '../store/connection/database.ts'
import { answerAsked } from './answerAsked.ts'
import { outcomeOf, type Surface } from './outcome.ts'
import { parseEntries } from './parseEntries.ts'

/**
 * Publishes avails, each on its own; they merge by (product_id, period), and answer what buyers asked (spec, Avail and One write model; choices,
 * Large publishes). Many are written in several short transactions, and show as they are.
 */
export async function publishAvails(db: Database, seller: string, put: PutAvails, surface: Surface): Promise<AvailsReply> {
  const { parsed, ...read } = await parseEntries(Avail, 'avails', put.avails)
  return withPublishLock(db, seller, async (publishing) => {
    const products = await findProducts(
      publishing.sql,
      seller,
      parsed.map(({ value }) => value.product_id),
    )
    const staged = stageAvails(products, parsed)
    const avails = staged.accepted.map(({ value }) => value)
    await saveAvails(publishing, avails, async (tx) => {
      await answerAsked(tx, seller, products, avails)
      if (surface === 'api') await markUsesApi(tx, publishing)
    })
    return outcomeOf(put.avails, read, { ...staged, warnings: unsoldPeriods(staged.accepted, products) })
  })
}
