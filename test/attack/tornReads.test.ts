import { describe, expect, it } from '@jest/globals'
import { sellerPut } from '../support/http/sellerPut.ts'
import { aCard, aCatalog, aProduct, aRate } from '../support/orders/published.ts'
import { useApp } from '../support/useApp.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

const app = useApp()

/** Publishes of the catalog, and as many of the card. */
const PUBLISHES = scale(16, 500)
const READERS = 3

const put = async (what: string, body: object) => {
  const { status, body: reply } = await sellerPut(app)(what, body)
  expect([status, reply.errors]).toEqual([200, []])
}
const read = async (path: string, token: string) => (await app.request.get(`/v1${path}`).auth(token, { type: 'bearer' }).expect(200)).body

type Catalog = {
  taxonomy_version: string
  rate_version: string | null
  products: { name: string; unpriced: { spot_length?: number }[] }[]
}

const IDS = ['a', 'b', 'c']
const LENGTHS = Array.from({ length: 200 }, (_, index) => index + 1)
/** Publish n carries n everywhere, and card n prices one more length. */
const catalogOf = (n: number) => ({
  ...aCatalog(...IDS.map((id) => aProduct(id, { name: `${n}`, spot_lengths: LENGTHS }))),
  taxonomy_version: `${n}`,
})
const cardOf = (n: number) => aCard(`${n}`, [aRate(IDS[Math.floor((n - 1) / 200)] as string, { spot_length: ((n - 1) % 200) + 1 })])

describe('GET /sellers/{seller}/catalog and GET /me/catalog: while both sides of it are published', () => {
  it(
    'show one consistent state each',
    async () => {
      await put('catalog', catalogOf(1))
      await put('rate-cards', cardOf(1))
      let publishing = true
      const published = (async () => {
        for (let n = 2; n <= PUBLISHES; n += 1) {
          await put('catalog', catalogOf(n))
          await put('rate-cards', cardOf(n))
        }
      })().finally(() => {
        publishing = false
      })
      const seen: Catalog[] = []
      const readers = Array.from({ length: READERS }, async (_, reader) => {
        while (publishing) {
          const [path, token] =
            reader === 0 ? ['/me/catalog', app.tokens.sellers.cable] : ['/sellers/cable/catalog', app.tokens.buyers.acme]
          seen.push((await read(path as string, token as string)) as Catalog)
        }
      })
      await Promise.all([published, ...readers])
      expect(seen.length).toBeGreaterThan(PUBLISHES / 4)
      report('catalog reads during publishes', { publishes: 2 * PUBLISHES, reads: seen.length, mixed: seen.flatMap(mixed).length })
      expect(seen.flatMap(mixed)).toEqual([])
    },
    scale(60_000, 900_000),
  )
})

describe('GET /sellers/{seller}/catalog: while a catalog is published that takes several transactions', () => {
  const ids = Array.from({ length: 1_100 }, (_, index) => `bulk-${index}`)
  const read = async () =>
    (await app.request.get('/v1/sellers/station/catalog').auth(app.tokens.buyers.acme, { type: 'bearer' }).expect(200)).body as Catalog

  it(
    'shows all of it or nothing of it',
    async () => {
      const publish = async (n: number) => {
        const sent = { ...aCatalog(...ids.map((id) => aProduct(id, { name: `${n}` }))), taxonomy_version: `${n}` }
        await sellerPut(app)('catalog', sent, app.tokens.sellers.station).expect(200)
      }
      await publish(1)
      let publishing = true
      const published = (async () => {
        for (let n = 2; n <= scale(4, 100); n += 1) await publish(n)
      })().finally(() => {
        publishing = false
      })
      const faults: string[] = []
      while (publishing) {
        const { taxonomy_version, products } = await read()
        const names = new Set(products.map(({ name }) => name))
        if (products.length !== ids.length || names.size !== 1 || !names.has(taxonomy_version))
          faults.push(`version ${taxonomy_version} with ${products.length} products of ${[...names]}`)
      }
      await published
      expect(faults).toEqual([])
    },
    scale(60_000, 900_000),
  )
})

/** The parts of a read that come from another state than the rest. */
function mixed({ taxonomy_version, rate_version, products }: Catalog): string[] {
  const names = new Set(products.map(({ name }) => name))
  const faults = names.size === 1 && names.has(taxonomy_version) ? [] : [`version ${taxonomy_version} with products of ${[...names]}`]
  const unpriced = products.flatMap((product) => product.unpriced.filter(({ spot_length }) => spot_length !== undefined)).length
  const priced = IDS.length * LENGTHS.length - unpriced
  return Number(rate_version) === priced ? faults : [...faults, `rate_version ${rate_version} with the prices of ${priced}`]
}
