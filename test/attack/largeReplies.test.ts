import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { manyAvails } from '../support/orders/manyAvails.ts'
import { until } from '../support/until.ts'
import { useApp } from '../support/useApp.ts'
import { call } from './support/call.ts'
import { attackMs, scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

/** Replies of some 25 MB in `npm test`, 37 MB in the long run. */
const PRODUCTS = scale(400, 600)
const STALLED = scale(2, 6)
const READING = scale(2, 4)
const ATTACK_MS = attackMs(500, 40_000)
/** The memory that readers may cost, however large their replies are: a few hundred KiB each, plus heap growth between collections. */
const MORE_MIB = 150

/** Large replies that their readers do not read, or request repeatedly, while another tenant continues its work. */
const app = useApp()
let api: ApiProcess
beforeAll(async () => {
  await manyAvails(app, app.tokens.sellers.cable, 'cable', PRODUCTS)
  api = await startApiProcess(app)
}, 120_000)
app.beforeStop(async () => {
  await api.stop()
})

async function ask(token: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}` }
  const [reply] = await once(request(`${api.baseUrl}/sellers/cable/avails`, { headers, agent: false }).end(), 'response')
  return reply as IncomingMessage
}

async function size(reply: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of reply) bytes += (chunk as Buffer).length
  return bytes
}

const read = () => call(api.baseUrl, { path: '/orders', token: app.tokens.buyers.zenith })

describe('large replies', () => {
  it('that are not read, or read again and again, cost little memory and do not slow another tenant', async () => {
    const whole = await size(await ask(app.tokens.buyers.acme))
    const before = await quiet(read)
    const idle = await api.memory()
    const stalled = await Promise.all(Array.from({ length: STALLED }, () => ask(app.tokens.buyers.acme)))
    for (const reply of stalled) reply.on('error', () => undefined)
    const end = Date.now() + ATTACK_MS
    let max = 0
    let replies = 0
    const reading = Array.from({ length: READING }, async () => {
      while (Date.now() < end) {
        expect(await size(await ask(app.tokens.buyers.acme))).toBe(whole)
        replies += 1
        max = Math.max(max, await api.memory())
      }
    })
    const during = await victim(read, Promise.all(reading))
    await Promise.all(reading)
    report(`${STALLED} stalled and ${READING} busy readers of ${Math.round(whole / 1e6)} MB`, {
      ...besideQuiet(before, during),
      replies,
      'MiB more': Math.round(max - idle),
    })
    expect(during.failures).toEqual([])
    expectWithin(during.p99, Math.max(5 * before.p99, 250))
    expect(max - idle).toBeLessThan(MORE_MIB)
    // The stalled replies are also complete once they are read.
    for (const reply of stalled) expect(await size(reply)).toBe(whole)
  }, 180_000)

  it('that nobody reads do not block another buyer from reading avails', async () => {
    const stalled = await Promise.all(Array.from({ length: STALLED }, () => ask(app.tokens.buyers.acme)))
    for (const reply of stalled) reply.on('error', () => undefined)
    const began = performance.now()
    await size(await ask(app.tokens.buyers.zenith))
    const ms = Math.round(performance.now() - began)
    report('a large read beside stalled ones of another buyer', { ms })
    expectWithin(ms, 15_000)
    for (const reply of stalled) reply.destroy()
    // The service notices closed connections a moment later.
    await until(
      async () => (await ask(app.tokens.buyers.acme).then((reply) => reply.on('error', () => undefined).destroy())).statusCode === 200,
    )
  }, 180_000)
})
