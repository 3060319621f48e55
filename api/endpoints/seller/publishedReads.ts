import type { AvailsRequestList } from '../../../src/contract/availsRequest.ts'
import type {
  EntriesQuery,
  ListQuery,
  OwnAvailsQuery,
  PublishedAvails,
  RateCardList,
  RateCardRead,
} from '../../../src/contract/publishedReads.ts'
import { availRate } from '../../../src/domain/discovery/availRate.ts'
import { weekSelection } from '../../../src/domain/discovery/weekSelection.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { pageAvails, pageSelectedAvails } from '../../../src/store/catalog/avails.ts'
import { pageOpenRequests } from '../../../src/store/catalog/availsRequests.ts'
import { readCatalogHead, readProductPages } from '../../../src/store/catalog/catalog.ts'
import { readPricedValues } from '../../../src/store/catalog/pricedValues.ts'
import { listCommits, type RateCommit, readCommit, readCommitEntries } from '../../../src/store/catalog/rateCards.ts'
import type { Reading } from '../../../src/store/connection/snapshot.ts'
import { writeCursor } from '../../http/cursor.ts'
import type { Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'
import { wholeReads } from '../../http/wholeReads.ts'
import { type CatalogPart, catalogText } from '../both/catalogView.ts'

/** A seller's current publications in full: with references and products by agreement, and without disclosure rules. */

const reads = wholeReads('catalogs')
/** The most products that are read and rendered per batch. */
const PRODUCTS = 200

export const getOwnCatalog: Handler = async (deps, { caller: { entity } }) =>
  reads.answer(deps, entity, async function* (snapshot) {
    const head = await readCatalogHead(snapshot, entity)
    if (head === undefined) throw new Refusal('NOT_FOUND', 'There is no such seller.')
    yield* catalogText(head, ownParts(snapshot, entity))
  })

async function* ownParts(snapshot: Reading, seller: string): AsyncGenerator<CatalogPart> {
  for await (const products of readProductPages(snapshot, seller, PRODUCTS)) {
    const productIds = products.map(({ product_id }) => product_id)
    yield { products, priced: await readPricedValues(snapshot.sql, seller, { agreementIds: 'all', productIds }) }
  }
}

export const getRateCards: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['rate-cards', caller.entity], ...query }
  const [before] = positionOf(deps, page) ?? []
  const commits = await listCommits(deps.db, caller.entity, before, page.limit + 1)
  const { items, next_cursor } = pageOf(deps, page, commits, ({ commit_no }) => [commit_no])
  const reply: RateCardList = { items: items.map(commitView), next_cursor }
  return ok(reply)
}

export const getRateCard: Handler<undefined, EntriesQuery> = async (deps, { caller, params, query }) => {
  const commit = await readCommit(deps.db, caller.entity, params.commit ?? '')
  if (commit === undefined) throw new Refusal('NOT_FOUND', 'There is no such commit.')
  const page: Page = { bound: ['rate-card', caller.entity, commit.commit], ...query }
  const [after] = positionOf(deps, page) ?? []
  const prices = await readCommitEntries(deps.db, commit.commit_no, after, page.limit + 1)
  const { items, next_cursor } = pageOf(deps, page, prices, ({ locked_rate_id }) => [locked_rate_id])
  const entries = items.map((price) => ({ product_id: price.product_id, week: price.week, ...availRate(price) }))
  const reply: RateCardRead = { ...commitView(commit), entries, next_cursor }
  return ok(reply)
}

export const getOwnAvails: Handler<undefined, OwnAvailsQuery> = async (deps, { caller, query }) => {
  const filters = [query.product_id, query.grain, query.weeks].filter((sent) => sent !== undefined)
  const page: Page = { bound: ['avails', caller.entity, ...filters], ...query }
  const [product_id, grain, start] = positionOf(deps, page) ?? []
  const after = product_id === undefined || grain === undefined || start === undefined ? undefined : ([product_id, grain, start] as const)
  if (query.grain !== undefined || query.weeks !== undefined) {
    const weeks = query.weeks === undefined ? undefined : weekSelection(query.weeks)
    const asked = { productId: query.product_id, grain: query.grain, weeks, after, limit: page.limit }
    const selected = await deps.pages.inTurn(caller.entity, () => pageSelectedAvails(deps.db, caller.entity, asked))
    const next_cursor = selected.last === undefined ? null : writeCursor(deps.cursorKey, page.bound, selected.last)
    return ok({ avails: selected.avails, next_cursor } satisfies PublishedAvails)
  }
  const avails = await pageAvails(deps.db, caller.entity, { productId: query.product_id, after, limit: page.limit + 1 })
  const { items, next_cursor } = pageOf(deps, page, avails, (avail) => [avail.product_id, avail.period.grain, avail.period.start])
  const reply: PublishedAvails = { avails: items, next_cursor }
  return ok(reply)
}

/** Lists buyers' open requests for this seller's avails. */
export const getAvailsRequests: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['avails-requests', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const requests = await pageOpenRequests(deps.db, caller.entity, after, page.limit + 1)
  const reply: AvailsRequestList = pageOf(deps, page, requests, ({ request_id }) => [request_id])
  return ok(reply)
}

function commitView({ commit, effective, agreement_id, quote, published_at }: RateCommit): RateCardList['items'][number] {
  return { commit, effective, ...(agreement_id !== null && { agreement_id }), ...(quote !== null && { quote }), published_at }
}
