import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { createApp } from '../../api/app.ts'
import { SPAN_MS, watchBodyProgress } from '../../api/http/bodyProgress.ts'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { until } from '../support/until.ts'
import { useApp } from '../support/useApp.ts'
import { call } from './support/call.ts'
import { IS_LONG, scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const MIB = 1024 * 1024
const BLANKS = Buffer.alloc(29 * MIB, ' ')
const STALLED = scale(32, 400)

/** Publishes that send almost all of their bytes and then nothing. */
const app = useApp()
let api: ApiProcess
beforeAll(async () => {
  api = await startApiProcess(app)
})
app.beforeStop(async () => {
  await api.stop()
})

/** Sends all of the body except its last MiB. `answered` resolves with the answer once the service has closed the connection. */
function stalledPublish(token: string, port = Number(new URL(api.baseUrl).port)): { socket: Socket; answered: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  const head = `PUT /v1/me/avails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: ${BLANKS.length + MIB}\r\n\r\n`)
  socket.write(BLANKS)
  let text = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece
  })
  socket.on('error', () => undefined)
  return { socket, answered: new Promise((resolve) => socket.once('close', () => resolve(text))) }
}

const LATE = /^HTTP\/1\.1 400 .*"error_code":"MALFORMED_REQUEST".*slower than 1 KiB\/s/s

/** Ends the connections that the service has not ended, a moment after it has refused those beyond the bound. */
async function endAfterRefusals(stalled: readonly { socket: Socket }[]): Promise<void> {
  await until(() => stalled.filter(({ socket }) => socket.closed).length >= STALLED * 0.9)
  await sleep(500)
  for (const { socket } of stalled) socket.destroy()
}

describe('publishes that stall', () => {
  it('are answered 400 after the first five seconds in which they bring less than 1 KiB/s', async () => {
    const server = createServer(createApp({ ...app.deps, bodySpanMs: 200 }, pino({ level: 'silent' }))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { answered } = stalledPublish(app.tokens.sellers.cable, (server.address() as AddressInfo).port)
    expect(await answered).toMatch(LATE)
    server.close()
    expect(SPAN_MS).toBe(5_000)
    const begun = performance.now()
    const lateAfter = await new Promise<number>((late) => {
      watchBodyProgress(
        () => 29 * MIB,
        60_000,
        () => late(performance.now() - begun),
        50,
      )
    })
    // It was late in the second span: in the first one it had brought everything.
    expect(lateAfter).toBeGreaterThan(95)
  })

  it('hold no more than the bound of their tenant, end soon, and affect no one else', async () => {
    const read = () => call(api.baseUrl, { path: '/orders', token: app.tokens.buyers.acme })
    const before = await quiet(read)
    const idle = await api.memory()

    const began = Date.now()
    const stalled = Array.from({ length: STALLED }, () => stalledPublish(app.tokens.sellers.cable))
    let max = 0
    const watching = setInterval(() => void api.memory().then((now) => (max = Math.max(max, now))), 100)
    const ended = Promise.all(stalled.map(({ answered }) => answered))
    // Another test waits for the end of those that stall in `npm test`.
    if (!IS_LONG) void endAfterRefusals(stalled)
    const during = await victim(read, ended)
    const took = Date.now() - began
    clearInterval(watching)
    for (const { socket } of stalled) socket.destroy()

    const replies = await ended
    const late = replies.filter((text) => text.includes('slower than 1 KiB/s'))
    const refused = replies.filter((text) => text.includes('RATE_LIMITED'))
    report(`${STALLED} stalled publishes`, {
      seconds: Math.round(took / 1_000),
      late: late.length,
      refused: refused.length,
      'MiB more': Math.round(max - idle),
      ...besideQuiet(before, during),
    })
    const held = IS_LONG ? late : replies.filter((text) => text === '')
    expect(held.length).toBeGreaterThanOrEqual(1)
    expect(held.length).toBeLessThanOrEqual(3)
    for (const text of late) expect(text).toMatch(LATE)
    expect(refused.length).toBeGreaterThanOrEqual(STALLED * 0.9)
    expectWithin(took, 60_000)
    expect(max - idle).toBeLessThan(250)
    expect(during.failures).toEqual([])
    expectWithin(during.p99, Math.max(5 * before.p99, 250))
  })

  it('leave nothing reserved: the tenant can publish again', async () => {
    const deadline = Date.now() + 45_000
    for (;;) {
      const reply = await fetch(`${api.baseUrl}/me/avails`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${app.tokens.sellers.cable}`, 'content-type': 'application/json' },
        body: JSON.stringify({ avails: [{ product_id: 'x', period: { grain: 'week', start: '2030-W01' }, note: 'x'.repeat(20 * MIB) }] }),
      })
      if (reply.status === 200) break
      expect(reply.status).toBe(429)
      expect(Date.now()).toBeLessThan(deadline)
      await sleep(Number(reply.headers.get('retry-after')) * 1_000)
    }
  })
})
