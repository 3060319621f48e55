import type { CatalogRead } from '../../contract/product.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import type { Credentials } from '../embedded/seedSandbox.ts'
import { clientFor } from './client.ts'
import { example } from './examples.ts'
import { API_SELLERS, publish } from './publish.ts'
import { tokenOf } from './tokenOf.ts'

/**
 * Publishes the catalogs, rate cards and avails of the sandbox sellers over HTTP, as the demo does, so that buyers find something to order.
 * Skips a seller that has published data of its own, and repeats a seeding that was cut short.
 */
export async function seedCatalogs({ base_url, sellers }: Credentials, signal: AbortSignal): Promise<void> {
  await Promise.all(
    API_SELLERS.map(async (seller) => {
      const asSeller = clientFor(base_url, tokenOf(sellers, seller), signal)
      if (!(await hasPublished(seller, asSeller))) await publish(seller, asSeller)
    }),
  )
}

async function hasPublished(seller: string, asSeller: Operations): Promise<boolean> {
  const { body: last } = await asSeller.getOwnAvails({ query: { limit: 1 } })
  if (last.avails.length > 0) return true
  const { body: catalog } = await asSeller.getOwnCatalog()
  const ours = JSON.parse(await example(`${seller}-catalog`)) as Pick<CatalogRead, 'products'>
  return catalog.products.some(({ product_id }) => !ours.products.some((product) => product.product_id === product_id))
}
