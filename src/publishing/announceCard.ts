import type { Product } from '../contract/product.ts'
import { type Card, cardPublished, windowOpened } from '../domain/publish/cardNotices.ts'
import { readAudience } from '../store/audience.ts'
import type { Tx } from '../store/database.ts'
import { announce } from '../store/notices.ts'
import { keepWindows, openWindows } from '../store/rateWindows.ts'

/** Tells every buyer concerned of a commit and of the windows in it that are open already; those that open later are kept until then. */
export async function announceCard(tx: Tx, seller: string, card: Card, commitNo: string, products: readonly Product[]): Promise<void> {
  const now = new Date().toISOString()
  const audience = await readAudience(tx, seller, now.slice(0, 10))
  await keepWindows(tx, commitNo, now)
  const windows = await openWindows(tx, commitNo, now)
  const known = new Map(products.map((product) => [product.product_id, product]))
  await announce(tx, [
    { event_type: 'catalog.rate_card_published', seller, occurred_at: now, shown: cardPublished(card, products, audience) },
    ...windows.flatMap(({ commit_no: _, seller: __, ...window }) => {
      const product = known.get(window.product_id)
      if (product === undefined) return []
      return [
        { event_type: 'catalog.window_opened' as const, seller, occurred_at: now, shown: windowOpened(window, product, audience, now) },
      ]
    }),
  ])
}
