import { sql } from 'kysely'
import type { AvailsRequest, AvailsRequestList } from '../../contract/availsRequest.ts'
import type { Period } from '../../contract/scalars.ts'
import type { Answer, OpenRequest } from '../../domain/discovery/answerRequests.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database, Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import type { Reading } from '../connection/snapshot.ts'

/** Open requests that one buyer may have with one seller. */
const MOST_OPEN = 1_000

/** Keeps a request until it is answered; the same question asked again is the same request, with the newer note. Answers its id. */
export async function saveAvailsRequest({ sql: db }: Database, seller: string, buyer: string, ask: AvailsRequest): Promise<string> {
  const open = await db
    .selectFrom('avails_requests')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('buyer_entity', '=', buyer)
    .where('seller', '=', seller)
    .where('answered_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(open.count) >= MOST_OPEN) {
    throw new Refusal('INVALID_INPUT', `${seller} has ${MOST_OPEN} open requests of yours already.`, { limit: MOST_OPEN })
  }
  const note = ask.note ?? null
  const { request_id } = await db
    .insertInto('avails_requests')
    .values({
      request_id: newId('req_'),
      seller,
      buyer_entity: buyer,
      product_id: ask.product_id,
      grain: ask.period.grain,
      start: ask.period.start,
      agreement_id: ask.agreement ?? '',
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

/** What is asked of some products of a seller and not answered; nobody else answers it meanwhile. */
export async function openRequests(tx: Tx, seller: string, productIds: readonly string[]): Promise<OpenRequest[]> {
  const rows = await tx
    .selectFrom('avails_requests')
    .select(['request_id', 'buyer_entity', 'product_id', 'grain', 'start', 'agreement_id'])
    .where('seller', '=', seller)
    .where('answered_at', 'is', null)
    .where('product_id', '=', sql<string>`any(${productIds}::text[])`)
    .orderBy('request_id')
    .forUpdate()
    .execute()
  return rows.map(({ grain, start, agreement_id, ...row }) => ({
    ...row,
    period: { grain, start } as Period,
    agreement_id: agreement_id === '' ? null : agreement_id,
  }))
}

/** Closes requests that were answered. */
export async function closeRequests(tx: Tx, answers: readonly Answer[], now: string): Promise<void> {
  const ids = answers.map(({ request }) => request.request_id)
  await tx.updateTable('avails_requests').set({ answered_at: now }).where('request_id', '=', sql<string>`any(${ids}::text[])`).execute()
}

/** Closes requests that a publish answered, and discloses what answered each to its asker. */
export async function keepAnswers(tx: Tx, seller: string, answers: readonly Answer[], now: string): Promise<void> {
  await closeRequests(tx, answers, now)
  const disclosed = answers.flatMap(({ request, periods }) => periods.map((period) => ({ ...request, period })))
  await sql`
    insert into avails_disclosed (seller, buyer_entity, product_id, grain, start)
    select ${seller}, d.* from unnest(${disclosed.map(({ buyer_entity }) => buyer_entity)}::text[],
      ${disclosed.map(({ product_id }) => product_id)}::text[], ${disclosed.map(({ period }) => period.grain)}::text[],
      ${disclosed.map(({ period }) => period.start)}::text[]) as d
    on conflict do nothing`.execute(tx)
}

const OPEN = {
  name: 'page-open-avails-requests',
  text: `select request_id, buyer_entity, product_id, json_build_object('grain', grain, 'start', start) as period, note,
      nullif(agreement_id, '') as agreement, requested_at
    from avails_requests where seller = $1 and answered_at is null and ($2::text is null or request_id > $2)
    order by request_id limit $3`,
}

type Item = AvailsRequestList['items'][number]
type OpenRow = Omit<Item, 'note' | 'agreement'> & { note: string | null; agreement: string | null }

/** A seller's open requests, oldest first, page by page. */
export async function pageOpenRequests({ pool }: Database, seller: string, after: string | undefined, limit: number): Promise<Item[]> {
  const { rows } = await pool.query<OpenRow>(OPEN, [seller, after ?? null, limit])
  return rows.map(({ note, agreement, ...row }) => ({ ...row, ...(note !== null && { note }), ...(agreement !== null && { agreement }) }))
}

const DISCLOSED = {
  name: 'read-disclosed-avails',
  text: `select product_id, grain, start from avails_disclosed where seller = $1 and buyer_entity = $2 and product_id = any($3::text[])`,
}

/** The periods of some products' avails that answers disclosed to one buyer. */
export async function readDisclosed(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  buyer: string,
  productIds: readonly string[],
): Promise<{ product_id: string; grain: string; start: string }[]> {
  return (await pool.query(DISCLOSED, [seller, buyer, productIds])).rows
}
