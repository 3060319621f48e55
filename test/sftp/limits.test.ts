import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import ssh2, { type SFTPWrapper } from 'ssh2'
import type { SftpServer } from '../../sftp/server.ts'
import { BYTES_PER_DROP_FILE } from '../../src/contract/vocabulary/drops.ts'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { aClock } from '../support/clock.ts'
import { chunksOf } from '../support/files/objects.ts'
import { call, finished, openFile, outcomeOf, sftpOf, sftpServers } from '../support/sftp/sftpServers.ts'
import { until } from '../support/until.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
const { serverWith, signIn } = sftpServers(app)

describe('connections', () => {
  it('are four of a seller; another seller still enters, and a place that is left is free', async () => {
    const server = await serverWith()
    const first = await signIn(server)
    const others = await Promise.all([signIn(server), signIn(server), signIn(server)])
    await expect(signIn(server)).rejects.toThrow(/TOO_MANY_CONNECTIONS|closed/)
    const station = await signIn(server, app.tokens.sellers.station, 'station')
    first.client.end()
    await first.closed
    await until(() =>
      signIn(server).then(
        ({ client }) => client.end() !== undefined,
        () => false,
      ),
    )
    for (const { client } of [...others, station]) client.end()
  })

  it('are bounded in all: the oldest that has not signed in makes room, one that has is kept', async () => {
    const server = await serverWith({ connections: 3, signingIn: 3 })
    const kept = await signIn(server)
    const idle = Array.from({ length: 2 }, () => connect(server.port, '127.0.0.1').on('error', () => undefined))
    await Promise.all(idle.map((socket) => once(socket, 'data')))
    const gone = Promise.race(idle.map((socket, index) => once(socket, 'close').then(() => index)))
    const entered = await signIn(server)
    expect(await gone).toBe(0)
    expect(await sftpOf(kept)).toBeDefined()
    for (const { client } of [kept, entered]) client.end()
    for (const socket of idle) socket.destroy()
  })

  it('that make room are of the address with the most that have not signed in, not an older one of another', async () => {
    const server = await serverWith({ connections: 3, signingIn: 3 })
    const idle = []
    for (const localAddress of ['127.0.0.4', '127.0.0.2', '127.0.0.2']) {
      const socket = connect({ port: server.port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
      await once(socket, 'data')
      idle.push(socket)
    }
    const gone = Promise.race(idle.map((socket, index) => once(socket, 'close').then(() => index)))
    const { client } = await signIn(server)
    expect(await gone).toBe(1)
    client.end()
    for (const socket of idle) socket.destroy()
  })

  it('of one address that have not signed in are bounded, and leave others alone', async () => {
    const server = await serverWith({ signingIn: 2 })
    const idle = Array.from({ length: 5 }, () => connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' }))
    const closed: number[] = []
    for (const [index, socket] of idle.entries()) socket.on('error', () => undefined).on('close', () => closed.push(index))
    await until(() => closed.length === 3)
    const { client } = await signIn(server)
    client.end()
    for (const socket of idle) socket.destroy()
  })

  it('end as soon as a packet is malformed, and within seconds if they do not begin as SSH', async () => {
    const server = await serverWith({ signInMs: 600_000 })
    for (const text of ['SSH-2.0-x\r\n\x7f\xff\xff\xff', 'GET / HTTP/1.1\r\n\r\n']) {
      const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined)
      await once(socket, 'data')
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(Buffer.from(text, 'latin1'))
      // The client goes on, and does not end its side.
      const sending = setInterval(() => socket.write(Buffer.alloc(1_000)), 50)
      await closed
      clearInterval(sending)
    }
  })

  it('end when nobody signs in in time, or nothing is asked for too long', async () => {
    const socket = connect((await serverWith({ signInMs: 500 })).port, '127.0.0.1').on('error', () => undefined)
    socket.resume()
    await once(socket, 'close')
    const clock = aClock()
    const server = await serverWith({ idleMs: 3_000 }, undefined, clock)
    const quiet = await signIn(server)
    const asking = await signIn(server)
    const sftp = await sftpOf(asking)
    clock.advance(2_000)
    await call((done) => sftp.stat('/', done))
    clock.advance(2_000)
    await quiet.closed
    await call((done) => sftp.stat('/', done))
    clock.advance(3_001)
    await asking.closed
  })
})

/** Returns how many wrong passwords a connection takes. */
async function triesOf({ port }: SftpServer, username: string, localAddress = '127.0.0.1'): Promise<number> {
  const client = new ssh2.Client()
  let tries = 0
  const ended = new Promise<string>((resolve) => client.on('error', (error) => resolve(error.message)))
  client.connect({
    host: '127.0.0.1',
    port,
    username,
    localAddress,
    authHandler: (_left, _partial, next) => {
      tries += 1
      next({ type: 'password', username, password: 'wrong' })
    },
  })
  expect(await ended).toMatch(/NO_MORE_AUTH_METHODS|disconnect/i)
  return tries
}

describe('sign-ins', () => {
  it('are tried three times a connection', async () => {
    expect(await triesOf(await serverWith(), 'cable')).toBe(3)
  })

  it('that fail ten times a minute end at the first refusal for a while; the right password is let in, and nobody else is affected', async () => {
    const clock = aClock()
    const server = await serverWith({ failures: { max: 10, withinMs: 60_000, throttledMs: 4_000 } }, undefined, clock)
    for (let failure = 0; failure < 9; failure++) await outcomeOf(signIn(server, 'wrong'))
    expect(await triesOf(server, 'cable')).toBe(1)
    expect(await triesOf(server, 'cable')).toBe(1)
    expect(await triesOf(server, 'station')).toBe(3)
    expect(await triesOf(server, 'cable', '127.0.0.3')).toBe(3)
    const { client } = await signIn(server)
    client.end()
    clock.advance(4_000)
    expect(await triesOf(server, 'cable')).toBe(3)
  })

  it('that do not succeed have their key exchanges bounded by address; those that do are not counted', async () => {
    const clock = aClock()
    const server = await serverWith({ exchanges: { perSecond: 1, burst: 3 } }, undefined, clock)
    const enters = async (localAddress = '127.0.0.1') => {
      const outcome = await outcomeOf(signIn(server, undefined, undefined, localAddress).then(({ client }) => client.end()))
      return outcome === 'done'
    }
    for (let time = 0; time < 5; time++) expect(await enters()).toBe(true)
    for (let time = 0; time < 3; time++) expect(await outcomeOf(signIn(server, 'wrong'))).toMatch(/authentication methods failed/)
    expect(await enters()).toBe(false)
    expect(await enters('127.0.0.3')).toBe(true)
    clock.advance(1_000)
    expect(await enters()).toBe(true)
  })

  it('exchange keys once', async () => {
    const { port } = await serverWith({ signInMs: 600_000 })
    const client = new ssh2.Client()
    client.on('error', () => undefined)
    const closed = new Promise((resolve) => client.once('close', () => resolve(undefined)))
    const internals = client as unknown as { _protocol: { rekey(): void } }
    client.connect({ host: '127.0.0.1', port, username: 'cable', authHandler: () => internals._protocol.rekey() })
    await closed
  })

  it('that only look whether somebody is there are no failures', async () => {
    const server = await serverWith({ exchanges: { perSecond: 0.001, burst: 2 } })
    for (let probe = 0; probe < 5; probe++) {
      const socket = connect(server.port, '127.0.0.1').resume()
      await once(socket, 'connect')
      socket.destroy()
    }
    expect(await outcomeOf(signIn(server))).toBe('done')
  })
})

describe('a connection', () => {
  it('has ten channels, which share sixteen files and folders; one that ends gives back its own', async () => {
    const connected = await signIn(await serverWith())
    const [sftp, second, ...others] = await Promise.all(Array.from({ length: 10 }, () => sftpOf(connected)))
    if (sftp === undefined || second === undefined) throw new Error('there are ten')
    await expect(sftpOf(connected)).rejects.toThrow()
    const ofSecond = await openFile(second, '/h2/a.csv')
    await finished((done) => second.write(ofSecond, Buffer.from('x'), 0, 1, 0, done))
    const handles = await Promise.all(Array.from({ length: 15 }, (_, file) => openFile(sftp, `/h1/${file}.csv`)))
    await expect(openFile(sftp, '/h1/more.csv')).rejects.toThrow('At most 16 files and folders may be open: close some first.')
    second.end()
    await until(() => outcomeOf(openFile(sftp, '/h1/more.csv')).then((outcome) => outcome === 'done'))
    await expect(openFile(others[0] as SFTPWrapper, '/h1/another.csv')).rejects.toThrow('At most 16 files and folders may be open')
    await finished((done) => sftp.close(handles[0] as Buffer, done))
    await openFile(others[0] as SFTPWrapper, '/h1/another.csv')
    await until(() => outcomeOf(sftpOf(connected)).then((outcome) => outcome === 'done'))
    connected.client.end()
  })

  it('serves its channels by turns: one that takes no answers does not hold up the others', async () => {
    await app.deps.drops.put('cable/turns/a.csv', chunksOf('x'.repeat(1_000_000)))
    const connected = await signIn(await serverWith())
    const [greedy, other] = await Promise.all([sftpOf(connected), sftpOf(connected)])
    const handle = await openFile(greedy, '/turns/a.csv', 'r')
    // The client's window for the channel stays as it is, so that answers beyond it wait.
    const internals = greedy as unknown as { incoming: { id: number }; _protocol: { channelWindowAdjust(id: number, more: number): void } }
    const adjust = internals._protocol.channelWindowAdjust.bind(internals._protocol)
    internals._protocol.channelWindowAdjust = (id, more) => {
      if (id !== (greedy as unknown as { outgoing: { id: number } }).outgoing.id) adjust(id, more)
    }
    for (let request = 0; request < 200; request++) greedy.read(handle, Buffer.alloc(30_000), 0, 30_000, 0, () => undefined)
    for (let request = 0; request < 20; request++) await call((done) => other.stat('/turns', done))
    connected.client.end()
  })

  it('learns why a file is too large, and what it has sent is not kept', async () => {
    const connected = await signIn(await serverWith())
    const sftp = await sftpOf(connected)
    const handle = await openFile(sftp, '/large/a.csv')
    const write = (position: number) => finished((done) => sftp.write(handle, Buffer.from('x'), 0, 1, position, done))
    await write(0)
    await expect(write(BYTES_PER_DROP_FILE)).rejects.toThrow(`The file may have at most ${BYTES_PER_DROP_FILE} bytes.`)
    await expect(finished((done) => sftp.close(handle, done))).rejects.toThrow('not all of its bytes have arrived')
    expect(await app.deps.drops.exists('cable/large/a.csv')).toBe(false)
    connected.client.end()
  })

  it('is refused a file with gaps', async () => {
    const connected = await signIn(await serverWith())
    const sftp = await sftpOf(connected)
    const handle = await openFile(sftp, '/gaps/a.csv')
    // As many bytes as the file has, but not those of the gap.
    for (let time = 0; time < 10; time++) await finished((done) => sftp.write(handle, Buffer.from('x'), 0, 1, 9, done))
    await expect(finished((done) => sftp.close(handle, done))).rejects.toThrow('not all of its bytes have arrived')
    expect(await app.deps.drops.exists('cable/gaps/a.csv')).toBe(false)
    connected.client.end()
  })

  it('is refused what its seller, or all sellers, may not spool at once; others go on', async () => {
    const server = await serverWith({}, { perTenant: 100, total: 300 })
    const write = async (sftp: SFTPWrapper, path: string, bytes: number) => {
      const handle = await openFile(sftp, path)
      await finished((done) => sftp.write(handle, Buffer.alloc(bytes), 0, bytes, 0, done))
      return () => finished((done) => sftp.close(handle, done))
    }
    const [cable, station] = [await signIn(server), await signIn(server, app.tokens.sellers.station, 'station')]
    const [own, other] = [await sftpOf(cable), await sftpOf(station)]
    const close = await write(own, '/s/a', 80)
    await expect(write(own, '/s/b', 30)).rejects.toThrow('The bound of 100 bytes in files that are open is reached')
    await write(other, '/s/a', 60)
    await expect(write(other, '/s/b', 40)).rejects.toThrow('The server holds as many bytes of open files as it can')
    await close()
    await write(other, '/s/c', 40)
    for (const { client } of [cable, station]) client.end()
  })

  it('that could not read a part of a file reads no other in its place', async () => {
    const server = await serverWith({}, { perTenant: 200_000, total: 1_000_000 })
    await app.deps.drops.put('cable/parts/a.csv', chunksOf(...'abcde'.split('').map((letter) => letter.repeat(64 * 1_024))))
    const connected = await signIn(server)
    const sftp = await sftpOf(connected)
    const [whole, other] = [await openFile(sftp, '/parts/a.csv', 'r'), await openFile(sftp, '/parts/b.csv')]
    await finished((done) => sftp.write(other, Buffer.alloc(100_000), 0, 100_000, 0, done))
    const read = (at: number) =>
      call<string>((done) =>
        sftp.read(whole, Buffer.alloc(10), 0, 10, at, (error, size, bytes) => done(error, String(bytes?.subarray(0, size)))),
      )
    expect(await read(0)).toBe('a'.repeat(10))
    await expect(read(150_000)).rejects.toThrow('The bound of 200000 bytes')
    await finished((done) => sftp.close(other, done))
    await expect(read(150_000)).rejects.toThrow('The bound of 200000 bytes')
    connected.client.end()
  })

  it('is refused another drop than a day may have, and not another file of the drop that it has begun', async () => {
    const connected = await signIn(
      await serverWith({}, { perTenant: 1_000, total: 1_000 }, { dropsPerDay: 1 }),
      app.tokens.sellers.station,
      'station',
    )
    const sftp = await sftpOf(connected)
    const put = async (path: string) => {
      const handle = await openFile(sftp, path)
      await finished((done) => sftp.close(handle, done))
    }
    await put('/day1/a.csv.part')
    await finished((done) => sftp.rename('/day1/a.csv.part', '/day1/a.csv', done))
    await put('/day1/b.csv')
    await expect(put('/day2/a.csv')).rejects.toThrow('A seller may put files into 1 drops in 24 hours.')
    const { rows } = await app.deps.db.pool.query("select filename from drop_files where seller = 'station' order by 1")
    expect(rows).toEqual([{ filename: 'a.csv' }, { filename: 'b.csv' }])
    connected.client.end()
  })

  it('is refused another drop also where the files of the first have names that no manifest takes', async () => {
    await app.deps.db.pool.query("delete from drop_files where seller = 'cable'")
    const connected = await signIn(
      await serverWith({}, { perTenant: 1_000, total: 1_000 }, { dropsPerDay: 1 }),
      app.tokens.sellers.cable,
      'cable',
    )
    const sftp = await sftpOf(connected)
    const put = async (path: string) => {
      const handle = await openFile(sftp, path)
      await finished((done) => sftp.close(handle, done))
    }
    await put('/odd1/a.bin')
    const refusal = 'A seller may put files into 1 drops in 24 hours.'
    await expect(put('/odd2/a.bin')).rejects.toThrow(refusal)
    const rename = finished((done) => sftp.rename('/odd1/a.bin', '/odd2/a.bin', done))
    await expect(rename).rejects.toThrow(refusal)
    connected.client.end()
  })

  it('ends when its token has expired', async () => {
    const server = await serverWith({ checkedEveryMs: 100 })
    const issued = await issueCredential(app.deps.db, { entity: 'station', side: 'seller', kind: 'test', ttlSeconds: 60 })
    const { closed } = await signIn(server, issued.token, 'station')
    await app.owner().query('update credentials set expires_at = now() where credential_id = $1', [issued.credential_id])
    await closed
  })
})
