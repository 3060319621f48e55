import { addDays, mondayOf } from '../../domain/calendar.ts'
import type { Quote } from '../../domain/lines/quote.ts'
import type { EndedQuote } from '../../domain/order/endedQuotes.ts'
import { arraysOf, namesOf, valuesOf } from '../connection/columns.ts'
import { newId } from '../connection/newId.ts'
import { PRICE_COLUMNS } from './priceColumns.ts'
import { isPublished } from './unpublished.ts'

/** Returns values for `QUOTE_PARAMETERS`: the quotes that events cite, and those that they end, each for all the weeks that it prices. */
export function quoteValues(quotes: readonly Quote[], ended: readonly EndedQuote[]): Record<(typeof QUOTE_PARAMETERS)[number], unknown> {
  return {
    ...commitOf(quotes),
    ended_quotes: ended.map(({ locked_rate_id }) => locked_rate_id),
    ended_reasons: ended.map(({ reason }) => reason),
  }
}

/** Builds the quotes' commit, if there are quotes. A quote's first week uses its locked_rate_id; each further week gets a new one. */
function commitOf(quotes: readonly Quote[]) {
  const rows = quotes.flatMap((quote) =>
    quote.weeks.map((week, index) => ({
      ...quote,
      week,
      quote_id: quote.locked_rate_id,
      locked_rate_id: index === 0 ? quote.locked_rate_id : newId('lr_'),
    })),
  )
  const weeks = rows.map(({ week }) => week).sort()
  const [first, last] = [weeks[0], weeks.at(-1)]
  const quote_dates = first === undefined || last === undefined ? null : `[${mondayOf(first)},${addDays(mondayOf(last), 6)}]`
  return { quote_commit: quote_dates === null ? null : newId('quote_'), quote_dates, ...valuesOf(COLUMNS, rows) }
}

/**
 * SQL: the prices of a card that a buyer may see, except the agreement's: the published open ones, and its own quotes until they lapse or
 * end. The fence matters: a plan made while `ended_quotes` was empty would hash the whole table for one quote.
 */
export const IN_SIGHT = (buyer: string, seller: string) =>
  `${isPublished(seller)} and (visible_to is null or (visible_to = ${buyer} and (quote_expires_at is null or quote_expires_at > now())
    and not exists (select from ended_quotes where ended_id = locked_rate_id offset 0)))`

/** SQL: why a quote no longer counts as a price, because it lapsed or its seller or buyer ended it. Null for every other price. */
export const QUOTE_ENDED = `case when visible_to is null then null when quote_expires_at <= now() then 'lapsed'
  else (select reason from ended_quotes where ended_id = locked_rate_id) end`

const COLUMNS = { locked_rate_id: 'text', week: 'text', quote_id: 'text', ...PRICE_COLUMNS } as const

/** The parameters of `WRITE_QUOTES`, besides the order's id. */
export const QUOTE_PARAMETERS = ['quote_commit', 'quote_dates', ...namesOf(COLUMNS), 'ended_quotes', 'ended_reasons'] as const

/**
 * SQL: writes the quotes that events cite and end, in the statement that appends the events: members of a WITH, after `head`, the
 * order's row. New quotes form one commit on the seller's card, which only the order's buyer sees. It is no card version, is not announced,
 * and has its own scope, so that it never replaces an open price. A quote that has already ended does not change.
 */
export const WRITE_QUOTES = `quote_commit as (
      insert into rate_commits (seller, commit, effective, visible_to, order_id, body_sha256, reply)
      select seller, :quote_commit::text, :quote_dates::daterange, buyer_entity, order_id, sha256(convert_to(:quote_commit::text, 'UTF8')), ''
      from head where :quote_commit::text is not null
      returning seller, commit, commit_no, visible_to
    ), quoted as (
      insert into rate_entries (seller, commit, commit_no, visible_to, ${namesOf(COLUMNS).join(', ')})
      select c.seller, c.commit, c.commit_no, c.visible_to, quote.* from quote_commit c, unnest(${arraysOf(COLUMNS)}) as quote
    ), quotes_ended as (
      insert into ended_quotes (ended_id, seller, buyer_entity, reason)
      select e.locked_rate_id, h.seller, h.buyer_entity, ended.reason from head h join rate_commits c on c.order_id = h.order_id
        join rate_entries e using (commit_no)
        join unnest(:ended_quotes::text[], :ended_reasons::text[]) as ended (id, reason) on ended.id = coalesce(e.quote_id, e.locked_rate_id)
      on conflict do nothing
    )`
