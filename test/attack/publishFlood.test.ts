import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ApiProcess, startApiProcess } from '../support/apiProcess.ts'
import { type Market, startMarket } from '../support/market.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { quiet, victim } from './support/victim.ts'

const MIB = 1024 * 1024
const ATTACK_MS = scale(6_000, 60_000)
const ENTRIES = scale(40_000, 100_000)
const EMPTY_LINES = JSON.stringify({ seller: 'cable', line_items: Array.from({ length: 500 }, () => ({})) })

/** Bodies that cost far more to read than to send, while another tenant goes on with its work. */
let market: Market
let api: ApiProcess
beforeAll(async () => {
  market = await startMarket()
  api = await startApiProcess(market)
  // Threads have started and code is warm: what is measured is the flood.
  await put('/me/avails', market.station.token, refusedPublish(2_000))
  for (let sent = 0; sent < 3; sent += 1) await send('POST', '/orders', market.acme.token, EMPTY_LINES)
}, 120_000)
afterAll(async () => {
  await api.stop()
  await market.stop()
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

async function send(method: string, path: string, token: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const reply = await fetch(`${api.baseUrl}${path}`, { method, headers, body })
  await reply.arrayBuffer()
  return reply.status
}
const put = (path: string, token: string, body: string) => send('PUT', path, token, body)

/** Sends again as soon as it is answered, and counts the answers by status. */
async function flood(until: number, one: () => Promise<number>, pauseMs = 0): Promise<Map<number | string, number>> {
  const answers = new Map<number | string, number>()
  while (Date.now() < until) {
    const status = await one().catch((error: Error) => error.message)
    answers.set(status, (answers.get(status) ?? 0) + 1)
    if (pauseMs > 0) await sleep(pauseMs)
  }
  return answers
}

async function read(): Promise<void> {
  const reply = await fetch(`${api.baseUrl}/orders`, { headers: { authorization: `Bearer ${market.acme.token}` } })
  await reply.text()
  if (!reply.ok) throw new Error(`answered ${reply.status}`)
}

async function attacked(
  name: string,
  floods: (until: number) => Promise<Map<number | string, number>>[],
): Promise<Map<number | string, number>> {
  const before = await quiet(read)
  const running = Promise.all(floods(Date.now() + ATTACK_MS))
  const during = await victim(read, running)
  const answers = new Map<number | string, number>()
  for (const each of await running) for (const [status, count] of each) answers.set(status, (answers.get(status) ?? 0) + count)
  const told = [...answers].map(([status, count]) => `${count} x ${status}`).join(', ')
  report(name, { 'quiet p50': before.p50, 'quiet p99': before.p99, p50: during.p50, p99: during.p99, answers: told })
  expect(during.failures).toEqual([])
  expectWithin(during.p99, Math.max(5 * before.p99, 500))
  return answers
}

describe('a flood of one tenant leaves another alone', () => {
  it('by four large publishes at a time, all of whose entries are refused', async () => {
    const body = refusedPublish(ENTRIES)
    const answers = await attacked(`four publishes of ${Math.round(body.length / MIB)} MiB at a time`, (until) =>
      Array.from({ length: 4 }, () => flood(until, () => put('/me/avails', market.cable.token, body), 50)),
    )
    expect(answers.get(200)).toBeGreaterThanOrEqual(1)
    expect([...answers.keys()].every((status) => status === 200 || status === 429 || status === 503)).toBe(true)
  }, 180_000)

  it('by bodies of a MiB of empty objects', async () => {
    const body = `{"decision":"reject","units":[${'{},'.repeat((MIB - 64) / 3)}{}]}`
    const answers = await attacked('1 MiB of {},', (until) =>
      Array.from({ length: 2 }, () => flood(until, () => send('POST', '/me/orders/ord_x/decide', market.cable.token, body), 20)),
    )
    expect([...answers.keys()].every((status) => status === 404 || status === 413 || status === 429)).toBe(true)
  })

  it('by small bodies whose every member is at fault', async () => {
    const answers = await attacked('500 empty lines', (until) =>
      Array.from({ length: 2 }, () => flood(until, () => send('POST', '/orders', market.zenith.token, EMPTY_LINES), 20)),
    )
    expect(answers.get(422)).toBeGreaterThanOrEqual(1)
    expect([...answers.keys()].every((status) => status === 422 || status === 429)).toBe(true)
  })
})
