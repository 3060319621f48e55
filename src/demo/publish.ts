import type { Client, Reply } from '../client/client.ts'
import type { AvailsReply, CatalogReply, RateCardReply } from '../contract/product.ts'
import { DemoFault } from './demoFault.ts'
import { example } from './examples.ts'
import { count, line, table } from './story.ts'

/** The sellers of the sandbox that publish over the API; the bodies are in docs/examples. */
export const API_SELLERS = ['summit', 'ktvl-10'] as const

type Outcome = CatalogReply | RateCardReply | AvailsReply

/** A seller sends its catalog, rate card and avails. On a second run catalog and avails merge into the same, and the card replays. */
export async function publish(seller: string, asSeller: Client): Promise<string[][]> {
  const row = (path: string, reply: Reply<Outcome>) => [seller, `PUT /v1${path}`, ...toldOf(reply)]
  // One after the other: a price needs its product, and avails their product's denomination.
  const catalog = await asSeller.publishCatalog({ body: await example(`${seller}-catalog`) })
  const rateCard = await asSeller.publishRateCard({ body: await example(`${seller}-rate-card`) })
  const avails = await asSeller.publishAvails({ body: await example(`${seller}-avails`) })
  return [row('/me/catalog', catalog), row('/me/rate-cards', rateCard), row('/me/avails', avails)]
}

export const PUBLISHED_HEAD = ['seller', 'call', 'what', 'accepted', 'rejected', 'note']

function toldOf({ body, replayed }: Reply<Outcome>): string[] {
  const [error] = body.errors
  if (error !== undefined) throw new DemoFault(`Entry ${error.index} of an example was refused: ${error.error_code}, ${error.message}`)
  const what =
    'commit' in body
      ? `rates, commit ${body.commit}`
      : 'taxonomy_version' in body
        ? `products, taxonomy ${body.taxonomy_version}`
        : 'avails'
  return [what, count(body.accepted), count(body.rejected), noteOf(body, replayed)]
}

function noteOf({ warnings }: Outcome, replayed: boolean): string {
  if (replayed) return 'the same bytes as before: the stored answer again'
  if (warnings.length === 0) return ''
  const codes = [...new Set(warnings.map(({ code }) => code))].join(', ')
  return `${warnings.length} warnings ${codes}${codes === 'UNPRICED_DECLARATION' ? ': its prices come with the card' : ''}`
}

/** What a buyer sees of the sellers before it knows any. */
export async function discover(asBuyer: Client): Promise<void> {
  const { sellers } = (await asBuyer.listSellers()).body
  line('GET /v1/sellers')
  table(
    ['seller', 'name', 'level', 'workflows', 'sells by'],
    sellers.map(({ seller, name, level, workflows, grains }) => [seller, name, String(level), workflows.join(', '), grains.join(', ')]),
  )
}

/** A seller's catalog as a buyer reads it. */
export async function readCatalog(seller: string, asBuyer: Client): Promise<void> {
  const { taxonomy_version, rate_version, products } = (await asBuyer.getCatalog({ path: { seller } })).body
  line()
  line(`GET /v1/sellers/${seller}/catalog   taxonomy ${taxonomy_version}, rate card ${rate_version}`)
  table(
    ['product', 'type', 'network', 'sells by', 'buy types'],
    products.map(({ product_id, type, network, grains, buy_types }) => [
      product_id,
      type,
      network,
      grains.join(', '),
      (buy_types as string[]).join(', '),
    ]),
  )
}
