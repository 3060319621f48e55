import type { Agreement } from '../../contract/agreement.ts'
import type { Product } from '../../contract/product.ts'
import type { ReadableCreate, ReadableLine } from '../../contract/readableCreate.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import { isPeriodStart, weeksOfPeriod } from '../../domain/calendar.ts'
import { holdsOf, type OpenHold } from '../../domain/holds/checkCitedHolds.ts'
import type { RegisteredCreative } from '../../domain/lines/creative.ts'
import { neighborsOf } from '../../domain/lines/doubleBookedWeeks.ts'
import { monthKey, monthOfKey } from '../../domain/lines/monthKey.ts'
import type { RateOnCard } from '../../domain/lines/pricing.ts'
import type { Intake } from '../../domain/order/checkOrder.ts'
import { plainTargetUrl } from '../../domain/targets/targetUrl.ts'
import { type UsableUpload, uploadsOf } from '../../domain/uploads/checkAttachments.ts'
import { IN_SIGHT, QUOTE_ENDED } from '../catalog/quotes.ts'
import { isInForce, isPublished } from '../catalog/unpublished.ts'
import { batched } from '../connection/batched.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** Reads everything that a create request names. Includes an agreement's card if the request presents the agreement and it is in force. */
export async function readIntake({ pool }: Pick<Database, 'pool'>, request: ReadableCreate, buyerEntity: string): Promise<Intake> {
  const asked_at = new Date().toISOString()
  const items = request.line_items ?? []
  const periods = items.flatMap(({ period }) => (period !== undefined && isPeriodStart(period.grain, period.start) ? [period] : []))
  const month_rates = items.flatMap(({ rate, period }) => (period?.grain === 'month' ? (rate?.locked_rate_id ?? []) : []))
  const row = await intakeRow(pool, {
    seller: request.seller,
    rate_version: request.rate_version,
    products: items.flatMap(({ product_id }) => product_id ?? []),
    rates: items.flatMap(({ rate }) => rate?.locked_rate_id ?? []),
    starts: periods.flatMap(({ grain, start }) => [start, ...weeksOfPeriod(grain, start)]),
    buyer: buyerEntity,
    agreement: request.agreement_id,
    today: asked_at.slice(0, 10),
    rare: rareOf({
      month_rates,
      month_weeks: periods.flatMap(({ grain, start }) => (grain === 'month' ? weeksOfPeriod(grain, start) : [])),
      creatives: items.flatMap(creativesOf),
      supersedes: request.revision?.supersedes,
      month_keys: neighborKeys(request, buyerEntity),
      uploads: uploadsOf(request),
      holds: holdsOf(request),
      notify_url: request.notify_url === undefined ? undefined : plainTargetUrl(request.notify_url),
    }),
  })
  return {
    seller: row.seller ?? undefined,
    buyer_name: row.buyer_name ?? undefined,
    standing: row.standing ?? { status: 'active', allowlisted: false },
    agreements: row.agreements ?? [],
    rate_version_known: row.rate_version_known,
    superseded: row.superseded ?? undefined,
    booked_months: (row.booked_months ?? []).map(({ order_id, key }) => ({ order_id, ...monthOfKey(key) })),
    uploads: row.uploads ?? [],
    holds: row.holds ?? [],
    notify_endpoint: row.notify_endpoint ?? undefined,
    asked_at,
    products: row.products ?? [],
    creatives: row.creatives ?? [],
    cited: row.cited ?? [],
    card: row.card ?? [],
    avails: row.avails ?? [],
  }
}

interface IntakeRequest {
  [member: string]: unknown
  rare: object | undefined
}

/** Reads intakes, batching concurrent calls into one statement. */
const intakeRow = batched<IntakeRequest, IntakeRow>(async (pool, requests) => {
  const intake = requests.some(({ rare }) => rare !== undefined) ? INTAKE_WITH_RARE : INTAKE
  const { rows } = await pool.query<IntakeRow & { place: string }>(intake.bind({ requests: JSON.stringify(requests) }))
  const answers = new Map(rows.map((row) => [Number(row.place), row]))
  return requests.map((_, index) => answers.get(index + 1) as IntakeRow)
})

/** Returns names that few orders use; undefined if the order uses none of them. */
function rareOf(names: Readonly<Record<string, readonly string[] | string | undefined>>): object | undefined {
  return Object.values(names).some((named) => named !== undefined && named.length > 0) ? names : undefined
}

/** Returns the keys of the months that share a week with those that a request orders. */
function neighborKeys({ seller, line_items = [] }: ReadableCreate, buyer: string): string[] {
  if (seller === undefined) return []
  const keys = line_items.flatMap(({ product_id, period }) => {
    if (product_id === undefined || period?.grain !== 'month' || !isPeriodStart('month', period.start)) return []
    return neighborsOf(period.start).map(({ month }) => monthKey(seller, buyer, product_id, month))
  })
  return [...new Set(keys)]
}

