import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import ssh2, { type SFTPWrapper } from 'ssh2'
import { call, openFile } from '../support/sftp/sftpServers.ts'
import { useSftp } from '../support/sftp/useSftp.ts'
import { attackMs, scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, type Latency, quiet, victim } from './support/victim.ts'

/** Clients of the SFTP server send what they should not, or read nothing. Another seller is still served, and the server's memory is bounded. */
const server = useSftp({ LOG_LEVEL: 'warn' })
const MIB = 1024 * 1024
/** What the process may grow by, in MiB: the buffers of one connection are 1 MiB of writes, 1 MiB of answers and what is on the socket. */
const GROWTH = 80

async function sftpOf(seller: 'cable' | 'station', more: { localAddress?: string; sock?: Socket } = {}) {
  const client = new ssh2.Client()
  client.on('error', () => undefined)
  const password = server.app.tokens.sellers[seller]
  client.connect({ host: '127.0.0.1', port: server.port, username: seller, password, ...more })
  await once(client, 'ready')
  return { client, sftp: await call<SFTPWrapper>((done) => client.sftp(done)) }
}

/** Another seller's look at its drops, over a connection of its own. */
async function look(): Promise<void> {
  const { client, sftp } = await sftpOf('station', { localAddress: '127.0.0.9' })
  await call((done) => sftp.readdir('/', done))
  client.end()
}

let looked: Promise<Latency> | undefined
/** What `look` takes while nothing else happens. */
const calm = () => (looked ??= quiet(look, { calls: scale(5, 100) }))

describe('a client that reads no answers', () => {
  it('is no longer read, and costs the server little memory', async () => {
    await server.app.deps.drops.put('cable/f1/a.csv', chunks(32 * MIB))
    await look()
    const before = await server.server.memory()
    const usual = await calm()
    const socket = connect(server.port, '127.0.0.1')
    const { client, sftp } = await sftpOf('cable', { sock: socket })
    const handle = await openFile(sftp, '/f1/a.csv', 'r')
    socket.pause()
    const requests = scale(5_000, 9_000)
    const buffer = Buffer.allocUnsafe(30_000)
    for (let request = 0; request < requests; request++) {
      sftp.read(handle, buffer, 0, buffer.length, (request * 200_000) % (32 * MIB), () => undefined)
    }
    for (let request = 0; request < requests; request++) sftp.readdir('/', () => undefined)
    const during = await victim(look, sleep(attackMs(1_000, 20_000)))
    const grown = (await server.server.memory()) - before
    report('an SFTP client that takes no answers', { requests: requests * 2, grown: Math.round(grown), ...besideQuiet(usual, during) })
    expect(grown).toBeLessThan(GROWTH)
    expect(during.failures).toEqual([])
    expectWithin(during.p99, Math.max(5 * usual.p99, 250))
    client.destroy()
  }, 180_000)
})

describe('a client that never opens its window', () => {
  it('is disconnected when it requests more than it can ever receive', async () => {
    const { client, sftp } = await sftpOf('cable')
    const handle = await openFile(sftp, '/f1/a.csv', 'r')
    // The library opens its window again by this.
    ;(client as unknown as { _protocol: { channelWindowAdjust(): void } })._protocol.channelWindowAdjust = () => undefined
    const ended = new Promise((resolve) => client.once('close', () => resolve(undefined)))
    const before = await server.server.memory()
    const buffer = Buffer.allocUnsafe(30_000)
    for (let request = 0; request < 22_000; request++) sftp.read(handle, buffer, 0, buffer.length, 0, () => undefined)
    await ended
    expect((await server.server.memory()) - before).toBeLessThan(GROWTH)
    await look()
  }, 60_000)
})

describe('a client that writes faster than the disk', () => {
  it('holds a bounded number of bytes in flight', async () => {
    const { client, sftp } = await sftpOf('cable')
    const before = await server.server.memory()
    const handle = await openFile(sftp, '/f2/a.csv')
    const piece = randomBytes(32_000)
    const writes = scale(2_000, 15_000)
    let max = 0
    const watch = setInterval(
      () =>
        void server.server.memory().then((now) => {
          max = Math.max(max, now)
        }),
      50,
    )
    const write = (at: number) =>
      call<void>((done) => sftp.write(handle, piece, 0, piece.length, at * piece.length, (error) => done(error, undefined)))
    await Promise.all(Array.from({ length: writes }, (_, at) => write(at)))
    clearInterval(watch)
    report('SFTP writes without waiting', { MiB: Math.round((writes * piece.length) / MIB), grown: Math.round(max - before) })
    expect(max - before).toBeLessThan(GROWTH)
    client.end()
  }, 120_000)
})

describe('strangers', () => {
  const sockets: Socket[] = []
  const leave = () => {
    for (const socket of sockets) socket.destroy()
  }
  // A test that fails leaves its sockets open, and an open socket keeps the process from ending.
  server.app.beforeStop(leave)

  it(
    'that send no SSH, or stop in the middle of it, do not block sellers',
    async () => {
      await look()
      const before = await server.server.memory()
      const usual = await calm()
      const openings = [
        randomBytes(200_000),
        Buffer.from('SSH-2.0-x\r\n'),
        Buffer.alloc(300_000, 'a'),
        Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), randomBytes(100_000)]),
        Buffer.alloc(0),
      ]
      for (let at = 0; at < scale(100, 2_000); at++) {
        const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (at % 20)}` })
        socket.on('error', () => undefined).on('connect', () => socket.write(openings[at % openings.length] as Buffer))
        socket.resume()
        sockets.push(socket)
      }
      const during = await victim(look, sleep(attackMs(1_000, 20_000)))
      leave()
      const grown = (await server.server.memory()) - before
      report('strangers at the SFTP server', { sockets: sockets.length, grown: Math.round(grown), ...besideQuiet(usual, during) })
      expect(grown).toBeLessThan(GROWTH)
      expect(during.failures).toEqual([])
      expectWithin(during.p99, Math.max(5 * usual.p99, 250))
    },
    scale(60_000, 300_000),
  )
})

describe('malformed requests', () => {
  it('end at most their own connection, never the server', async () => {
    const malformed = async (round: number) => {
      const { client, sftp } = await sftpOf(round % 2 === 0 ? 'cable' : 'station')
      const internals = sftp as unknown as { _protocol: { channelData(id: number, data: Buffer): void }; outgoing: { id: number } }
      const body = randomBytes(1 + (round % 60))
      body[0] = [3, 4, 5, 6, 8, 9, 10, 12, 16, 18, 20, 200, 1, 99][round % 14] as number
      const length = Buffer.alloc(4)
      length.writeUInt32BE(round % 5 === 0 ? 0x7fffffff : body.length)
      internals._protocol.channelData(internals.outgoing.id, Buffer.concat([length, body]))
      await Promise.race([new Promise((resolve) => client.once('close', () => resolve(undefined))), sleep(30)])
      client.destroy()
    }
    // Two of each seller, and two more that the server may not have seen leave: a seller may have four.
    for (let round = 0; round < scale(28, 400); round += 4) await Promise.all([0, 1, 2, 3].map((more) => malformed(round + more)))
    await look()
  }, 120_000)
})

async function* chunks(bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += MIB) yield randomBytes(MIB)
}
