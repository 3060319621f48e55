import type { Product } from '../../contract/product.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Tx } from '../connection/database.ts'
import { keepOffers } from './sellerOffers.ts'

/**
 * Puts products into the seller's catalog that one buyer alone may see. Publishes of the seller wait for it and it for them, so that a
 * reference that both would take is taken once: DUPLICATE_EXTERNAL_REF for the later one.
 */
export async function saveMinted(tx: Tx, seller: string, buyerEntity: string, products: readonly Product[]): Promise<void> {
  if (products.length === 0) return
  await tx.selectFrom('sellers').select('seller').where('seller', '=', seller).forNoKeyUpdate().execute()
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
  await keepOffers(
    tx,
    seller,
    made.map(({ product_id }) => product_id),
  )
  const kept = new Set(made.map(({ product_id }) => product_id))
  const shared = products.find(({ product_id }) => !kept.has(product_id))?.external_ref
  if (shared === undefined) return
  throw new Refusal('DUPLICATE_EXTERNAL_REF', `The external_ref ${shared} is taken: it must be unique in a catalog.`, {
    external_ref: shared,
  })
}