function creativesOf({ creative_id, traffic_instructions }: ReadableLine): string[] {
  const splits = (traffic_instructions?.creative_splits ?? []).map((split) => split.creative_id)
  return creative_id === undefined ? splits : [creative_id, ...splits]
}

/** A market as a statement returns it. */
export type MarketRow = { cited: RateOnCard[] | null; card: RateOnCard[] | null; avails: Intake['avails'] | null }
type IntakeRow = Pick<MarketRow, 'cited' | 'avails'> & {
  seller: { name: string; currency: string; taxonomy_version: string | null; profile: SellerProfile } | null
  buyer_name: string | null
  standing: Intake['standing'] | null
  agreements: Agreement[] | null
  rate_version_known: boolean
  products: Product[] | null
} & Partial<RareRow>
type RareRow = Pick<MarketRow, 'card'> & {
  superseded: NonNullable<Intake['superseded']> | null
  booked_months: { order_id: string; key: string }[] | null
  uploads: UsableUpload[] | null
  holds: OpenHold[] | null
  notify_endpoint: string | null
  creatives: RegisteredCreative[] | null
}

/** SQL: a price in the rules' form: costs as text, so that no decimal passes through a double. */
const RATE_MEMBERS = `'locked_rate_id', locked_rate_id, 'product_id', product_id, 'week', week, 'market_class', market_class,
  'advertiser_class', advertiser_class, 'spot_length', spot_length, 'buy_type', buy_type, 'clearance_tier', clearance_tier,
  'gross_rate_unit', gross_rate_unit::text, 'gross_rate_cpm', gross_rate_cpm::text, 'currency', currency,
  'guaranteed_impressions', guaranteed_impressions, 'audience_code', audience_code, 'agreement_id', agreement_id, 'visible_to', visible_to,
  'window_opens', window_opens, 'window_closes', window_closes, 'quote_expires_at', quote_expires_at`
export const RATE = `json_build_object(${RATE_MEMBERS})`

/**
 * SQL: a relation of the prices with some ids, of any seller. Fenced, with one lookup per id: a plan made while the table was small would
 * read the whole table, or a seller's whole card, for each order, until the table is analyzed again.
 */
export const PRICES_BY_ID = (ids: string) =>
  `(select distinct unnest(${ids}) as cited_id) cited cross join lateral (select * from rate_entries where locked_rate_id = cited_id offset 0) price`

/** SQL: cited prices that this buyer may see: the open card's, the presented agreement's, and its own quotes, with why they ended. */
export const CITED = (seller: string, ids: string, buyer: string, presented: string) =>
  `(select json_agg(json_build_object(${RATE_MEMBERS}, 'quote_ended', ${QUOTE_ENDED})) from ${PRICES_BY_ID(ids)} where seller = ${seller}
     and (agreement_id is null or agreement_id = ${presented}) and (visible_to is null or visible_to = ${buyer}) and ${isPublished(seller)})`

/**
 * SQL: the newest prices for the keys of the cited ones, in some weeks: per key and scope the newest commit wins (choices, Current card).
 * Only those keys, since a product may have dozens. Fenced: a plan made while the table was empty would find prices by week alone, across
 * all of the seller's products.
 */
export const CARD = (seller: string, ids: string, weeks: string, buyer: string, presented: string) =>
  `(select json_agg(${RATE}) from (
     select distinct on (newest.product_id, newest.week, newest.spot_length, newest.market_class, newest.advertiser_class, newest.buy_type,
       newest.clearance_tier, newest.agreement_id, newest.visible_to) newest.*
     from (select distinct ${KEY} from ${PRICES_BY_ID(ids)} where seller = ${seller}) key
       cross join lateral (select * from rate_entries r
         where r.seller = ${seller} and r.product_id = key.product_id and r.week = any(${weeks}) and r.spot_length = key.spot_length
           and r.market_class = key.market_class and r.advertiser_class = key.advertiser_class and r.buy_type = key.buy_type
           and r.clearance_tier is not distinct from key.clearance_tier and r.agreement_id is not distinct from key.agreement_id
           and r.visible_to is not distinct from key.visible_to
           and (agreement_id is null or agreement_id = ${presented}) and ${IN_SIGHT(buyer, seller)} offset 0) newest
     order by newest.product_id, newest.week, newest.spot_length, newest.market_class, newest.advertiser_class, newest.buy_type,
       newest.clearance_tier, newest.agreement_id, newest.visible_to, newest.commit_no desc
   ) newest)`

const KEY = 'product_id, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id, visible_to'

export const AVAILS = (seller: string, products: string, starts: string) =>
  `(select json_agg(json_build_object('product_id', product_id, 'grain', grain, 'start', start, 'state', state,
       'basis', body->'basis', 'sellout_level', body->'sellout_level', 'impressions', body->'impressions',
       'available', coalesce(body->'spots'->'available', body->'units'->'available')))
   from avails where seller = ${seller} and product_id = any(${products}) and start = any(${starts}))`

