import type pg from 'pg'
import type { OrderEvent } from '../../contract/event.ts'
import type { Approval } from '../../contract/vocabulary.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { fold, type OrderFacts, type OrderRequest, type OrderState } from '../../domain/order/state.ts'
import type { Market } from '../../domain/order/validate.ts'
import { batched } from '../connection/batched.ts'
import { statement, unnested } from '../connection/statement.ts'
import { hashColumn } from './auditChain.ts'
import type { Command, StoredOutcome } from './command.ts'
import { CITED_BY_ASKS, COUNTER_TERMS, type PublishedTerms } from './counterTerms.ts'
import { AVAILS, CARD, CITED, type MarketRow } from './orderFacts.ts'
import { HEAD_COLUMNS } from './orderHead.ts'

/** An order as it is loaded for a read or a change. */
export interface Loaded {
  order: OrderState
  head: OrderHead
  characters: number
  approval: Approval
  stored: StoredOutcome | undefined
  market: OrderMarket | undefined
  terms: PublishedTerms | undefined
  /** The hash of the order's newest event, in hex. */
  last_hash: string
}

/** The seller's published data for the lines that an order was created with. `asks_seller`: the seller declares live availability. */
export type OrderMarket = Market & { asks_seller: boolean }

export interface LoadRequest {
  orderId: string
  atSeq?: number | undefined
  /** The command whose stored answer is loaded, and what else it needs. */
  command?: Command | undefined
}

type LoadRow = OrderHead & {
  place: string
  request: string
  facts: string
  events: string
  stored: StoredOutcome | null
  approval: Approval
  last_hash: string
  elapsed_s: number
} & Partial<MarketRow & { asks_seller: boolean | null; terms: PublishedTerms | null }>

/** Returns the orders in the order of the requests; undefined for one that does not exist. All are loaded with what the first request needs. */
export async function loadOrders(on: pg.Pool | pg.PoolClient, requests: readonly LoadRequest[]): Promise<(Loaded | undefined)[]> {
  return (await readRows(on, requests)).map(loadedFrom)
}

/** Loads an order in one statement with concurrent requests. Folds each order separately, so that one cannot fail another. */
export async function loadTogether(pool: pg.Pool, request: LoadRequest): Promise<Loaded | undefined> {
  return loadedFrom(await TOGETHER[request.command?.reads ?? 'order'](pool, request))
}

/** A small batch, since the market of a large order, or the products of its lines, may be megabytes. */
const FEW = { max: 8, inFlight: 4 }
const TOGETHER = {
  order: batched<LoadRequest, LoadRow | undefined>(readRows),
  market: batched<LoadRequest, LoadRow | undefined>(readRows, FEW),
  terms: batched<LoadRequest, LoadRow | undefined>(readRows, FEW),
}

async function readRows(on: pg.Pool | pg.PoolClient, requests: readonly LoadRequest[]): Promise<(LoadRow | undefined)[]> {
  const load = LOADS[requests[0]?.command?.reads ?? 'order']
  const { rows } = await on.query<LoadRow>(
    load.bind({
      order_ids: requests.map(({ orderId }) => orderId),
      at_seqs: requests.map(({ atSeq }) => atSeq ?? null),
      command_ids: requests.map(({ command }) => (typeof command?.id === 'string' ? command.id : null)),
      repeat_keys: requests.map(({ command }) => command?.repeatKey ?? null),
    }),
  )
  const answers = new Map(rows.map((row) => [Number(row.place), row]))
  return requests.map((_, index) => answers.get(index + 1))
}

function loadedFrom(found: LoadRow | undefined): Loaded | undefined {
  if (found === undefined) return undefined
  const { place: _, request, facts, events, stored, approval, last_hash, elapsed_s, ...row } = found
  const { cited, card, avails, asks_seller, terms, ...head } = row
  const asked: OrderRequest = JSON.parse(request)
  const known: OrderFacts = JSON.parse(facts)
  const happened: OrderEvent[] = JSON.parse(events)
  const market =
    asks_seller === undefined
      ? undefined
      : { cited: cited ?? [], card: card ?? [], avails: avails ?? [], asks_seller: asks_seller === true }
  const read = { market, terms: terms ?? undefined, stored: stored ?? undefined }
  const folded = fold(asked, known, happened)
  return { order: elapsed_s === 0 ? folded : { ...folded, elapsed_s }, head, characters: events.length, approval, last_hash, ...read }
}

