import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { useApp } from '../support/useApp.ts'
import { call } from './support/call.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const BOUND = scale(200, 1_000)
const IDLE = scale(600, 10_000)
/**
 * The number opened at a time. The kernel queues 511 that a server has not accepted yet. Of thousands at once it drops some that their clients consider open;
 * the service never sees these, so nothing ever ends them.
 */
const AT_ONCE = 50

/** Connections that never send a request, from an address of their own. */
const app = useApp()
let api: ApiProcess
beforeAll(async () => {
  api = await startApiProcess(app, { env: { CONNECTIONS: `${BOUND}/${BOUND * 2}` } })
})
app.beforeStop(async () => {
  await api.stop()
})

interface Idle {
  readonly socket: Socket
  /** It is connected, or closed. */
  readonly connected: Promise<unknown>
  /** What the service sent before it closed the connection. */
  readonly closed: Promise<string>
}

function idleConnection(localAddress: string): Idle {
  const socket = connect({ port: Number(new URL(api.baseUrl).port), host: '127.0.0.1', localAddress })
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece
  })
  socket.on('error', () => undefined)
  return {
    socket,
    connected: new Promise((resolve) => socket.once('connect', resolve).once('close', resolve)),
    closed: new Promise((resolve) => socket.once('close', () => resolve(text))),
  }
}

/** Opens `count` connections in batches. Waits until each batch is connected or, where the service refuses it, closed. */
async function openIdle(count: number, localAddress: string, until: 'connected' | 'closed'): Promise<Idle[]> {
  const opened: Idle[] = []
  while (opened.length < count) {
    const more = Array.from({ length: Math.min(AT_ONCE, count - opened.length) }, () => idleConnection(localAddress))
    await Promise.all(more.map((each) => each[until]))
    opened.push(...more)
  }
  return opened
}

/** Opens as many as an address may have, then those that are refused. Returns what the service sent to each before it closed it. */
async function endsOfIdle(): Promise<string[]> {
  const kept = await openIdle(BOUND, '127.0.0.2', 'connected')
  const refused = await openIdle(IDLE - BOUND, '127.0.0.2', 'closed')
  return Promise.all([...kept, ...refused].map(({ closed }) => closed))
}

const read = () => call(api.baseUrl, { path: '/orders', token: app.tokens.buyers.acme, headers: { connection: 'close' } })

describe('connections that send nothing', () => {
  it('are bounded per address, end at their time limit, and affect no one else', async () => {
    const before = await quiet(read)
    const began = performance.now()
    const ended = endsOfIdle()
    const during = await victim(read, ended)
    const took = performance.now() - began
    const said = await ended
    const refused = said.filter((text) => text.startsWith('HTTP/1.1 429') && text.includes('"error_code":"RATE_LIMITED"'))
    const late = said.filter((text) => text.startsWith('HTTP/1.1 400') || text.startsWith('HTTP/1.1 408'))
    report(`${IDLE} idle connections`, {
      refused: refused.length,
      late: late.length,
      seconds: Math.round(took / 1_000),
      ...besideQuiet(before, during),
    })
    expect(refused.length).toBe(IDLE - BOUND)
    expect(refused.length + late.length).toBe(IDLE)
    expectWithin(took, 30_000)
    expect(during.failures).toEqual([])
    expectWithin(during.p99, Math.max(5 * before.p99, 250))
  })

  it('are bounded in total, and one more is answered 503', async () => {
    const all = [...(await openIdle(BOUND, '127.0.0.2', 'connected')), ...(await openIdle(BOUND, '127.0.0.3', 'connected'))]
    const one = idleConnection('127.0.0.4')
    expect(await one.closed).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 1\r\n.*"error_code":"UNAVAILABLE"/s)
    for (const { socket } of all) socket.destroy()
  })
})
