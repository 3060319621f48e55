import type { Avail } from '../contract/avail.ts'
import type { Product } from '../contract/product.ts'
import { answerRequests } from '../domain/publish/answerRequests.ts'
import { readAudience } from '../store/audience.ts'
import { keepAnswers, openRequests } from '../store/availsRequests.ts'
import type { Tx } from '../store/database.ts'
import { announce } from '../store/notices.ts'

/** Answers what buyers asked and this publish covers, each request once: catalog.avails_answered to the asker and the seller. */
export async function answerAsked(
  tx: Tx,
  seller: string,
  products: ReadonlyMap<string, Product>,
  avails: readonly Pick<Avail, 'product_id' | 'period'>[],
): Promise<void> {
  const requests = await openRequests(tx, seller, [...products.keys()])
  if (requests.length === 0) return
  const now = new Date().toISOString()
  const answers = answerRequests(requests, avails, products, await readAudience(tx, seller, now.slice(0, 10)))
  if (answers.length === 0) return
  await keepAnswers(tx, seller, answers, now)
  await announce(
    tx,
    answers.map(({ request: { request_id, buyer_entity, product_id }, periods }) => ({
      event_type: 'catalog.avails_answered' as const,
      seller,
      occurred_at: now,
      shown: [{ to: [buyer_entity, seller], data: { request_id, product_id, periods } }],
    })),
  )
}
