import { sql } from 'kysely'
import type { AvailsRequest, AvailsRequestList } from '../../contract/availsRequest.ts'
import type { Period } from '../../contract/scalars.ts'
import type { Answer, OpenRequest } from '../../domain/discovery/answerRequests.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database, Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { disclose } from './disclosedAvails.ts'

/** The most open requests that one buyer may have with one seller. */
const MAX_OPEN = 1_000

/** Saves an avails request until it is answered. Repeating the same question updates the note of the same request. Returns its id. */
export async function saveAvailsRequest({ sql: db }: Database, seller: string, buyer: string, request: AvailsRequest): Promise<string> {
  const open = await db
    .selectFrom('avails_requests')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('buyer_entity', '=', buyer)
    .where('seller', '=', seller)
    .where('answered_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(open.count) >= MAX_OPEN) {
    throw new Refusal('INVALID_INPUT', `${seller} has ${MAX_OPEN} open requests of yours already.`, { limit: MAX_OPEN })
  }
  const note = request.note ?? null
  const { request_id } = await db
    .insertInto('avails_requests')
    .values({
      request_id: newId('req_'),
      seller,
      buyer_entity: buyer,
      product_id: request.product_id,
      grain: request.period.grain,
      start: request.period.start,
      agreement_id: request.agreement ?? '',
      note,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['seller', 'product_id', 'buyer_entity', 'grain', 'start', 'agreement_id'])
        .where('answered_at', 'is', null)
        .doUpdateSet({ note }),
    )
    .returning('request_id')
    .executeTakeFirstOrThrow()
  return request_id
}

/** Returns the open requests for some products of a seller, locked so that no other transaction answers them. */
export async function openRequests(tx: Tx, seller: string, productIds: readonly string[]): Promise<OpenRequest[]> {
  // A publish may name far more products than are asked for.
  const open = tx.selectFrom('avails_requests').where('seller', '=', seller).where('answered_at', 'is', null)
  const named = new Set(productIds)
  const asked = (await open.select('product_id').distinct().execute()).map(({ product_id }) => product_id).filter((id) => named.has(id))
  if (asked.length === 0) return []
  const rows = await open
    .select(['request_id', 'buyer_entity', 'product_id', 'grain', 'start', 'agreement_id'])
    .where('product_id', '=', sql<string>`any(${asked}::text[])`)
    .orderBy('request_id')
    .forUpdate()
    .execute()
  return rows.map(({ grain, start, agreement_id, ...row }) => ({
    ...row,
    period: { grain, start } as Period,
    agreement_id: agreement_id === '' ? null : agreement_id,
  }))
}

/** Closes answered requests. */
export async function closeRequests(tx: Tx, answers: readonly Answer[], now: string): Promise<void> {
  const ids = answers.map(({ request }) => request.request_id)
  await tx.updateTable('avails_requests').set({ answered_at: now }).where('request_id', '=', sql<string>`any(${ids}::text[])`).execute()
}

/** Closes requests that a publish answered, and discloses each answer to its asker. */
export async function keepAnswers(tx: Tx, seller: string, answers: readonly Answer[], now: string): Promise<void> {
  await closeRequests(tx, answers, now)
  await disclose(tx, seller, answers)
}

type Item = AvailsRequestList['items'][number]

/** Returns a page of a seller's open requests, oldest first. */
export async function pageOpenRequests({ sql: db }: Database, seller: string, after: string | undefined, limit: number): Promise<Item[]> {
  let query = db
    .selectFrom('avails_requests')
    .select(['request_id', 'buyer_entity', 'product_id', 'grain', 'start', 'note', 'agreement_id', 'requested_at'])
    .where('seller', '=', seller)
    .where('answered_at', 'is', null)
  if (after !== undefined) query = query.where('request_id', '>', after)
  const rows = await query.orderBy('request_id').limit(limit).execute()
  return rows.map(({ grain, start, note, agreement_id, requested_at, ...row }) => ({
    ...row,
    period: { grain, start } as Period,
    requested_at,
    ...(note !== null && { note }),
    ...(agreement_id !== '' && { agreement: agreement_id }),
  }))
}
