import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createOutboundClient, type Outbound } from '../../src/adapters/http/outboundCall.ts'
import type { OutboundRequest } from '../../src/adapters/http/outboundExchange.ts'
import { isPublicAddress } from '../../src/config/publicAddress.ts'
import { INNER_HOSTS, PRIVATE_NAMES } from '../support/http/innerTargets.ts'
import { type NameServer, startNameServer } from '../support/http/nameServer.ts'
import { selfSigned } from '../support/http/selfSigned.ts'
import { until } from '../support/until.ts'

let sandbox: Outbound
let production: Outbound
let names: NameServer
beforeAll(async () => {
  names = await startNameServer({ ...PRIVATE_NAMES, 'silent.example': [] })
  sandbox = createOutboundClient({ allowLoopback: true, nameServers: [names.address] })
  production = createOutboundClient({ allowLoopback: false, nameServers: [names.address] })
})

const closing: (() => void)[] = []
afterAll(async () => {
  await sandbox.close()
  await production.close()
  names.close()
  for (const close of closing) close()
})

/** Listens on every address of this machine, and counts who comes. */
async function listening(server: Server): Promise<{ port: number; connections: () => number }> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '::')
  await once(server, 'listening')
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

const serving = (listener: RequestListener) => listening(createServer(listener))
const answering = (bytes: (socket: Socket) => void) => listening(createTcpServer((socket) => socket.once('data', () => bytes(socket))))
const call = (outbound: Outbound, url: string, more: Partial<OutboundRequest> = {}) =>
  outbound.call({ method: 'POST', url, body: '{}', deadline: 10_000, maxBytes: 1_024, ...more })
const at = ({ port }: { port: number }, path = '/') => `http://127.0.0.1:${port}${path}`