/**
 * Reads what orders are folded from, their heads, and the newest stored answer for a command or its repeat key: a row for each order that
 * exists, with the place of its request. Fenced: a plan with joins, made while the tables were empty, would scan all orders and records.
 */
const LOADED = `select place, own.* from ${unnested({ order_ids: 'text', at_seqs: 'int', command_ids: 'text', repeat_keys: 'text' })}
      with ordinality as asked (id, at_seq, asked_id, asked_key, place)
    cross join lateral (select ${HEAD_COLUMNS}, elapsed_s, r.request, r.facts,
        log.events, log.last_hash,
        case when coalesce(asked.asked_id, asked.asked_key) is not null then
          (select json_build_object('command_id', command_id, 'last_seq', last_seq, 'text', outcome) from order_outcomes a
            where a.order_id = o.order_id and (command_id = asked.asked_id or repeat_key = asked.asked_key) order by last_seq desc limit 1) end as stored,
        (select profile->>'approval' from sellers s where s.seller = o.seller) as approval
      from orders o cross join lateral (select request, facts from order_records where order_id = o.order_id offset 0) r
        cross join lateral (select '[' || coalesce(string_agg(body, ',' order by seq) filter (where asked.at_seq is null or seq <= asked.at_seq), '') || ']' as events,
          (array_agg(${hashColumn('e')} order by seq))[count(*)] as last_hash from order_events e where e.order_id = o.order_id) log
      where o.order_id = asked.id offset 0) own`

const PARAMETERS = ['order_ids', 'at_seqs', 'command_ids', 'repeat_keys'] as const

const LOAD = statement('load-orders', PARAMETERS, LOADED)

/**
 * SQL: the ISO weeks that a period touches, in agreement with `weeksOfPeriod` of the domain, which a test checks. `grain` and `start` are
 * expressions.
 */
export const WEEKS_OF_PERIOD = (grain: string, start: string) =>
  `case ${grain} when 'week' then array[${start}] else array(select distinct to_char(day, 'IYYY"-W"IW') from generate_series(
    (case ${grain} when 'day' then ${start} else ${start} || '-01' end)::timestamp,
    case ${grain} when 'day' then ${start}::timestamp else (${start} || '-01')::timestamp + interval '1 month - 1 day' end, interval '1 day') day) end`

const OF_LINES = (value: string) => `array(select ${value} from jsonb_array_elements(lines) line)`

/**
 * Loads orders with the market for the request's lines: validation changes no lines before it. Fenced: otherwise a plan parses the
 * request at each use of a member.
 */
const LOAD_IN_MARKET = statement(
  'load-orders-in-market',
  PARAMETERS,
  `select loaded.*, coalesce((select profile->'realtime_availability' = 'true' and profile->'transports' ? 'pull' from sellers
        where seller = a.seller), false) as asks_seller,
      ${CITED('a.seller', 'a.rates', 'a.buyer', 'a.agreement')} as cited,
      ${CARD('a.seller', 'a.rates', 'a.weeks', 'a.buyer', 'a.agreement')} as card,
      ${AVAILS('a.seller', 'a.products', 'a.starts')} as avails
    from (${LOADED}) loaded
      cross join lateral (select coalesce(request::jsonb->'line_items', '[]') as lines, request::jsonb->>'agreement_id' as agreement offset 0) asked
      cross join lateral (select array(select distinct unnest(${WEEKS_OF_PERIOD(`(line->'period'->>'grain')`, `(line->'period'->>'start')`)})
          from jsonb_array_elements(lines) line) as weeks offset 0) w
      cross join lateral (select loaded.seller as seller, loaded.buyer_entity as buyer, agreement, weeks,
        ${OF_LINES(`line->>'product_id'`)} as products, ${OF_LINES(`line->'rate'->>'locked_rate_id'`)} as rates,
        ${OF_LINES(`line->'period'->>'start'`)} || weeks as starts offset 0) a`,
)

/** Loads orders with the terms of counters on their asks. */
const LOAD_WITH_TERMS = statement(
  'load-orders-with-terms',
  PARAMETERS,
  `select loaded.*, ${COUNTER_TERMS('loaded.seller', 'cited.products', 'cited.rates')} as terms
    from (${LOADED}) loaded cross join lateral ${CITED_BY_ASKS('loaded.order_id')} cited`,
)

const LOADS = { order: LOAD, market: LOAD_IN_MARKET, terms: LOAD_WITH_TERMS }
