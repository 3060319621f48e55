import type { AvailsRead } from '../../../src/contract/avail.ts'
import type { CreateOrder, OrderCreated } from '../../../src/contract/createOrder.ts'
import { ORDERS } from '../../../src/contract/endpoints/orders.ts'
import { PUBLISHING } from '../../../src/contract/endpoints/publishing.ts'
import { REGISTRIES } from '../../../src/contract/endpoints/registries.ts'
import type { CatalogRead } from '../../../src/contract/product.ts'
import type { SandboxOrder, SandboxOrderCreated } from '../../../src/contract/sandbox.ts'
import type { Upload } from '../../../src/contract/upload.ts'
import { addDays, dateOf, weekOf, weeksOfPeriod } from '../../../src/domain/calendar.ts'
import { overLimit } from '../../../src/domain/overLimit.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { tokenBuckets } from '../../../src/domain/tokenBuckets.ts'
import { campaignOf } from '../../../src/local/sandbox/buyerMoves.ts'
import { buysheetOf, linesToOrder, type OrderedLine, proposalOf } from '../../../src/local/sandbox/demand.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import type { Handler } from '../../http/handler.ts'
import { pageTurns } from '../../http/pageTurns.ts'
import type { Reply } from '../../http/reply.ts'
import { route } from '../../http/route.ts'
import { createOrder } from '../buyer/createOrder.ts'
import { getCatalog } from '../buyer/discovery.ts'
import { getAvails } from '../buyer/getAvails.ts'
import { postUpload, putUploadContent } from '../buyer/uploads.ts'
import { type AsParty, asParty, bodyOf } from './asParty.ts'

/** Orders on demand with one credential: as a burst, and one a second. */
const PER_MINUTE = 60
const demands = tokenBuckets({ perSecond: PER_MINUTE / 60, burst: PER_MINUTE })
/** One buyer orders from all sellers, which take turns, since its reads are bounded as any other's. */
const turns = pageTurns({ permits: 8, perTenant: 4 })
/** How far ahead the buyer looks for prices, in weeks: the examples order within 18 months. */
const WEEKS_AHEAD = 78

const CREATE = route(ORDERS.createOrder, createOrder)
const CATALOG = route(PUBLISHING.getCatalog, getCatalog)
const AVAILS = route(PUBLISHING.getAvails, getAvails)
const UPLOAD = route(REGISTRIES.createUpload, postUpload)
const CONTENT = route(REGISTRIES.putUploadContent, putUploadContent)

/** POST /sandbox/orders: the buyer of the sandbox orders from the caller, through the operations of /v1 that any buyer has. */
export const postSandboxOrder: Handler<SandboxOrder> = async (deps, { caller, body }) => {
  spend(caller.credential_id)
  const act = await asParty(deps, 'sandbox-buyer')
  if (act === undefined)
    throw new Refusal('INVALID_STATE', 'This sandbox has no buyer that orders: it was started without its catalogs.', {})
  return turns.inTurn(caller.entity, () => orderFrom(act, caller.entity, body))
}

async function orderFrom(act: AsParty, seller: string, body: SandboxOrder): Promise<Reply> {
  const catalog = bodyOf<CatalogRead>(await act(CATALOG, { params: { seller } }))
  const lines = linesToOrder(body, await readAvails(act, seller, body))
  const common = {
    seller,
    external_order_id: newId('sandbox_'),
    rate_version: catalog.rate_version ?? 'none',
    buyer_metadata: { advertiser_id: 'adv-sandbox', campaign_id: campaignOf(body.then) },
  }
  const created = bodyOf<OrderCreated>(await act(CREATE, { body: { ...common, ...(await inputOf(act, body, lines, catalog)) } }))
  return { status: 201, body: { ...created, then: body.then } satisfies SandboxOrderCreated }
}

function spend(credential_id: string): void {
  const retry_after = demands.take(credential_id, 1)
  if (retry_after > 0) {
    const message = `A credential may ask for ${PER_MINUTE} orders a minute; try again in ${retry_after} s.`
    throw overLimit({ limit: 'orders on demand', most: PER_MINUTE, window_s: 60 }, message, retry_after)
  }
}

/** Reads a page of what is on sale, and of each product that is named. */
async function readAvails(act: AsParty, seller: string, { products = [], lines = [] }: SandboxOrder): Promise<AvailsRead['avails']> {
  const today = dateOf(new Date().toISOString())
  const named = lines.flatMap(({ period }) => weeksOfPeriod(period.grain, period.start))
  const ahead = `${weekOf(addDays(today, 7))}..${weekOf(addDays(today, 7 * WEEKS_AHEAD))}`
  const weeks = named.length > 0 ? [...new Set(named)].join(',') : ahead
  const asked = new Set([...products, ...lines.map(({ product_id }) => product_id)])
  const found: AvailsRead['avails'] = []
  for (const product of [{}, ...[...asked].map((product_id) => ({ product_id }))]) {
    const reply = await act(AVAILS, { params: { seller }, query: { weeks, limit: '1000', ...product } })
    found.push(...bodyOf<AvailsRead>(reply).avails)
  }
  return found
}

async function inputOf(
  act: AsParty,
  { template }: SandboxOrder,
  lines: readonly OrderedLine[],
  catalog: CatalogRead,
): Promise<Partial<CreateOrder>> {
  if (template === 'proposal') return { request: proposalOf(lines) }
  if (template === 'catalog') return { line_items: lines.map(({ line }) => line) }
  const bytes = Buffer.from(buysheetOf(lines, catalog))
  const announced = { filename: 'buysheet.csv', format: 'csv', size_bytes: bytes.length }
  const { upload_id } = bodyOf<Upload>(await act(UPLOAD, { body: announced }))
  const content = (async function* () {
    yield bytes
  })()
  await act(CONTENT, { params: { upload_id }, stream: { bytes: content, length: bytes.length } })
  return { document: { upload_id, format: 'csv' } }
}
