import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Repeated } from '../../worker/repeat.ts'
import { startDropWatch, WATCH_SPEEDS } from '../../worker/watchDrops.ts'
import { land, manifestOf } from '../support/files/drops.ts'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { type Flooding, flood } from './support/flood.ts'
import { attackMs, scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

/** A seller that sends files and manifests without a pause, while another seller sends its drops. */
const ATTACK_MS = attackMs(5_000, 60_000)
const FLOOR_MS = 250
const MIB = 1024 * 1024
const market = useMarket()
let api: ApiProcess
let watch: Repeated
beforeAll(async () => {
  const env = { LOG_LEVEL: 'fatal', RATE_LIMITS: 'off', DROPS_PER_DAY: '0', DROPS_URL: `file://${market.dataDir}/drops` }
  api = await startApiProcess(market, { env })
  const logger = { warn: () => undefined }
  watch = startDropWatch({ ...market.deps, databaseUrl: market.databaseUrl, dropsPerDay: 0, logger, ...WATCH_SPEEDS.directory })
}, 60_000)
market.beforeStop(async () => {
  await watch.stop()
  await api.stop()
})

async function send(method: string, path: string, body: string, expected: number): Promise<void> {
  const type = method === 'PUT' ? 'application/octet-stream' : 'application/json'
  const headers = { authorization: `Bearer ${market.station.token}`, 'content-type': type }
  const reply = await fetch(`${api.baseUrl}${path}`, { method, headers, body })
  await reply.arrayBuffer()
  if (reply.status !== expected) throw new Error(`answered ${reply.status}`)
}

let sent = 0
/** Another seller's drop over the API: a file, and its manifest. */
async function drop(): Promise<void> {
  sent += 1
  const files = { 'a.csv': `victim ${sent}` }
  await send('PUT', `/me/files/v-${sent}/a.csv`, files['a.csv'], 201)
  await send('POST', '/me/files/manifest', JSON.stringify(manifestOf(`v-${sent}`, files)), 202)
}
/** The same by a manifest.json, from its landing until it is registered. */
async function landing(): Promise<void> {
  sent += 1
  const id = `v-${sent}`
  const files = { 'a.csv': `victim ${sent}` }
  await send('PUT', `/me/files/${id}/a.csv`, files['a.csv'], 201)
  await send('PUT', `/me/files/${id}/manifest.json`, JSON.stringify(manifestOf(id, files)), 201)
  const isRegistered = async () => (await market.deps.db.pool.query('select from drops where drop_id = $1', [id])).rowCount === 1
  await until(isRegistered, 30)
}

type Attack = Omit<Flooding, 'url' | 'token'> & { readonly path: string }

async function attacked(name: string, call: () => Promise<void>, floor: number, attacks: readonly Attack[]) {
  await call()
  const before = await quiet(call, { calls: scale(20, 100) })
  const floods = attacks.map(({ path, ...attack }) => ({ ...attack, token: market.cable.token, url: `${api.baseUrl}${path}` }))
  const running = flood(Date.now() + ATTACK_MS, floods)
  const during = await victim(call, running)
  const { answers, withoutRetryAfter } = await running
  const told = [...answers].map(([status, count]) => `${count} x ${status}`).join(', ')
  report(name, { ...besideQuiet(before, during), answers: told })
  expect(during.failures).toEqual([])
  expect(withoutRetryAfter).toBe(0)
  expectWithin(during.p99, Math.max(5 * before.p99, floor))
  return answers
}

describe('a flood of one seller leaves the drops of another alone', () => {
  it('by files, more at a time than it may send', async () => {
    const file = { method: 'PUT', type: 'application/octet-stream', body: 'x'.repeat(MIB) }
    const answers = await attacked(
      'files of 1 MiB by twelve at a time',
      drop,
      FLOOR_MS,
      Array.from({ length: 12 }, (_, n) => ({ ...file, path: `/me/files/flood/f-${n}.csv` })),
    )
    expect(answers.get(201)).toBeGreaterThan(0)
    expect([201, 429, 503]).toEqual(expect.arrayContaining([...answers.keys()]))
  }, 120_000)

  it('by manifests, each of which asks for a run', async () => {
    const files = Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`f-${n}.csv`, `manifest ${n}`]))
    await land(market, market.cable, 'many', files)
    const body = JSON.stringify(manifestOf('many', files, { reprocess: true }))
    const answers = await attacked('manifests of 64 files by eight at a time', drop, FLOOR_MS, [
      { method: 'POST', path: '/me/files/manifest', body, atOnce: 8 },
    ])
    expect(answers.get(202)).toBeGreaterThan(0)
    expect([202, 429, 503]).toEqual(expect.arrayContaining([...answers.keys()]))
  }, 120_000)

  it('by manifest.json files whose drops never come', async () => {
    const type = 'application/octet-stream'
    const attacks = Array.from({ length: 8 }, (_, n) => {
      const body = JSON.stringify(manifestOf(`never-${n}`, { 'a.csv': 'x' }))
      return { method: 'PUT', type, body, path: `/me/files/never-${n}/manifest.json` }
    })
    // A look comes at once when it is rung for, else with the next walk.
    await attacked('manifest.json by eight at a time', landing, 2_000, attacks)
  }, 120_000)
})
