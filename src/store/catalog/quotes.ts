import { addDays, mondayOf } from '../../domain/calendar.ts'
import type { Quote } from '../../domain/lines/quote.ts'
import type { EndedQuote } from '../../domain/order/endedQuotes.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { arraysOf, namesOf, valuesOf } from '../connection/columns.ts'
import type { Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
import { PRICE_COLUMNS } from './priceColumns.ts'
import { isPublished } from './unpublished.ts'

/**
 * Publishes quotes as one commit on the seller's card, in the transaction of the event that cites them. Only the order's buyer sees them.
 * The commit is not a version of the card and is not announced. It has a scope of its own, so that it never replaces an open price.
 * A quote's first week uses the quote's locked_rate_id; each further week gets a new one.
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
  const { order_id, buyer_entity } = facts
  const commit = { seller: request.seller, commit: newId('quote_'), effective: `[${start},${end}]`, buyer_entity, order_id }
  await runOn(tx, PUBLISH.bind({ ...commit, ...valuesOf(COLUMNS, rows) }))
}

/** Records that quotes of an order are prices no more, within the transaction of the event that ends them; each for all the weeks that it prices. */
export async function endQuotes(tx: Tx, { request, facts }: OrderState, ended: readonly EndedQuote[]): Promise<void> {
  if (ended.length === 0) return
  const { order_id, buyer_entity } = facts
  const columns = { quote_ids: ended.map(({ locked_rate_id }) => locked_rate_id), reasons: ended.map(({ reason }) => reason) }
  await runOn(tx, END.bind({ seller: request.seller, buyer_entity, order_id, ...columns }))
}

/**
 * The prices of a card that a buyer may see, the agreement aside: the published open ones, and its own quotes until they lapse or end. Fenced: a plan
 * made while `ended_quotes` was empty would hash the whole table for one quote.
 */
export const IN_SIGHT = (buyer: string, seller: string) =>
  `${isPublished(seller)} and (visible_to is null or (visible_to = ${buyer} and (quote_expires_at is null or quote_expires_at > now())
    and not exists (select from ended_quotes where ended_id = locked_rate_id offset 0)))`

/** SQL: why a quote no longer counts as a price, because it lapsed or its seller or buyer ended it. Null for every other price. */
export const QUOTE_ENDED = `case when visible_to is null then null when quote_expires_at <= now() then 'lapsed'
  else (select reason from ended_quotes where ended_id = locked_rate_id) end`

const COLUMNS = { locked_rate_id: 'text', week: 'text', quote_id: 'text', ...PRICE_COLUMNS } as const

/** Writes a commit that one buyer sees, and its prices. Returns nothing. */
const PUBLISH = statement(
  'publish-quotes',
  ['seller', 'commit', 'effective', 'buyer_entity', 'order_id', ...namesOf(COLUMNS)],
  `with made as (
    insert into rate_commits (seller, commit, effective, visible_to, order_id, body_sha256, reply)
    values (:seller, :commit, :effective, :buyer_entity, :order_id, sha256(convert_to(:commit, 'UTF8')), '') returning commit_no
  )
  insert into rate_entries (seller, commit, commit_no, visible_to, ${namesOf(COLUMNS).join(', ')})
  select :seller, :commit, commit_no, :buyer_entity, quote.* from made, unnest(${arraysOf(COLUMNS)}) as quote`,
)

/** Writes why quotes of an order are prices no more, for each week that they price. Returns nothing; what ended before stays as it is. */
const END = statement(
  'end-quotes',
  ['seller', 'buyer_entity', 'order_id', 'quote_ids', 'reasons'],
  `insert into ended_quotes (ended_id, seller, buyer_entity, reason)
  select e.locked_rate_id, :seller, :buyer_entity, ended.reason from rate_commits c join rate_entries e using (commit_no)
    join unnest(:quote_ids::text[], :reasons::text[]) as ended (id, reason) on ended.id = coalesce(e.quote_id, e.locked_rate_id)
  where c.order_id = :order_id
  on conflict do nothing`,
)
