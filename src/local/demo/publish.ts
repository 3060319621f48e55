import type { Reply } from '../../../client/src/index.ts'
import type { AvailsReply, CatalogReply, RateCardReply } from '../../contract/product.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { DemoFault } from './demoFault.ts'
import { example } from './examples.ts'
import { count, line, table } from './story.ts'

/** The sandbox sellers that publish over the API; the bodies are in docs/examples. */
export const API_SELLERS = ['summit', 'ktvl-10'] as const

type Outcome = CatalogReply | RateCardReply | AvailsReply

/** Publishes a seller's catalog, rate card and avails. A second run changes nothing: catalog and avails merge, and the card is a replay. */
export async function publish(seller: string, asSeller: Operations): Promise<string[][]> {
  const row = (path: string, reply: Reply<Outcome>) => [seller, `PUT /v1${path}`, ...toldOf(reply)]
  // The order matters: a price needs its product, and avails need the denomination of their product.
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

/** Prints the list of sellers that a new buyer sees. */
export async function discover(asBuyer: Operations): Promise<void> {
  const { sellers } = (await asBuyer.listSellers()).body
  line('GET /v1/sellers')
  table(
    ['seller', 'name', 'level', 'workflows', 'sells by'],
    sellers.map(({ seller, name, level, workflows, grains }) => [seller, name, String(level), workflows.join(', '), grains.join(', ')]),
  )
}

/** Prints a seller's catalog as a buyer reads it. */
export async function readCatalog(seller: string, asBuyer: Operations): Promise<void> {
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
