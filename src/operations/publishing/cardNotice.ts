import type { Visible } from '../../domain/discovery/audience.ts'
import { type Card, cardPublished } from '../../domain/publish/cardNotices.ts'
import { readAudience } from '../../store/catalog/audience.ts'
import type { Publishing } from '../../store/catalog/publishLock.ts'
import type { Notice } from '../../store/delivery/notices.ts'

/**
 * Builds the notice of a commit for every buyer concerned (contract, Event types). Runs before the commit's own transaction, which it would
 * make long.
 */
export async function cardNotice({ sql, seller }: Publishing, card: Card, products: readonly Visible[]): Promise<Notice> {
  const now = new Date().toISOString()
  const audience = await readAudience(sql, seller, now.slice(0, 10))
  return { event_type: 'catalog.rate_card_published', seller, occurred_at: now, shown: cardPublished(card, products, audience) }
}
