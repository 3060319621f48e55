import type { AvailsQuery } from '../../../src/contract/availsQuery.ts'
import { GRAINS, type Grain } from '../../../src/contract/vocabulary.ts'
import { disclosureFor } from '../../../src/domain/agreement/disclosure.ts'
import { isVisibleUnder } from '../../../src/domain/agreement/visibleProducts.ts'
import { weeksOfMonth } from '../../../src/domain/calendar.ts'
import { type AvailEntry, composeAvails, type Disclosed, type Published } from '../../../src/domain/discovery/composeAvails.ts'
import { type WeekRun, weekSelection } from '../../../src/domain/discovery/weekSelection.ts'
import { isOverAt } from '../../../src/domain/lines/pricing.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { inTurns } from '../../../src/operations/loopTurns.ts'
import { readAvails } from '../../../src/store/catalog/avails.ts'
import { readCatalogHead } from '../../../src/store/catalog/catalog.ts'
import { readDisclosed } from '../../../src/store/catalog/disclosedAvails.ts'
import { type ProductPlace, readNamedFor, readSomeFor } from '../../../src/store/catalog/productTerms.ts'
import { type CardQuestion, readCurrentCardOfFew } from '../../../src/store/catalog/rateCards.ts'
import { partsOfSnapshot, type Reading } from '../../../src/store/connection/snapshot.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { jsonInTurns } from '../../http/jsonInTurns.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'
import { wholeReads } from '../../http/wholeReads.ts'
import { availsByWeek } from './availsByWeek.ts'
import { noSuchSeller } from './discovery.ts'
import { relationOf } from './relation.ts'

const reads = wholeReads('avails')

/**
 * GET /sellers/{seller}/avails: whole, or page by page if `limit` or `cursor` is sent. Reads and renders a few products at a time, all in
 * one snapshot, and sends a whole read meanwhile, so that only a part of a large one is held in memory.
 */
export const getAvails: Handler<undefined, AvailsQuery> = async (deps, { caller, params, query }) => {
  const request: AvailsRequest = { seller: params.seller ?? '', buyer: caller.entity, query }
  const isWhole = query.limit === undefined && query.cursor === undefined
  return isWhole
    ? reads.answer(deps, request.buyer, (snapshot) => textOf(entriesOf(snapshot, request, undefined)))
    : ok(await pageRead(deps, request))
}

interface AvailsRequest {
  readonly seller: string
  readonly buyer: string
  readonly query: AvailsQuery
}

