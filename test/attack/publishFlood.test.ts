import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { aCatalog, anAvail, aProduct } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'
import { besideFlood, type Flood, statusesOf } from './support/besideFlood.ts'
import { call } from './support/call.ts'
import { type Flooded, flood } from './support/flood.ts'
import { attackMs, scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'

const MIB = 1024 * 1024
const ATTACK_MS = attackMs(1_200, 60_000)
const ENTRIES = scale(16_000, 100_000)
/** The entries of publishes of which so many are sent that the queue is full. */
const ENTRIES_OF_MANY = scale(4_000, 10_000)
const TAKEN = scale(2_000, 82_000)
const EMPTY_LINES = JSON.stringify({ seller: 'cable', line_items: Array.from({ length: 500 }, () => ({})) })

/** Bodies that cost far more to read than to send, while another tenant continues its work. */
const market = useMarket()
let api: ApiProcess
beforeAll(async () => {
  api = await startApiProcess(market, { env: { LOG_LEVEL: 'fatal' } }) // each 503 is a line
  const products = Array.from({ length: Math.ceil(TAKEN / 50) }, (_, index) => aProduct(`taken-${index}`))
  expect((await market.cable.put('/me/catalog', aCatalog(...products))).status).toBe(200)
  // Starts threads and warms up code, so that only the flood is measured.
  await put('/me/avails', market.station.token, refusedPublish(2_000))
  for (let sent = 0; sent < 3; sent += 1) await send('POST', '/orders', market.acme.token, EMPTY_LINES)
}, 120_000)
market.beforeStop(async () => {
  await api.stop()
})

/** Each entry is refused, for a reason of its own. */
function refusedPublish(entries: number): string {
  const avails = Array.from({ length: entries }, (_, index) => ({
    product_id: `p-${index}`,
    period: { grain: 'week', start: 'x' },
    note: 'y',
  }))
  return JSON.stringify({ avails })
}

/** Each entry is written. */
function takenPublish(entries: number): string {
  const weeks = Array.from({ length: 50 }, (_, index) => `2031-W${String(index + 1).padStart(2, '0')}`)
  const avails = Array.from({ length: entries }, (_, index) =>
    anAvail(`taken-${Math.floor(index / weeks.length)}`, { period: { grain: 'week', start: weeks[index % weeks.length] } }),
  )
  return JSON.stringify({ avails })
}

const sizeOf = (body: string) => `${Math.round((10 * body.length) / 1e6) / 10} MB`

async function send(method: string, path: string, token: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const reply = await fetch(`${api.baseUrl}${path}`, { method, headers, body })
  await reply.arrayBuffer()
  return reply.status
}
const put = (path: string, token: string, body: string) => send('PUT', path, token, body)

const read = () => call(api.baseUrl, { path: '/orders', token: market.acme.token })

const attacked = (name: string, floods: readonly Flood[]): Promise<Flooded> =>
  besideFlood({ name, baseUrl: api.baseUrl, call: read, floods, ms: ATTACK_MS })

const publishOf = (token: string, body: string) => ({ method: 'PUT', path: '/me/avails', token, body, pauseMs: 50 })

describe('a flood of one tenant does not affect another', () => {
  it('by four large publishes at a time, all of whose entries are refused', async () => {
    const body = refusedPublish(ENTRIES)
    const flooded = await attacked(`four publishes of ${sizeOf(body)} at a time`, [{ ...publishOf(market.cable.token, body), atOnce: 4 }])
    expect(flooded.answers.get(200)).toBeGreaterThanOrEqual(1)
    expect([200, 429, 503]).toEqual(expect.arrayContaining(statusesOf(flooded)))
  }, 180_000)

  it('by large publishes that are accepted', async () => {
    const body = takenPublish(TAKEN)
    const flooded = await attacked(`publishes of ${sizeOf(body)} that are taken`, [publishOf(market.cable.token, body)])
    expect(flooded.answers.get(200)).toBeGreaterThanOrEqual(1)
    // A minute of them is more than the bytes of bodies that one tenant may send in a second.
    expect([200, 429]).toEqual(expect.arrayContaining(statusesOf(flooded)))
  }, 180_000)

  it('by bodies of a MiB of empty objects', async () => {
    const body = `{"decision":"reject","units":[${'{},'.repeat((MIB - 64) / 3)}{}]}`
    const attack = { method: 'POST', path: '/me/orders/ord_x/decide', token: market.cable.token, body, atOnce: 2, pauseMs: 20 }
    const flooded = await attacked('1 MiB of {},', [attack])
    expect([404, 413, 429]).toEqual(expect.arrayContaining(statusesOf(flooded)))
  })

  it('by small bodies in which every member is wrong', async () => {
    const attack = { method: 'POST', path: '/orders', token: market.zenith.token, body: EMPTY_LINES, atOnce: 2, pauseMs: 20 }
    const flooded = await attacked('500 empty lines', [attack])
    expect(flooded.answers.get(422)).toBeGreaterThanOrEqual(1)
    expect([422, 429]).toEqual(expect.arrayContaining(statusesOf(flooded)))
  })
})

describe('a seller that publishes while two others publish without pause', () => {
  it('waits for at most one of their publishes besides its own', async () => {
    const [own] = await otherSellers(1)
    const small = refusedPublish(2_000)
    const alone = await longestOf(3, () => put('/me/avails', own as string, small))
    const body = refusedPublish(ENTRIES)
    const others = [market.cable, market.station].map(({ token }) => ({
      ...publishOf(token, body),
      url: `${api.baseUrl}/me/avails`,
      atOnce: 2,
    }))
    const running = flood(Date.now() + ATTACK_MS, others)
    await sleep(ATTACK_MS / 4)
    const among = await longestOf(scale(2, 20), () => put('/me/avails', own as string, small))
    const { longestMs } = await running
    report('a third seller beside two that flood', { 'alone, longest ms': alone, 'longest ms': among, 'their longest ms': longestMs })
    expectWithin(among, longestMs + 5 * Math.max(alone, 1_000), 2)
  }, 180_000)
})

describe('more publishes than the queue takes', () => {
  it('are refused with 503 and Retry-After; no other tenant waits, and later publishes succeed', async () => {
    const tokens = await otherSellers(12)
    const body = refusedPublish(ENTRIES_OF_MANY)
    const flooded = await attacked(
      `five publishes at a time of each of ${tokens.length} sellers`,
      tokens.map((token) => ({ ...publishOf(token, body), atOnce: 5 })),
    )
    expect(statusesOf(flooded)).toEqual(expect.arrayContaining([200, 503]))
    expect([200, 429, 503]).toEqual(expect.arrayContaining(statusesOf(flooded)))
    expect(api.isDead()).toBe(false)
    expect(await put('/me/avails', market.cable.token, body)).toBe(200)
  }, 180_000)
})

/** Makes sellers with a name and a credential. Returns their tokens. */
async function otherSellers(count: number): Promise<string[]> {
  const { db } = market.deps
  const issued: string[] = []
  for (let made = 0; made < count; made += 1) {
    const entity = `flooder-${randomUUID()}`
    await db.pool.query(`insert into tenants (entity, side, name) values ($1, 'seller', $1)`, [entity])
    await db.pool.query(`insert into sellers (seller, profile) select $1, profile from sellers where seller = 'cable'`, [entity])
    issued.push((await issueCredential(db, { entity, side: 'seller', kind: 'test' })).token)
  }
  return issued
}

async function longestOf(times: number, call: () => Promise<number>): Promise<number> {
  let longest = 0
  for (let sent = 0; sent < times; sent += 1) {
    const began = performance.now()
    expect(await call()).toBe(200)
    longest = Math.max(longest, performance.now() - began)
  }
  return Math.round(longest)
}
