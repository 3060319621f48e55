import type { Product } from '../../contract/product.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Tx } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
import { addOffers } from './sellerOffers.ts'
import { isInForce } from './unpublished.ts'

/**
 * Adds products to the seller's catalog that only one buyer may see. It and the seller's publishes wait for each other, so that of two
 * that want the same reference the later one gets DUPLICATE_EXTERNAL_REF.
 */
export async function saveMinted(tx: Tx, seller: string, buyerEntity: string, products: readonly Product[]): Promise<void> {
  if (products.length === 0) return
  await tx.selectFrom('sellers').select('seller').where('seller', '=', seller).forNoKeyUpdate().execute()
  const external_refs = products.flatMap(({ external_ref }) => external_ref ?? [])
  const { rows: replaced } = await runOn<{ external_ref: string }>(tx, REPLACED.bind({ seller, external_refs }))
  refuseTaken(replaced[0]?.external_ref)
  const rows = products.map((product) => ({
    seller,
    product_id: product.product_id,
    external_ref: product.external_ref ?? null,
    body: JSON.stringify(product),
    minted_for: buyerEntity,
  }))
  const made = await tx
    .insertInto('products')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('product_id')
    .execute()
  await addOffers(
    tx,
    seller,
    made.map(({ product_id }) => product_id),
  )
  const kept = new Set(made.map(({ product_id }) => product_id))
  refuseTaken(products.find(({ product_id }) => !kept.has(product_id))?.external_ref)
}

/** Finds references of products that an update is about to replace: the unique index already lets others take them. */
const REPLACED = statement(
  'find-replaced-refs',
  ['seller', 'external_refs'],
  `select external_ref from products p
    where seller = :seller and replaced_by <> 0 and ${isInForce('p', ':seller')} and external_ref = any(:external_refs::text[]) limit 1`,
)

function refuseTaken(external_ref: string | undefined): void {
  if (external_ref === undefined) return
  throw new Refusal('DUPLICATE_EXTERNAL_REF', `The external_ref ${external_ref} is taken: it must be unique in a catalog.`, {
    external_ref,
  })
}