async function* textOf(parts: AsyncIterable<AvailEntry[]>): AsyncGenerator<string> {
  let before = '{"avails":['
  for await (const entries of parts) {
    if (entries.length === 0) continue
    yield before + (await jsonInTurns(entries))
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

/** Returns a page as JSON text. */
async function pageRead(deps: Deps, request: AvailsRequest): Promise<string> {
  const { limit, cursor, ...filters } = request.query
  const page: Page = { bound: ['avails', request.buyer, request.seller, JSON.stringify(filters)], limit: limit ?? USUAL, cursor }
  const after = positionOf(deps, page)
  const found: AvailEntry[] = []
  let max = page.limit
  let rates = 0
  const release = await reads.take(request.buyer)
  try {
    for await (const entries of partsOfSnapshot(deps.db, (snapshot) => entriesOf(snapshot, request, after))) {
      for (const entry of entries) {
        if (after !== undefined && !isBehind(entry, after)) continue
        rates += entry.rates.length
        if (rates > RATES && found.length > 0) max = Math.min(max, found.length)
        found.push(entry)
        if (found.length > max) break
      }
      if (found.length > max) break
    }
  } finally {
    release()
  }
  const { items, next_cursor } = pageOf(deps, { ...page, limit: max }, found, ({ product_id, period }) => [
    product_id,
    period.grain,
    period.start,
  ])
  return `{"avails":[${await jsonInTurns(items)}],"next_cursor":${JSON.stringify(next_cursor)}}`
}

/** Entries per page if no size is given. */
const USUAL = 1_000
/** The most rates of a page, which ends before its limit if it would have more. */
const RATES = 10_000
/**
 * Products read and rendered per batch. The first batch is small; later ones aim at a number of avails and prices, and at less if their text
 * is long, since no other request is worked on while a batch is parsed and rendered. A batch above the maximum is split into smaller ones,
 * down to one product, which is read by weeks.
 */
const PRODUCTS = { first: 10, max: 200 }
const ROWS = { aim: 1_000, max: 5_000 }
const TEXT_LENGTH = 256 * 1024

type Position = readonly string[]

/** Yields the entries in order, a few products at a time, from the position's product on and at the latest from behind the position. */
async function* entriesOf(
  snapshot: Reading,
  { seller, buyer, query }: AvailsRequest,
  after: Position | undefined,
): AsyncGenerator<AvailEntry[]> {
  const { product_id: productId, spot_length: spotLength } = query
  const marketClass = marketClassOf(query)
  const weeks = query.weeks === undefined ? undefined : weekSelection(query.weeks)
  if ((await readCatalogHead(snapshot, seller)) === undefined) throw noSuchSeller()
  const { agreements, presented, overrides } = await relationOf(snapshot, seller, buyer, query.agreement)
  const isVisible = isVisibleUnder(agreements)
  const ratesFiltered = spotLength !== undefined || marketClass !== undefined
  const now = new Date().toISOString()
  let max = PRODUCTS.first
  let place: ProductPlace = { from: after?.[0] }
  for (;;) {
    const found =
      productId === undefined
        ? await readSomeFor(snapshot, seller, buyer, place, max)
        : await readNamedFor(snapshot, seller, buyer, [productId])
    const products = found.filter(isVisible).map(
      (product): Disclosed => ({
        product_id: product.product_id,
        disclosure: disclosureFor(product, overrides),
        effective: product.effective,
      }),
    )
    const productIds = products.map(({ product_id }) => product_id)
    const card = { seller, buyer, agreementId: presented, productIds, spotLength, marketClass }
    const published = await readPublished(snapshot, card, weeks)
    if (published === undefined && found.length > 1) {
      max = Math.max(1, Math.floor(found.length / 4))
      continue
    }
    const answered = await readDisclosed(snapshot, seller, buyer, productIds)
    const [product] = products
    let length = 0
    if (published !== undefined) {
      const { avails, prices } = published
      const current = prices.filter((price) => !isOverAt(price, now))
      const entries = await inTurns(composeAvails(products, { avails, prices: current, answered }, { weeks, ratesFiltered }))
      length = textLength(entries)
      yield entries
    } else if (product !== undefined) {
      const behind = product.product_id === after?.[0] ? placeOf(after) : undefined
      yield* availsByWeek(snapshot, { product, card, answered, now, request: { weeks, ratesFiltered } }, behind)
    }
    if (productId !== undefined || found.length < max) return
    place = { after: found.at(-1)?.product_id }
    const rows = published === undefined ? ROWS.max : published.avails.length + published.prices.length
    const load = Math.max(rows / ROWS.aim, length / TEXT_LENGTH)
    max = Math.max(1, Math.min(Math.floor(max / load), 2 * max, PRODUCTS.max))
  }
}

/** Estimates the length of the entries' text by the first one, since a seller's entries resemble each other. */
function textLength(entries: readonly AvailEntry[]): number {
  return entries.length === 0 ? 0 : entries.length * JSON.stringify(entries[0]).length
}

/** Returns the published avails and prices of some products; undefined if there are too many to read at once. */
async function readPublished(
  snapshot: Reading,
  card: CardQuestion,
  weeks: readonly WeekRun[] | undefined,
): Promise<Pick<Published, 'avails' | 'prices'> | undefined> {
  const avails = await readAvails(snapshot, card.seller, card.productIds, { weeks, max: ROWS.max })
  if (avails.length === ROWS.max) return undefined
  const months = avails.flatMap(({ period }) => (period.grain === 'month' ? [period.start] : []))
  const prices = await readCurrentCardOfFew(snapshot, { ...card, weeks: pricedWeeks(weeks, months) }, ROWS.max)
  return prices === undefined ? undefined : { avails, prices }
}

function placeOf([, grain = '', start = '']: Position): { grain: Grain; start: string } | undefined {
  const known = GRAINS.find((one) => one === grain)
  return known === undefined ? undefined : { grain: known, start }
}

const GRAIN_ORDER: Readonly<Record<string, number>> = { day: 0, week: 1, month: 2 }

/** Whether an entry comes after a position: of the same product, or of a later one. */
function isBehind({ product_id, period }: AvailEntry, [product, grain = '', start = '']: Position): boolean {
  if (product_id !== product) return true
  const steps = (GRAIN_ORDER[period.grain] ?? 0) - (GRAIN_ORDER[grain] ?? 0)
  return steps > 0 || (steps === 0 && period.start > start)
}

/** `rate_class` is the deprecated name of market_class; both may be sent as long as they agree. */
function marketClassOf({ market_class, rate_class }: AvailsQuery): AvailsQuery['market_class'] {
  if (market_class !== undefined && rate_class !== undefined && market_class !== rate_class) {
    throw new Refusal('INVALID_INPUT', 'rate_class is the former name of market_class: the two must not differ.', { field: 'rate_class' })
  }
  return market_class ?? rate_class
}

/** Returns the weeks to price. A month's rates are those of every week that it touches, including weeks that were not requested. */
function pricedWeeks(weeks: readonly WeekRun[] | undefined, months: readonly string[]): { from: string[]; to: string[] } | undefined {
  if (weeks === undefined) return undefined
  const touched = [...new Set(months)].map(weeksOfMonth)
  return {
    from: [...weeks.map(({ from }) => from), ...touched.flatMap((month) => month.slice(0, 1))],
    to: [...weeks.map(({ to }) => to), ...touched.flatMap((month) => month.slice(-1))],
  }
}
