import type { Avail } from '../../contract/avail.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import { type Answer, answeredByPlan, answerRequests } from '../../domain/discovery/answerRequests.ts'
import type { CatalogTerms } from '../../domain/publish/productTerms.ts'
import { readAudience } from '../../store/catalog/audience.ts'
import { closeRequests, keepAnswers, openRequests } from '../../store/catalog/availsRequests.ts'
import type { Tx } from '../../store/connection/database.ts'
import { announce } from '../../store/delivery/notices.ts'

/** Answers each open avails request that this publish covers, once: sends catalog.avails_answered to the asker and the seller. */
export async function answerAvailsRequests(
  tx: Tx,
  seller: string,
  products: ReadonlyMap<string, CatalogTerms>,
  avails: readonly Pick<Avail, 'product_id' | 'period'>[],
): Promise<void> {
  const requests = await openRequests(tx, seller, [...products.keys()])
  if (requests.length === 0) return
  const now = new Date().toISOString()
  const answers = answerRequests(requests, avails, products, await readAudience(tx, seller, now.slice(0, 10)))
  if (answers.length === 0) return
  await keepAnswers(tx, seller, answers, now)
  await tell(tx, seller, answers, now, {})
}

/** The part of a plan that answers its buyer's avails requests. */
export interface AnsweringPlan {
  readonly seller: string
  readonly buyer_entity: string
  readonly order_id: string
  readonly plan_id: string
  readonly lines: readonly Pick<LineResult, 'product_id' | 'period'>[]
}

/** Answers the open requests of the plan's buyer for its products and periods. The plan is the answer, so it discloses no counts. */
export async function answerPlanned(tx: Tx, { seller, buyer_entity, order_id, plan_id, lines }: AnsweringPlan): Promise<void> {
  const named = [...new Set(lines.map(({ product_id }) => product_id))]
  const answers = answeredByPlan(await openRequests(tx, seller, named), buyer_entity, lines)
  if (answers.length === 0) return
  const now = new Date().toISOString()
  await closeRequests(tx, answers, now)
  await tell(tx, seller, answers, now, { order_id, plan_id })
}

async function tell(tx: Tx, seller: string, answers: readonly Answer[], now: string, by: object): Promise<void> {
  await announce(
    tx,
    answers.map(({ request: { request_id, buyer_entity, product_id }, periods }) => ({
      event_type: 'catalog.avails_answered' as const,
      seller,
      occurred_at: now,
      shown: [{ to: [buyer_entity, seller], data: { request_id, product_id, periods, ...by } }],
    })),
  )
}