const TEXTS = (from: string, members: readonly string[]) =>
  members.map((member) => `array(select jsonb_array_elements_text(${from}->'${member}')) as ${member}`).join(', ')

/**
 * Reads everything that a create request names: one row per request, with its place. Fenced: otherwise a plan parses a request's JSON at each
 * use of a member and, if the tables were empty then, hashes all agreements and searches all of a buyer's orders for the prior one.
 */
const intakeOf = (name: string, columns = '', members = '') =>
  statement(
    name,
    ['requests'],
    `select place,
    (select name from tenants where entity = a.buyer) as buyer_name,
    (select json_build_object('status', status, 'allowlisted', allowlisted) from seller_buyers where seller = a.seller and buyer_entity = a.buyer) as standing,
    (select json_agg(body order by agreement_id) from agreements
       where buyer_entity = a.buyer and seller = a.seller and status = 'active' and effective @> a.today) as agreements,
    (select json_build_object('name', t.name, 'currency', s.currency, 'taxonomy_version', s.taxonomy_version, 'profile', s.profile)
       from sellers s join tenants t on t.entity = s.seller where s.seller = a.seller) as seller,
    exists (select from rate_commits where seller = a.seller and commit = a.rate_version and (agreement_id is null or agreement_id = presented)
      and (visible_to is null or visible_to = a.buyer)) as rate_version_known,
    (select json_agg(body) from products p where seller = a.seller and ${isInForce('p', 'a.seller')} and (minted_for is null or minted_for = a.buyer)
       and product_id = any(a.products || array(select m.body->>'mirror_product_id' from products m
         where m.seller = a.seller and ${isInForce('m', 'a.seller')} and m.product_id = any(a.products)))) as products,
    ${columns}
    ${CITED('a.seller', 'a.rates', 'a.buyer', 'presented')} as cited,
    ${AVAILS('a.seller', 'a.products', 'a.starts')} as avails
    from jsonb_array_elements(:requests::jsonb) with ordinality as requested (request, place)
      cross join lateral (select request->>'seller' as seller, request->>'rate_version' as rate_version, request->>'buyer' as buyer,
        request->>'agreement' as agreement, (request->>'today')::date as today, ${members}
        ${TEXTS('request', ['products', 'rates', 'starts'])} offset 0) a
      left join lateral (select agreement_id as presented from agreements
        where agreement_id = a.agreement and seller = a.seller and buyer_entity = a.buyer and status = 'active' and effective @> a.today offset 0) p on true`,
  )

const INTAKE = intakeOf('read-intake-of-lines')

/** Reads the facts of lines with what few orders name: each further table costs every order of a statement that reads it, named or not. */
const INTAKE_WITH_RARE = intakeOf(
  'read-intake',
  `(select json_build_object('version', ((snapshot_head || '}')::json->'revision'->>'version')::int, 'family',
         (select json_agg(json_build_object('order_id', m.order_id, 'supersedes', m.supersedes, 'status', m.status))
            from orders m where m.order_id = coalesce(prior.root, prior.order_id) or m.root = coalesce(prior.root, prior.order_id)))
       from (select * from orders where order_id = a.supersedes offset 0) prior where buyer_entity = a.buyer and seller = a.seller) as superseded,
    (select json_agg(json_build_object('order_id', o.order_id, 'key', key)) from (
        select order_id, month_lines from orders where month_lines ?| a.month_keys and buyer_entity = a.buyer and seller = a.seller
          and coalesce(root, order_id) is distinct from (select coalesce(root, order_id) from orders where order_id = a.supersedes) offset 0
      ) o cross join lateral jsonb_array_elements_text(o.month_lines) as key where key = any(a.month_keys)) as booked_months,
    (select json_agg(json_build_object('upload_id', upload_id, 'format', format, 'sha256', sha256)) from uploads
       where buyer_entity = a.buyer and upload_id = any(a.uploads) and status = 'uploaded' and (pinned or expires_at > now())) as uploads,
    (select json_agg(json_build_object('hold_id', hold_id, 'lines', lines)) from holds
       where hold_id = any(a.holds) and buyer_entity = a.buyer and seller = a.seller and status = 'held' and expires_at > now()) as holds,
    (select endpoint_id from webhook_endpoints
       where tenant = a.buyer and url = a.notify_url and status = 'active' and 'order.status_changed' = any(readable) order by endpoint_id limit 1) as notify_endpoint,
    (select json_agg(json_build_object('creative_id', creative_id, 'creative_code', creative_code, 'name', name, 'length_seconds', length_seconds, 'status', status))
       from creatives where buyer_entity = a.buyer and creative_id = any(a.creatives)) as creatives,
    ${CARD('a.seller', 'a.month_rates', 'a.month_weeks', 'a.buyer', 'presented')} as card,`,
  `request->'rare'->>'supersedes' as supersedes, request->'rare'->>'notify_url' as notify_url,
        ${TEXTS(`request->'rare'`, ['month_rates', 'month_weeks', 'month_keys', 'creatives', 'uploads', 'holds'])},`,
)
