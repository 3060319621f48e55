import { CompiledQuery } from 'kysely'
import { addDays, mondayOf } from '../domain/calendar.ts'
import type { Quote } from '../domain/lines/quote.ts'
import type { OrderState } from '../domain/order/state.ts'
import type { Tx } from './database.ts'
import { newId } from './newId.ts'

/**
 * Publishes quotes, within the transaction of the event that cites them, as one commit on the seller's card, visible to the order's buyer alone: no
 * version of the card, announced to nobody, and in a scope of its own, so that it never replaces an open price. A quote's first week stands
 * under its own locked_rate_id, every further one under a new one.
 */
export async function publishQuotes(tx: Tx, { request, facts }: OrderState, quotes: readonly Quote[]): Promise<void> {
  if (quotes.length === 0) return
  const rows = quotes.flatMap((quote) =>
    quote.weeks.map((week, index) => ({ ...quote, week, locked_rate_id: index === 0 ? quote.locked_rate_id : newId('lr_') })),
  )
  const weeks = rows.map(({ week }) => week).sort()
  const start = mondayOf(weeks[0] as string)
  const end = addDays(mondayOf(weeks.at(-1) as string), 6)
  const column = (member: (typeof COLUMNS)[number]) => rows.map((row) => row[member])
  const values = [request.seller, newId('quote_'), `[${start},${end}]`, facts.buyer_entity, facts.order_id, ...COLUMNS.map(column)]
  await tx.executeQuery(CompiledQuery.raw(PUBLISH, values))
}

/** The prices of a card that a buyer may see, the agreement aside: the open ones, and its own quotes until they lapse. */
export const IN_SIGHT = (buyer: string) =>
  `(visible_to is null or (visible_to = ${buyer} and (quote_expires_at is null or quote_expires_at > now())))`

const COLUMNS = [
  'locked_rate_id',
  'product_id',
  'week',
  'market_class',
  'advertiser_class',
  'spot_length',
  'buy_type',
  'clearance_tier',
  'gross_rate_unit',
  'gross_rate_cpm',
  'currency',
  'guaranteed_impressions',
  'audience_code',
  'quote_expires_at',
] as const

const PUBLISH = `with made as (
    insert into rate_commits (seller, commit, effective, visible_to, order_id, body_sha256, reply)
    values ($1, $2, $3, $4, $5, sha256(convert_to($2, 'UTF8')), '') returning commit_no
  )
  insert into rate_entries (seller, commit, commit_no, visible_to, ${COLUMNS.join(', ')})
  select $1, $2, commit_no, $4, quote.* from made, unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::int[], $12::text[],
    $13::text[], $14::numeric[], $15::numeric[], $16::text[], $17::bigint[], $18::text[], $19::timestamptz[]) as quote`
