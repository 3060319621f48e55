import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { decideOrder } from '../support/orders/decisions.ts'
import { useMarket } from '../support/useMarket.ts'
import { call } from './support/call.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const READERS = scale(280, 1_500)
const ROUNDS = 3
/** Between two readers. The limits of requests let all of them be answered. */
const PAUSE_MS = scale(5, 15)
const RATE_LIMITS = scale(
  { RATE_LIMIT_REQUESTS: '300/600', RATE_LIMIT_FEED: '150/250' },
  { RATE_LIMIT_REQUESTS: '100/400', RATE_LIMIT_FEED: '50/100' },
)

/** Readers that ask for pages of large events and never read them, at an API with a small heap. */
const market = useMarket()
let api: ApiProcess
let orderId: string
beforeAll(async () => {
  orderId = await market.parked({ line_items: Array.from({ length: 250 }, () => market.line()) })
  const { line_items } = await market.snapshot(orderId)
  for (let round = 0; round < ROUNDS; round += 1) {
    const units = line_items.map(({ unit_id }) => ({ unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: 999 - round } }))
    const { status } = await decideOrder(market, orderId, { decision: 'counter', units })
    expect(status).toBe(202)
  }
  api = await startApiProcess(market, {
    env: RATE_LIMITS,
    nodeOptions: ['--max-old-space-size=256'],
  })
}, 120_000)
market.beforeStop(async () => {
  await api.stop()
})

/** Sends three requests over one connection, and reads nothing. */
function unreadAsks(): Socket {
  const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1').pause()
  const ask = (path: string) => `GET /v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${market.acme.token}\r\n\r\n`
  socket.on('error', () => undefined)
  socket.write(ask(`/events?order=${orderId}&after_seq=2&limit=500`).repeat(2) + ask('/events/feed?limit=500'))
  return socket
}

const read = () => call(api.baseUrl, { path: '/orders', token: market.zenith.token })

describe('replies that are not read', () => {
  it('hold no more than the bound of their tenant, and affect no one else', async () => {
    const before = await quiet(read)
    const idle = await api.memory()
    const sockets: Socket[] = []
    const asking = async () => {
      for (let opened = 0; opened < READERS; opened += 1) {
        sockets.push(unreadAsks())
        await sleep(PAUSE_MS)
      }
      await sleep(scale(1_000, 2_000))
    }
    const during = await victim(read, asking(), { least: scale(15, 40) })
    const more = (await api.memory()) - idle
    report(`${READERS} unread readers`, {
      ...besideQuiet(before, during),
      'MiB more': Math.round(more),
      alive: String(!api.isDead()),
    })
    expect(api.isDead()).toBe(false)
    expect(during.failures).toEqual([])
    expect(more).toBeLessThan(400)
    for (const socket of sockets) socket.destroy()
  })

  it('leave nothing reserved: the tenant can read again', async () => {
    const deadline = Date.now() + 45_000
    for (;;) {
      const reply = await fetch(`${api.baseUrl}/events?order=${orderId}`, { headers: { authorization: `Bearer ${market.acme.token}` } })
      await reply.text()
      if (reply.status === 200) break
      expect(reply.status).toBe(429)
      expect(Date.now()).toBeLessThan(deadline)
      await sleep(200)
    }
  })
})
