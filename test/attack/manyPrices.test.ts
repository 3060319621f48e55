import { once } from 'node:events'
import { request } from 'node:http'
import { setInterval as every } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { aCatalog, aProduct, aRate } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { quiet, victim } from './support/victim.ts'

/** A product that is priced for 200 weeks: 20,000 or 300,000 prices. */
const KEYS = scale(100, 1_500)
const WEEKS = 200
const READS = 4
const MB = 1 << 20

const market = useMarket()
const keys = (count: number) => Array.from({ length: count }, (_, index) => aRate('dense', { advertiser_class: `class-${index}` }))
const publish = (commit: string, entries: object[], end = '2033-11-06') =>
  market.station.put('/me/rate-cards', { commit, effective: { start: '2030-01-07', end }, entries })
beforeAll(async () => {
  await market.station.put('/me/catalog', aCatalog(aProduct('dense')))
  const { body } = await publish('dense', keys(KEYS))
  expect(body.accepted).toBe(KEYS)
}, 300_000)

/** Reads the prices of the product without keeping them. Returns their number and the bytes. */
async function readDense(query = ''): Promise<{ status: number; prices: number; bytes: number }> {
  const sent = request(`${market.baseUrl}/sellers/station/avails?product_id=dense${query}`, {
    headers: { authorization: `Bearer ${market.zenith.token}` },
    agent: false,
  }).end()
  const [reply] = await once(sent, 'response')
  let prices = 0
  let bytes = 0
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    bytes += chunk.length
    prices += chunk.toString('latin1').split('"lr_').length - 1
  }
  return { status: reply.statusCode, prices, bytes }
}

/** The most memory that is used beyond now until `work` is done. */
async function growth(work: Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss
  const stop = new AbortController()
  let max = 0
  const watch = (async () => {
    for await (const _ of every(20, undefined, { signal: stop.signal })) max = Math.max(max, process.memoryUsage().rss - before)
  })().catch(() => undefined)
  await work
  stop.abort()
  await watch
  return max
}

describe(`one product with ${KEYS * WEEKS} prices`, () => {
  it('is read some weeks at a time, and does not slow another buyer', async () => {
    const listed = async () => expect((await market.acme.get('/sellers')).status).toBe(200)
    const before = await quiet(listed)
    const reads = Promise.all(Array.from({ length: READS }, () => readDense()))
    const grown = growth(reads)
    const during = await victim(listed, reads)
    const answers = await reads
    const [first] = answers
    report('GET /sellers beside reads of one product with many prices', {
      prices: KEYS * WEEKS,
      reads: READS,
      reply_mb: Math.round((first?.bytes ?? 0) / MB),
      grown_mb: Math.round((await grown) / MB),
      quiet_p99: before.p99,
      p99: during.p99,
    })
    expect(answers.map(({ status }) => status)).toEqual(Array(READS).fill(200))
    expect(during.failures).toEqual([])
    expectWithin(during.p99, Math.max(5 * before.p99, 1_000), 3)
    // A chunk may end within an id, which is then not counted.
    for (const { prices, bytes } of answers) expect(prices).toBeGreaterThan(KEYS * WEEKS - bytes / 10_000)
    expect((await grown) / MB).toBeLessThanOrEqual(300)
  }, 300_000)

  it('is read in pages that end before their limit when the prices are many', async () => {
    const { status, prices } = await readDense('&limit=5000')
    expect(status).toBe(200)
    expect(prices).toBeLessThanOrEqual(10_000)
  })

  it('is refused more prices a week than a read may hold', async () => {
    const lengths = Array.from({ length: 101 }, (_, index) => aRate('dense', { advertiser_class: 'class-0', spot_length: 15 + index }))
    for (const [commit, entries] of [
      ['wide', keys(10_001)],
      ['deep', lengths],
    ] as const) {
      const { status, body } = await publish(commit, entries, '2030-01-13')
      expect([status, body.error_code]).toEqual([422, 'INVALID_INPUT'])
      expect(body.details).toMatchObject({ field: 'entries', product_id: 'dense', limit: 10_000 })
    }
  })
})
