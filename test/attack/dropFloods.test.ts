import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Repeated } from '../../worker/repeat.ts'
import { startDropWatch, WATCH_SPEEDS } from '../../worker/watchDrops.ts'
import { land, manifestOf } from '../support/files/drops.ts'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { besideFlood, type Flood, statusesOf } from './support/besideFlood.ts'
import { call } from './support/call.ts'
import type { Flooded } from './support/flood.ts'
import { attackMs } from './support/scale.ts'

/** A seller that sends files and manifests without a pause, while another seller sends its drops. */
const ATTACK_MS = attackMs(1_000, 60_000)
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

const BYTES = 'application/octet-stream'
const put = (path: string, body: string) =>
  call(api.baseUrl, { method: 'PUT', path: `/me/files/${path}`, token: market.station.token, body, type: BYTES, status: 201 })

let sent = 0
/** Another seller's drop over the API: a file, and its manifest. */
async function drop(): Promise<void> {
  sent += 1
  const id = `v-${sent}`
  const files = { 'a.csv': `victim ${sent}` }
  await put(`${id}/a.csv`, files['a.csv'])
  const body = JSON.stringify(manifestOf(id, files))
  await call(api.baseUrl, { method: 'POST', path: '/me/files/manifest', token: market.station.token, body, status: 202 })
}
/** The same by a manifest.json, from its landing until it is registered. */
async function landing(): Promise<void> {
  sent += 1
  const id = `v-${sent}`
  const files = { 'a.csv': `victim ${sent}` }
  await put(`${id}/a.csv`, files['a.csv'])
  await put(`${id}/manifest.json`, JSON.stringify(manifestOf(id, files)))
  const isRegistered = async () => (await market.deps.db.pool.query('select from drops where drop_id = $1', [id])).rowCount === 1
  await until(isRegistered, 30)
}

async function attacked(
  name: string,
  other: () => Promise<void>,
  attacks: readonly Omit<Flood, 'token'>[],
  floorMs = 250,
): Promise<Flooded> {
  const floods = attacks.map((attack) => ({ ...attack, token: market.cable.token }))
  return besideFlood({ name, baseUrl: api.baseUrl, call: other, floods, ms: ATTACK_MS, floorMs })
}

describe('a flood of one seller does not affect the drops of another', () => {
  it('by files, more at a time than it may send', async () => {
    const file = { method: 'PUT', type: BYTES, body: 'x'.repeat(MIB) }
    const files = Array.from({ length: 12 }, (_, n) => ({ ...file, path: `/me/files/flood/f-${n}.csv` }))
    const flooded = await attacked('files of 1 MiB by twelve at a time', drop, files)
    expect(statusesOf(flooded)).toContain(201)
    expect([201, 429, 503]).toEqual(expect.arrayContaining(statusesOf(flooded)))
  }, 120_000)

  it('by manifests, each of which requests a run', async () => {
    const files = Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`f-${n}.csv`, `manifest ${n}`]))
    await land(market, market.cable, 'many', files)
    const body = JSON.stringify(manifestOf('many', files, { reprocess: true }))
    const flooded = await attacked('manifests of 64 files by eight at a time', drop, [
      { method: 'POST', path: '/me/files/manifest', body, atOnce: 8 },
    ])
    expect(statusesOf(flooded)).toContain(202)
    expect([202, 429, 503]).toEqual(expect.arrayContaining(statusesOf(flooded)))
  }, 120_000)

  it('by manifest.json files whose drops never arrive', async () => {
    const attacks = Array.from({ length: 8 }, (_, n) => {
      const body = JSON.stringify(manifestOf(`never-${n}`, { 'a.csv': 'x' }))
      return { method: 'PUT', type: BYTES, body, path: `/me/files/never-${n}/manifest.json` }
    })
    // The watch looks immediately when the landing is notified, else on its next walk.
    const flooded = await attacked('manifest.json by eight at a time', landing, attacks, 2_000)
    expect(statusesOf(flooded)).toContain(201)
  }, 120_000)
})
