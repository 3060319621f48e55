import { CompiledQuery } from 'kysely'
import { addDays, mondayOf } from '../../domain/calendar.ts'
import type { Quote } from '../../domain/lines/quote.ts'
import type { EndedQuote } from '../../domain/order/endedQuotes.ts'
import type { OrderState } from '../../domain/order/state.ts'
import type { Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { arraysOf, PRICE_COLUMNS } from './priceColumns.ts'
import { isPublished } from './unpublished.ts'

/**
 * Publishes quotes, within the transaction of the event that cites them, as one commit on the seller's card, visible to the order's buyer alone: no
 * version of the card, announced to nobody, and in a scope of its own, so that it never replaces an open price. A quote's first week stands
 * under its own locked_rate_id, every further one under a new one.
 */
export async function publishQuotes(tx: Tx, { request, facts }: OrderState, quotes: readonly Quote[]): Promise<void> {
  if (quotes.length === 0) return
  const rows = quotes.flatMap((quote) =>
    quote.weeks.map((week, index) => ({
      ...quote,
      week,
      quote_id: quote.locked_rate_id,
      locked_rate_id: index === 0 ? quote.locked_rate_id : newId('lr_'),
    })),
  )
  const weeks = rows.map(({ week }) => week).sort()
  const start = mondayOf(weeks[0] as string)
  const end = addDays(mondayOf(weeks.at(-1) as string), 6)
  const column = (member: (typeof NAMES)[number]) => rows.map((row) => row[member])
  const values = [request.seller, newId('quote_'), `[${start},${end}]`, facts.buyer_entity, facts.order_id, ...NAMES.map(column)]
  await tx.executeQuery(CompiledQuery.raw(PUBLISH, values))
}

/** Records that quotes of an order are prices no more, within the transaction of the event that ends them; each for all the weeks that it prices. */
export async function endQuotes(tx: Tx, { request, facts }: OrderState, ended: readonly EndedQuote[]): Promise<void> {
  if (ended.length === 0) return
  const columns = [ended.map(({ locked_rate_id }) => locked_rate_id), ended.map(({ reason }) => reason)]
  await tx.executeQuery(CompiledQuery.raw(END, [request.seller, facts.buyer_entity, facts.order_id, ...columns]))
}

/** The prices of a card that a buyer may see, the agreement aside: the published open ones, and its own quotes until they lapse or end. */
export const IN_SIGHT = (buyer: string, seller: string) =>
  `${isPublished(seller)} and (visible_to is null or (visible_to = ${buyer} and (quote_expires_at is null or quote_expires_at > now())
    and not exists (select from ended_quotes where ended_id = locked_rate_id offset 0)))`

/** Why a price is none any more: a quote that has lapsed, or that its seller or buyer ended. Null of every other price. */
export const QUOTE_ENDED = `case when visible_to is null then null when quote_expires_at <= now() then 'lapsed'
  else (select reason from ended_quotes where ended_id = locked_rate_id) end`

const COLUMNS = { locked_rate_id: 'text', week: 'text', quote_id: 'text', ...PRICE_COLUMNS } as const
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

const PUBLISH = `with made as (
    insert into rate_commits (seller, commit, effective, visible_to, order_id, body_sha256, reply)
    values ($1, $2, $3, $4, $5, sha256(convert_to($2, 'UTF8')), '') returning commit_no
  )
  insert into rate_entries (seller, commit, commit_no, visible_to, ${NAMES.join(', ')})
  select $1, $2, commit_no, $4, quote.* from made, unnest(${arraysOf(COLUMNS, 6)}) as quote`

const END = `insert into ended_quotes (ended_id, seller, buyer_entity, reason)
  select e.locked_rate_id, $1, $2, ended.reason from rate_commits c join rate_entries e using (commit_no)
    join unnest($4::text[], $5::text[]) as ended (id, reason) on ended.id = coalesce(e.quote_id, e.locked_rate_id)
  where c.order_id = $3
  on conflict do nothing`
