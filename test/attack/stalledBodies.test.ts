import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { useApp } from '../support/useApp.ts'
import { call } from './support/call.ts'
import { scale } from './support/scale.ts'
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
function stalledPublish(token: string): { socket: Socket; answered: Promise<string> } {
  const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1')
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

describe('publishes that stall', () => {
  it('hold no more than the bound of their tenant, end soon, and affect no one else', async () => {
    const read = () => call(api.baseUrl, { path: '/orders', token: app.tokens.buyers.acme })
    const before = await quiet(read)
    const idle = await api.memory()

    const began = Date.now()
    const stalled = Array.from({ length: STALLED }, () => stalledPublish(app.tokens.sellers.cable))
    let most = 0
    const watching = setInterval(() => void api.memory().then((now) => (most = Math.max(most, now))), 100)
    const ended = Promise.all(stalled.map(({ answered }) => answered))
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
      'MiB more': Math.round(most - idle),
      ...besideQuiet(before, during),
    })
    expect(late.length).toBeGreaterThanOrEqual(1)
    expect(late.length).toBeLessThanOrEqual(3)
    expect(late[0]).toMatch(/^HTTP\/1\.1 400 .*"error_code":"MALFORMED_REQUEST"/s)
    expect(refused.length).toBeGreaterThanOrEqual(STALLED * 0.9)
    expectWithin(took, 60_000)
    expect(most - idle).toBeLessThan(250)
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
