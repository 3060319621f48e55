import { type CatalogReply, Product, type PutCatalog } from '../../contract/product.ts'
import type { CatalogRoom } from '../../domain/publish/catalogRoom.ts'
import { refuseGrainConflicts } from '../../domain/publish/grainConflict.ts'
import { type KnownProduct, stageCatalog } from '../../domain/publish/stageCatalog.ts'
import { unpricedWarnings } from '../../domain/publish/unpriced.ts'
import { countProducts, knownProducts } from '../../store/catalog/catalog.ts'
import { commitOrDiscard } from '../../store/catalog/hidden.ts'
import { readPricedValues } from '../../store/catalog/pricedValues.ts'
import { markUsesApi, type Publishing, withPublishLock } from '../../store/catalog/publishLock.ts'
import { currentPrices } from '../../store/catalog/rateCards.ts'
import { type CatalogUpdate, saveCatalog, toSave } from '../../store/catalog/saveCatalog.ts'
import type { Database } from '../../store/connection/database.ts'
import { reportingIntegrity } from './integrity.ts'
import { outcomeOf, type Surface } from './outcome.ts'
import { type ParsedEntries, parseEntries } from './parseEntries.ts'
import { catalogEffect, type PublishRequest, requireBasis } from './publishEffect.ts'

/**
 * Publishes products, each on its own, under one taxonomy version; they merge into the catalog by product_id (contract, One write model).
 * Refuses all with catalog.integrity_failed: DUPLICATE_EXTERNAL_REF 422, GRAIN_CONFLICT 409. Any accepted entry moves the version.
 */
export async function publishCatalog(
  db: Database,
  seller: string,
  put: PutCatalog,
  surface: Surface,
  mostProducts: number,
  request: PublishRequest,
): Promise<CatalogReply> {
  const entries = await parseCatalog(put)
  const publish = () =>
    withPublishLock(db, seller, (publishing) =>
      retryIfTaken(async () => {
        const staged = await stageCatalogUpdate(publishing, put, entries, mostProducts)
        const effectFrom = () => catalogEffect(publishing, staged.products)
        if (request.dryRun) return { ...staged.reply, ...(await effectFrom()) }
        await requireBasis(request, effectFrom)
        const hidden = await saveCatalog(publishing, staged.update)
        await commitOrDiscard(publishing, hidden, async (tx) => {
          await hidden.reveal(tx)
          if (surface === 'api') await markUsesApi(tx, publishing)
        })
        return staged.reply
      }),
    )
  return request.dryRun ? publish() : reportingIntegrity(db, seller, publish)
}

/** A catalog update that has passed the rules. */
export interface StagedCatalog {
  readonly reply: CatalogReply
  readonly products: readonly Product[]
  /** The same products, to be saved. */
  readonly update: CatalogUpdate
}

export function parseCatalog(put: PutCatalog): Promise<ParsedEntries<Product>> {
  return parseEntries(Product, 'products', put.products)
}

/** Checks an update against the rules and what the seller has published; writes nothing. */
export async function stageCatalogUpdate(
  publishing: Publishing,
  put: PutCatalog,
  { parsed, ...read }: ParsedEntries<Product>,
  mostProducts: number,
): Promise<StagedCatalog> {
  const { sql, seller } = publishing
  const sent = parsed.map(({ value }) => value)
  const known = await knownProducts(sql, seller, sent)
  const room = await catalogRoom(publishing, known, sent, mostProducts)
  const staged = stageCatalog(known, parsed, room)
  const products = staged.accepted.map(({ value }) => value)
  const byMonth = products.filter(({ grains }) => grains.includes('month')).map(({ product_id }) => product_id)
  refuseGrainConflicts(new Set(byMonth), await currentPrices(sql, seller, byMonth, 'all', []))
  const priced = await readPricedValues(sql, seller, { agreementIds: 'all', productIds: products.map(({ product_id }) => product_id) })
  const outcome = outcomeOf(put.products, read, { ...staged, warnings: unpricedWarnings(staged.accepted, priced) })
  const { taxonomy_version } = put
  return { reply: { taxonomy_version, ...outcome }, products, update: { taxonomyVersion: taxonomy_version, products: toSave(products) } }
}

/**
 * Stages and commits again when a plan has minted a product under a reference that was free for the update. The second staging sees the
 * reference and reports it as a fault like any other.
 */
export async function retryIfTaken<T>(publish: () => Promise<T>): Promise<T> {
  return publish().catch((error: unknown) => {
    if ((error as { constraint?: unknown }).constraint === 'products_external_ref') return publish()
    throw error
  })
}

/** Returns the room for an update that adds products or offers withdrawn ones again; only for such an update does it count products. */
export async function catalogRoom(
  { sql, seller }: Pick<Publishing, 'sql' | 'seller'>,
  known: readonly KnownProduct[],
  products: readonly Pick<Product, 'product_id'>[],
  max: number,
): Promise<CatalogRoom | undefined> {
  const available = new Set(known.flatMap(({ product_id, withdrawn }) => (withdrawn === true ? [] : [product_id])))
  const mayGrow = products.some(({ product_id }) => !available.has(product_id))
  return mayGrow ? { ...(await countProducts(sql, seller)), max } : undefined
}