describe('a call', () => {
  it('sends the bytes as they are, asks for no encoding, and answers with status, headers and body', async () => {
    const seen: { head: unknown; body: string }[] = []
    const server = await serving((req, res) => {
      req.setEncoding('utf8').on('data', (body: string) => {
        seen.push({ head: [req.method, req.url, req.headers['accept-encoding'], req.headers['x-mine']], body })
        res.writeHead(201, { 'x-theirs': 'yes' }).end('made')
      })
    })
    const answer = await call(sandbox, at(server, '/a?b=c'), { body: '{"price": 1.50}', headers: { 'x-mine': '1' } })
    expect(seen).toEqual([{ head: ['POST', '/a?b=c', 'identity', '1'], body: '{"price": 1.50}' }])
    expect(answer).toMatchObject({ status: 201, headers: { 'x-theirs': 'yes' }, body: Buffer.from('made') })
    expect(answer).not.toHaveProperty('incomplete')
  })

  it.each([
    ['at once', ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n']],
    ['twice, with headers', ['HTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 204 No Content\r\n\r\n']],
    ['byte by byte', [...'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n']],
    ['beside other interim replies', ['HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n']],
  ])('takes the answer that follows a 100 Continue: %s', async (_, parts) => {
    const server = await answering((socket) => {
      socket.setNoDelay(true)
      for (const [index, part] of parts.entries()) setTimeout(() => socket.write(part), 2 * index)
    })
    expect(await call(sandbox, at(server))).toMatchObject({ status: 204 })
  })

  it('ends in time with a server that sends one 100, or endless ones', async () => {
    const silent = await answering((socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'))
    expect(await call(sandbox, at(silent), { deadline: 300 })).toMatchObject({ fault: 'timeout' })
    const endless = await answering((socket) => socket.write(`HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(40_000)}`))
    expect(await call(sandbox, at(endless), { deadline: 300 })).toHaveProperty('fault')
  })

  it('uses connections again', async () => {
    const server = await serving((_req, res) => res.end('ok'))
    for (let calls = 0; calls < 8; calls += 1) expect(await call(sandbox, at(server))).toMatchObject({ status: 200 })
    expect(server.connections()).toBeLessThan(4)
  })

  it('follows no redirect', async () => {
    const inner = await serving((_req, res) => res.end('secret'))
    const server = await serving((_req, res) => res.writeHead(307, { location: at(inner) }).end())
    expect(await call(sandbox, at(server))).toMatchObject({ status: 307 })
    expect(inner.connections()).toBe(0)
  })

  it('knows no proxy variables', async () => {
    const proxy = await serving((_req, res) => res.end('proxied'))
    const server = await serving((_req, res) => res.end('direct'))
    process.env.http_proxy = at(proxy)
    const fresh = createOutboundClient({ allowLoopback: true })
    expect(await call(fresh, at(server))).toMatchObject({ body: Buffer.from('direct') })
    await fresh.close()
    delete process.env.http_proxy
    expect(proxy.connections()).toBe(0)
  })
})

describe('a server that does wrong', () => {
  it('is given up at the deadline when it says nothing', async () => {
    const server = await serving(() => undefined)
    const answer = await call(sandbox, at(server), { deadline: 300 })
    expect(answer).toMatchObject({ fault: 'timeout' })
    expect(answer.latency_ms).toBeGreaterThanOrEqual(290)
  })

  it('is given up at the deadline when its head comes byte by byte', async () => {
    const server = await answering((socket) => {
      const head = 'HTTP/1.1 200 OK\r\nx-long: '
      let sent = 0
      const drip = setInterval(() => socket.write(head[sent++] ?? 'x'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    expect(await call(sandbox, at(server), { deadline: 400 })).toMatchObject({ fault: 'timeout' })
  })

  it('keeps its status when the body drips past the deadline', async () => {
    const server = await answering((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      const drip = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    // Its head comes long before, also on a busy machine.
    expect(await call(sandbox, at(server), { deadline: 2_000 })).toMatchObject({ status: 200, incomplete: 'timeout' })
  })

  it('is read up to the cap and no further', async () => {
    let closed = false
    const server = await serving((_req, res) => {
      const more = () => {
        while (res.write(Buffer.alloc(65_536)));
      }
      res.on('drain', more).on('close', () => {
        closed = true
      })
      more()
    })
    const answer = await call(sandbox, at(server), { maxBytes: 4_096 })
    expect(answer).toMatchObject({ status: 200, incomplete: 'too_large' })
    expect('body' in answer && answer.body.length).toBe(4_096)
    await until(() => closed)
  })

  it('inflates nothing: a bomb is the bytes that it is', async () => {
    const bomb = Buffer.from('1f8b0800', 'hex')
    const server = await serving((_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    expect(await call(sandbox, at(server))).toMatchObject({ status: 200, body: bomb, headers: { 'content-encoding': 'gzip' } })
  })

  it.each([
    ['resets before an answer', 'reset', (socket: Socket) => socket.resetAndDestroy()],
    ['hangs up before an answer', 'reset', (socket: Socket) => socket.end()],
    ['does not speak HTTP', 'protocol', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['sends a head without end', 'protocol', (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`)],
  ])('is told apart when it %s', async (_, fault, bytes) => {
    const server = await answering(bytes)
    expect(await call(sandbox, at(server))).toMatchObject({ fault })
  })

  it('keeps its status when it resets in the middle of the body', async () => {
    const server = await answering((socket) => {
      // A reset takes away what has not been read: this process reads its sockets between its timers and its immediates.
      const reset = () => setImmediate(() => socket.resetAndDestroy())
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf', () => setTimeout(reset, 50))
    })
    expect(await call(sandbox, at(server))).toMatchObject({ status: 200, incomplete: 'reset' })
  })

  it('that does not run is a refused connection', async () => {
    const server = createTcpServer()
    const { port } = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await call(sandbox, at({ port }))).toMatchObject({ fault: 'connect' })
  })

  it('whose certificate is not trusted gets no request', async () => {
    let requests = 0
    const server = await listening(
      createTlsServer(await selfSigned('localhost'), (_req, res) => {
        requests += 1
        res.end()
      }),
    )
    expect(await call(sandbox, `https://localhost:${server.port}/`)).toMatchObject({ fault: 'tls' })
    expect(await call(sandbox, `https://127.0.0.1:${server.port}/`)).toMatchObject({ fault: 'tls' })
    expect(requests).toBe(0)
  })

  it('that speaks plain HTTP where TLS is asked for is not spoken to', async () => {
    const server = await serving((_req, res) => res.end())
    expect(await call(sandbox, `https://localhost:${server.port}/`)).toMatchObject({ fault: 'tls' })
  })

  it('whose name is unknown, or has no server, is reported as such', async () => {
    expect(await call(sandbox, 'https://nobody.example/')).toMatchObject({ fault: 'dns' })
    expect(await call(sandbox, 'https://silent.example/', { deadline: 200 })).toMatchObject({ fault: 'timeout' })
  })
})

describe('the attack list', () => {
  it('opens not one socket to this machine or to a private network', async () => {
    const server = await serving((_req, res) => res.end('reached'))
    const urls = INNER_HOSTS.flatMap((host) => ['http', 'https'].map((scheme) => `${scheme}://${host}:${server.port}/`))
    const answers = await Promise.all(urls.map(async (url) => [url, await call(production, url)] as const))
    for (const [url, answer] of answers) expect([url, answer]).toEqual([url, { fault: 'refused_address', latency_ms: expect.any(Number) }])
    expect(server.connections()).toBe(0)
  })

  it('in the sandbox opens plain http to this machine alone', async () => {
    const server = await serving((_req, res) => res.end('reached'))
    const reached = ['localhost', '127.0.0.1', '[::1]', 'sub.localhost', '2130706433']
    for (const host of reached) expect(await call(sandbox, `http://${host}:${server.port}/`)).toMatchObject({ status: 200 })
    const before = server.connections()
    const others = INNER_HOSTS.filter((host) => /^(0|0\.0\.0\.0|\[::\]|\[::ffff.*|10\..*|169.*|.*\.example|\[f.*)$/.test(host))
    for (const host of others) expect(await call(sandbox, `http://${host}:${server.port}/`)).toMatchObject({ fault: 'refused_address' })
    expect(server.connections()).toBe(before)
  })

  it.each([
    ...['168.63.129.16', '169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '161.26.0.10', '166.9.0.1', '199.36.153.8'],
    ...['fd00:ec2::254', 'fd20:ce::254', 'fe80::a9fe:a9fe', '::ffff:168.63.129.16', '64:ff9b::a83f:8110'],
  ])('refuses %s, which leads to the platform that a machine runs on', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001::1'])('lets %s be', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})
