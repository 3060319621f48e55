import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { residentMib } from '../support/childProcesses.ts'
import { useWorkers } from '../support/engines/useWorkers.ts'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { largeProducts } from '../support/orders/largeProducts.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../support/orders/published.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { call } from './support/call.ts'
import { flood } from './support/flood.ts'
import { IS_LONG, scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

/** Catalogs within every bound whose products are as large as they may be, while another seller's order is validated and read. */
const PROGRAMS = scale(12, 1_030)
const IN_A_PUT = scale(12, 125)
const MAX_MIB = 1_024

const market = useMarket()
const workers = useWorkers(market)
let worker: ChildProcess
let api: ApiProcess
beforeAll(async () => {
  worker = await workers.start({ ALLOW_LOOPBACK_TARGETS: 'true' })
  api = await startApiProcess(market, { env: { RATE_LIMITS: 'off' } })
}, 60_000)
market.beforeStop(() => api.stop())

/** Another tenant's order, from its create until the platform has validated it. */
async function ordered(): Promise<void> {
  const { status, body, text } = await market.acme.post('/orders', market.order())
  if (status !== 201) throw new Error(text)
  await until(async () => (await market.acme.get(`/orders/${body.order_id}`)).body.status === 'seller_review', 60)
}

/** The parts of a JSON file of one publish, one entry after another. */
function* pieces(head: object, list: string, entries: Iterable<object>): Generator<string> {
  const members = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
  yield `{${members.join('')}"${list}":[`
  let separator = ''
  for (const entry of entries) {
    yield `${separator}${JSON.stringify(entry)}`
    separator = ','
  }
  yield ']}'
}

type File = { filename: string; type: string; text: () => Generator<string> }

async function dropped(drop_id: string, files: readonly File[]): Promise<{ bytes: number }> {
  let bytes = 0
  const listed = []
  for (const { filename, type, text } of files) {
    const hash = createHash('sha256')
    for (const piece of text()) {
      hash.update(piece)
      bytes += piece.length
    }
    async function* chunks() {
      for (const piece of text()) yield Buffer.from(piece)
    }
    await market.deps.drops.put(`station/${drop_id}/${filename}`, chunks())
    listed.push({ filename, type, sha256: hash.digest('hex') })
  }
  const { status, text } = await market.station.post('/me/files/manifest', { schema_version: '1.0', drop_id, files: listed })
  if (status !== 202) throw new Error(text)
  return { bytes }
}

const statusOf = async (drop_id: string) => (await market.station.get(`/me/files/${drop_id}`)).body
const ended = (drop_id: string) => until(async () => (await statusOf(drop_id)).status !== 'processing', 900)

const { definition } = largeProducts(1)[0] as { definition: object }
const ids = Array.from({ length: PROGRAMS }, (_, index) => `large-${index}`)
const [{ taxonomy_version }, { commit, effective }] = [aCatalog(), aCard('bulk', [])] as [
  { taxonomy_version: string },
  { commit: string; effective: object },
]
function* programs(): Generator<object> {
  for (const id of ids) yield aProduct(id, { type: 'program', definition })
}
/** As many prices as a drop may have, in commits of as many as one may have. */
function cards(): File[] {
  const perProduct = scale(10, 900)
  const entries = ids.flatMap((id) =>
    Array.from({ length: perProduct }, (_, of) => ({
      id,
      advertiser_class: `class ${of % 97} of ${id}`,
      spot_length: 15 + Math.floor(of / 97),
      week: '2026-W50',
    })),
  )
  return Array.from({ length: Math.ceil(entries.length / 100_000) }, (_, at) => {
    const some = entries.slice(at * 100_000, (at + 1) * 100_000)
    const rates = function* () {
      for (const { id, ...more } of some) yield aRate(id, more)
    }
    const head = { commit: `cards-${at}`, effective }
    return { filename: `card-${at}.json`, type: 'rate_cards', text: () => pieces(head, 'entries', rates()) }
  })
}
/** Products whose text takes many times its size as values. */
function* billboards(): Generator<object> {
  const billboard = { x: Array.from({ length: 19_900 }, () => ({})) }
  for (let index = 0; index < 4 * PROGRAMS; index += 1) yield aProduct(`board-${index}`, { billboard })
}

const DROPS: readonly [name: string, files: readonly File[]][] = [
  [
    'programs with their card and avails',
    [
      { filename: 'catalog.json', type: 'catalog', text: () => pieces({ taxonomy_version }, 'products', programs()) },
      {
        filename: 'card.json',
        type: 'rate_cards',
        text: () =>
          pieces(
            { commit, effective },
            'entries',
            ids.map((id) => aRate(id)),
          ),
      },
      {
        filename: 'avails.json',
        type: 'avails',
        text: () =>
          pieces(
            {},
            'avails',
            ids.map((id) => anAvail(id)),
          ),
      },
    ],
  ],
  ['cards', cards()],
  ['billboards', [{ filename: 'catalog.json', type: 'catalog', text: () => pieces({ taxonomy_version }, 'products', billboards()) }]],
]

describe('a drop of large products', () => {
  it.each(DROPS)(
    'of %s neither fills the worker nor delays another order',
    async (name, files) => {
      await ordered() // warms up code
      const before = await quiet(ordered, { calls: scale(5, 60) })
      const began = performance.now()
      const { bytes } = await dropped(name.split(' ')[0] as string, files)
      const during = await victim(ordered, ended(name.split(' ')[0] as string))
      const peak = Math.round(await residentMib(worker.pid, 'VmHWM'))
      report(`a drop of ${Math.round(bytes / 1e6)} MB: ${name}`, {
        ...besideQuiet(before, during),
        max_ms: during.max,
        seconds: Math.round((performance.now() - began) / 1_000),
        worker_mib: peak,
      })
      expect(await statusOf(name.split(' ')[0] as string)).toMatchObject({ status: 'success' })
      expect(during.failures).toEqual([])
      expect(worker.exitCode).toBeNull()
      expect(peak).toBeLessThan(MAX_MIB)
      expectWithin(during.p99, Math.max(5 * before.p99, 1_000))
    },
    scale(120_000, 1_200_000),
  )
})

describe('a PUT of large products', () => {
  it('neither fills the API nor delays another tenant', async () => {
    const read = () => call(api.baseUrl, { path: '/orders', token: market.acme.token })
    await read()
    const body = JSON.stringify(aCatalog(...largeProducts(IN_A_PUT)))
    const before = await quiet(read)
    const began = performance.now()
    // Sent from a thread, so that its cost does not count as the other tenant's latency.
    const put = flood(Date.now() + 500, [{ method: 'PUT', url: `${api.baseUrl}/me/catalog`, token: market.cable.token, body }])
    const during = await victim(read, put)
    expect([...(await put).answers.keys()]).toEqual([200])
    const peak = Math.round(await residentMib(api.pid, 'VmHWM'))
    const seconds = Math.round((performance.now() - began) / 100) / 10
    report(`PUT /me/catalog of ${Math.round(body.length / 1e6)} MB`, {
      ...besideQuiet(before, during),
      max_ms: during.max,
      seconds,
      api_mib: peak,
    })
    expect(during.failures).toEqual([])
    expect(peak).toBeLessThan(MAX_MIB)
    expectWithin(during.p99, Math.max(5 * before.p99, IS_LONG ? 250 : 1_000))
  }, 120_000)
})
