import { MarketplaceError } from '../../../client/src/index.ts'
import type { AvailsRead } from '../../contract/avail.ts'
import type { CreateOrder, OrderCreated } from '../../contract/createOrder.ts'
import type { CatalogRead } from '../../contract/product.ts'
import type { SandboxOrder } from '../../contract/sandbox.ts'
import { addDays, dateOf, weekOf, weeksOfPeriod } from '../../domain/calendar.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { campaignOf } from './buyerMoves.ts'
import { buysheetOf, linesToOrder, type OrderedLine, proposalOf } from './demand.ts'

/** How far ahead the buyer looks for prices, in weeks: the examples order within 18 months. */
const WEEKS_AHEAD = 78

/**
 * Orders from a seller as the sandbox's buyer, through /v1 alone. It may be killed anywhere and called again: the order has the external_order_id of the
 * request, so that there is one, and a call that finds it returns it. Fails with a Refusal where nothing that is asked for has a price, and with a
 * MarketplaceError where the order is refused.
 */
export async function placeOrder(client: Operations, seller: string, external_order_id: string, body: SandboxOrder): Promise<OrderCreated> {
  const placed = await findOrder(client, external_order_id)
  if (placed !== undefined) return placed
  const catalog = (await client.getCatalog({ path: { seller } })).body
  const lines = linesToOrder(body, await readAvails(client, seller, body))
  const order = {
    ...{ seller, external_order_id, rate_version: catalog.rate_version ?? 'none' },
    buyer_metadata: { advertiser_id: 'adv-sandbox', campaign_id: campaignOf(body.then) },
    ...(await inputOf(client, body, lines, catalog)),
  }
  try {
    return (await client.createOrder({ body: order })).body
  } catch (error) {
    // An earlier call may have ordered meanwhile, at other prices.
    if (!(error instanceof MarketplaceError) || error.code !== 'CONFLICT') throw error
    const other = await findOrder(client, external_order_id)
    if (other === undefined) throw error
    return other
  }
}

async function findOrder(client: Operations, external_order_id: string): Promise<OrderCreated | undefined> {
  const [order] = (await client.listOrders({ query: { external_order_id } })).body.orders
  return (
    order && {
      order_id: order.order_id,
      external_order_id,
      buyer_entity: order.buyer_entity,
      status: 'submitted',
      created_at: order.created_at,
    }
  )
}

/** Reads a page of what is on sale, and of each product that is named. */
async function readAvails(client: Operations, seller: string, { products = [], lines = [] }: SandboxOrder): Promise<AvailsRead['avails']> {
  const today = dateOf(new Date().toISOString())
  const named = lines.flatMap(({ period }) => weeksOfPeriod(period.grain, period.start))
  const ahead = `${weekOf(addDays(today, 7))}..${weekOf(addDays(today, 7 * WEEKS_AHEAD))}`
  const weeks = named.length > 0 ? [...new Set(named)].join(',') : ahead
  const asked = new Set([...products, ...lines.map(({ product_id }) => product_id)])
  const found: AvailsRead['avails'] = []
  for (const product of [{}, ...[...asked].map((product_id) => ({ product_id }))]) {
    found.push(...(await client.getAvails({ path: { seller }, query: { weeks, limit: 1_000, ...product } })).body.avails)
  }
  return found
}

async function inputOf(
  client: Operations,
  { template }: SandboxOrder,
  lines: readonly OrderedLine[],
  catalog: CatalogRead,
): Promise<Partial<CreateOrder>> {
  if (template === 'proposal') return { request: proposalOf(lines) }
  if (template === 'catalog') return { line_items: lines.map(({ line }) => line) }
  const bytes = Buffer.from(buysheetOf(lines, catalog))
  const announced = { filename: 'buysheet.csv', format: 'csv' as const, size_bytes: bytes.length }
  const { upload_id } = (await client.createUpload({ body: announced })).body
  await client.putUploadContent({ path: { upload_id }, body: new Uint8Array(bytes), contentType: 'text/csv' })
  return { document: { upload_id, format: 'csv' } }
}
