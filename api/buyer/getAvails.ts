import type { AvailsQuery } from '../../src/contract/availsQuery.ts'
import { disclosureFor } from '../../src/domain/agreement/disclosure.ts'
import { visibleProducts } from '../../src/domain/agreement/visibleProducts.ts'
import { weeksOfMonth } from '../../src/domain/calendar.ts'
import { isOverAt } from '../../src/domain/lines/pricing.ts'
import { type AvailEntry, composeAvails, type Disclosed } from '../../src/domain/publish/composeAvails.ts'
import { type WeekRun, weekSelection } from '../../src/domain/publish/weekSelection.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { readAvails } from '../../src/store/avails.ts'
import { readDisclosed } from '../../src/store/availsRequests.ts'
import { placeOf, readCatalogHead, readProductsFor } from '../../src/store/catalog.ts'
import { readCurrentCard } from '../../src/store/rateCards.ts'
import { inSnapshot, type Reading } from '../../src/store/snapshot.ts'
import { turns } from '../../src/store/turns.ts'
import { type Deps, type Handler, ok } from '../endpoint.ts'
import { type Page, pageOf, positionOf } from '../page.ts'
import { noSuchSeller } from './discovery.ts'
import { relationOf } from './relation.ts'

/** Reads of avails that one process makes at once, each of another buyer; a buyer's further ones wait, and past WAITING are refused. */
const inTurn = turns(4)
const WAITING = 32
const asked = new Map<string, number>()

/**
 * GET /sellers/{seller}/avails: whole, or page by page once `limit` or `cursor` is sent. It is read and rendered some products at a time, all of them
 * in one snapshot, so that of a large read no more than its text is held.
 */
export const getAvails: Handler<undefined, AvailsQuery> = async (deps, { caller, params, query }) => {
  const seller = params.seller ?? ''
  const own = asked.get(caller.entity) ?? 0
  if (own >= WAITING) {
    throw new Refusal('RATE_LIMITED', `At most ${WAITING} reads of avails may be under way at once: try again in 1 s.`, { retry_after: 1 })
  }
  asked.set(caller.entity, own + 1)
  try {
    return await inTurn(caller.entity, () =>
      inSnapshot(deps.db, (snapshot) => read(deps, snapshot, { seller, buyer: caller.entity, query })),
    )
  } finally {
    const left = (asked.get(caller.entity) ?? 1) - 1
    if (left > 0) asked.set(caller.entity, left)
    else asked.delete(caller.entity)
  }
}

interface Ask {
  readonly seller: string
  readonly buyer: string
  readonly query: AvailsQuery
}

async function read(deps: Deps, snapshot: Reading, ask: Ask) {
  const { limit, cursor } = ask.query
  if (limit === undefined && cursor === undefined) {
    const texts: string[] = []
    const held = heldText(deps, ask.buyer)
    try {
      for await (const entries of entriesOf(snapshot, ask, undefined)) {
        if (entries.length === 0) continue
        const text = entries.map((entry) => JSON.stringify(entry)).join(',')
        held.add(Buffer.byteLength(text))
        texts.push(text)
      }
      return ok(`{"avails":[${texts.join(',')}]}`)
    } finally {
      held.release()
    }
  }
  const { limit: _, cursor: __, ...filters } = ask.query
  const page: Page = { bound: ['avails', ask.buyer, ask.seller, JSON.stringify(filters)], limit: limit ?? USUAL, cursor }
  const after = positionOf(deps, page)
  const found: AvailEntry[] = []
  for await (const entries of entriesOf(snapshot, ask, after?.[0])) {
    found.push(...(after === undefined ? entries : entries.filter((entry) => isBehind(entry, after))))
    if (found.length > page.limit) break
  }
  const { items, next_cursor } = pageOf(deps, page, found, ({ product_id, period }) => [product_id, period.grain, period.start])
  return ok({ avails: items, next_cursor })
}

/**
 * The text of a read while it is rendered counts as a reply that nobody has read yet, under the same bounds: a buyer that holds no other reply may
 * read more than its own bound. What is too much for now is asked for page by page, or later.
 */
function heldText({ replyBytes }: Deps, buyer: string) {
  let bytes = 0
  let held = replyBytes.count(buyer, 0)
  return {
    add(more: number) {
      bytes += more
      held.release()
      try {
        held = replyBytes.reserve(buyer, bytes)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        throw new Refusal(
          'RATE_LIMITED',
          'The replies that are under way leave no room for all avails: send a limit, or try again in 1 s.',
          {
            retry_after: 1,
          },
        )
      }
    },
    release: () => held.release(),
  }
}

/** Entries of a page whose size is not said. */
const USUAL = 1_000
/** Products read and rendered at once. */
const PRODUCTS = 50

/** The entries in their order, some products at a time, from one product on. */
async function* entriesOf(snapshot: Reading, { seller, buyer, query }: Ask, from: string | undefined): AsyncGenerator<AvailEntry[]> {
  const { product_id: productId, spot_length: spotLength } = query
  const marketClass = marketClassOf(query)
  const weeks = query.weeks === undefined ? undefined : weekSelection(query.weeks)
  if ((await readCatalogHead(snapshot, seller)) === undefined) throw noSuchSeller()
  const { agreements, presented, overrides } = await relationOf(snapshot, seller, buyer, query.agreement)
  const visible = visibleProducts(await readProductsFor(snapshot, seller, buyer, productId), agreements)
  const ids = visible.map(({ product_id }) => product_id)
  const start = from === undefined ? 0 : await placeOf(snapshot, ids, from)
  const answered = await readDisclosed(snapshot, seller, buyer, productId)
  const ratesFiltered = spotLength !== undefined || marketClass !== undefined
  const now = new Date().toISOString()
  for (let at = start; at < visible.length; at += PRODUCTS) {
    const products = visible.slice(at, at + PRODUCTS).map(
      (product): Disclosed => ({
        product_id: product.product_id,
        disclosure: disclosureFor(product, overrides),
        effective: product.effective,
      }),
    )
    const productIds = products.map(({ product_id }) => product_id)
    const avails = await readAvails(snapshot, seller, productIds, weeks)
    const months = avails.flatMap(({ period }) => (period.grain === 'month' ? [period.start] : []))
    const scope = { seller, buyer, agreementId: presented, productIds, spotLength, marketClass, weeks: pricedWeeks(weeks, months) }
    const prices = (await readCurrentCard(snapshot, scope)).filter((price) => !isOverAt(price, now))
    yield composeAvails(products, { avails, prices, answered }, { weeks, ratesFiltered })
  }
}

const GRAIN_ORDER: Readonly<Record<string, number>> = { day: 0, week: 1, month: 2 }

/** Whether an entry comes after a position, of its own product or of a later one. */
function isBehind({ product_id, period }: AvailEntry, [product, grain = '', start = '']: readonly string[]): boolean {
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

/** A month's rates are those of every week it touches, asked for or not. */
function pricedWeeks(weeks: readonly WeekRun[] | undefined, months: readonly string[]): { from: string[]; to: string[] } | undefined {
  if (weeks === undefined) return undefined
  const touched = [...new Set(months)].map(weeksOfMonth)
  return {
    from: [...weeks.map(({ from }) => from), ...touched.flatMap((month) => month.slice(0, 1))],
    to: [...weeks.map(({ to }) => to), ...touched.flatMap((month) => month.slice(-1))],
  }
}
