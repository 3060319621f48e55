import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { createApiServer } from '../../api/http/server.ts'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { useApp } from '../support/useApp.ts'
import { call } from './support/call.ts'
import { IS_LONG, scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const BOUND = scale(200, 1_000)
const IDLE = scale(600, 10_000)
/**
 * The number opened at a time. The kernel queues 511 that a server has not accepted yet. Of thousands at once it drops some that their clients consider open;
 * the service never sees these, so nothing ever ends them.
 */
const BATCH = 50

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

/** How the answer begins to a connection that ends at its time limit. */
const LATE = /^HTTP\/1\.1 40[08]/

function idleConnection(localAddress: string, port = Number(new URL(api.baseUrl).port)): Idle {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
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
    const more = Array.from({ length: Math.min(BATCH, count - opened.length) }, () => idleConnection(localAddress))
    await Promise.all(more.map((each) => each[until]))
    opened.push(...more)
  }
  return opened
}

/** Opens as many as an address may have, then those that are refused. Returns what the service sent to each before it closed it. */
async function endsOfIdle(): Promise<string[]> {
  const kept = await openIdle(BOUND, '127.0.0.2', 'connected')
  const refused = await openIdle(IDLE - BOUND, '127.0.0.2', 'closed')
  // Another test waits for the time limit in `npm test`.
  if (!IS_LONG) for (const { socket } of kept) socket.destroy()
  return Promise.all([...kept, ...refused].map(({ closed }) => closed))
}

const read = () => call(api.baseUrl, { path: '/orders', token: app.tokens.buyers.acme, headers: { connection: 'close' } })

describe('connections that send nothing', () => {
  it('end at their time limit, which is ten seconds', async () => {
    const unused = () => undefined
    const one = createApiServer(unused, { perTenant: 20, total: 20 })
    const impatient = createApiServer(unused, { perTenant: 20, total: 20 }, { mostMs: 200, lookMs: 50 })
    expect(one.headersTimeout).toBe(10_000)
    impatient.listen(0, '127.0.0.1')
    await once(impatient, 'listening')
    const { port } = impatient.address() as AddressInfo
    const idle = Array.from({ length: 20 }, () => idleConnection('127.0.0.2', port))
    for (const text of await Promise.all(idle.map(({ closed }) => closed))) expect(text).toMatch(LATE)
    impatient.close()
  })

  it('are bounded per address, end at their time limit, and affect no one else', async () => {
    const before = await quiet(read)
    const began = performance.now()
    const ended = endsOfIdle()
    const during = await victim(read, ended)
    const took = performance.now() - began
    const said = await ended
    const refused = said.filter((text) => text.startsWith('HTTP/1.1 429') && text.includes('"error_code":"RATE_LIMITED"'))
    const late = said.filter((text) => LATE.test(text))
    report(`${IDLE} idle connections`, {
      refused: refused.length,
      late: late.length,
      seconds: Math.round(took / 1_000),
      ...besideQuiet(before, during),
    })
    expect(refused.length).toBe(IDLE - BOUND)
    expect(said.filter((text) => text === '')).toHaveLength(IS_LONG ? 0 : BOUND)
    expect(late.length).toBe(IS_LONG ? BOUND : 0)
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
