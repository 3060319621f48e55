import { randomBytes } from 'node:crypto'
import { readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from '@jest/globals'
import { MARKER } from '../../src/adapters/files/objectStorage/beginDirectory.ts'
import { STOP_MS } from '../../src/local/embedded/keepRunning.ts'
import { type RunningClient, sftp, startSftp, withOpenSsh } from '../support/sftp/openSsh.ts'
import { useSftp } from '../support/sftp/useSftp.ts'
import { until } from '../support/until.ts'

const server = useSftp()
const MIB = 1024 * 1024

/** A put that is under way for as long as the test likes: the client is held to so many kilobits a second. */
async function putSlowly(name: string): Promise<RunningClient> {
  await writeFile(join(server.home, name), randomBytes(8 * MIB))
  const client = startSftp(server, 'cable', server.password('cable'), ['-mkdir d1', `put ${name} d1/`], ['-l', '4000'])
  await until(isReceiving)
  return client
}

/** Whether bytes of a put have come. The server keeps them in an open file without a name until it has all of them. */
async function isReceiving(): Promise<boolean> {
  const folder = `/proc/${server.server.pid}/fd`
  const bytesIn = async (path: string) => ((await readlink(path)).includes('/.incoming/') ? (await stat(path)).size : 0)
  const open = await Promise.all((await readdir(folder)).map((name) => bytesIn(join(folder, name)).catch(() => 0)))
  return open.some((bytes) => bytes > 0)
}

/** What lies in the data directory of a sellers' files, its folders for unfinished ones included. */
async function onDisk(): Promise<string[]> {
  const found = await Promise.all(
    ['drops', 'sftp'].map((folder) => readdir(join(server.app.dataDir, folder), { recursive: true, withFileTypes: true }).catch(() => [])),
  )
  return found
    .flat()
    .filter((entry) => entry.isFile() && entry.name !== MARKER)
    .map(({ name }) => name)
}

beforeEach(async () => {
  await server.app.deps.drops.delete('cable')
})

withOpenSsh('a put', () => {
  it('whose client is killed leaves nothing, and the next one works', async () => {
    const client = await putSlowly('killed.csv')
    process.kill(-(client.process.pid ?? 0), 'SIGKILL')
    await client.ended
    await until(async () => (await onDisk()).length === 0)
    expect(await sftp(server, 'cable', server.password('cable'), ['put killed.csv d1/killed.csv'])).toMatchObject({ code: 0 })
    expect(await onDisk()).toEqual(['killed.csv'])
  })

  it('whose server is killed leaves nothing, and a retry works', async () => {
    const client = await putSlowly('retried.csv')
    await server.server.stop('SIGKILL')
    expect((await client.ended).code).not.toBe(0)
    expect(await onDisk()).toEqual([])
    await server.restart()
    expect(await sftp(server, 'cable', server.password('cable'), ['put retried.csv d1/retried.csv'])).toMatchObject({ code: 0 })
    const landed = await server.app.deps.drops.stat('cable/d1/retried.csv')
    expect(landed?.size).toBe(8 * MIB)
  })

  it('under which the server stops ends, leaves nothing, and holds the stop up for less than the supervisor waits', async () => {
    const client = await putSlowly('stopped.csv')
    const began = Date.now()
    expect(await server.server.stop('SIGTERM')).toBe(0)
    expect(Date.now() - began).toBeLessThan(STOP_MS)
    expect((await client.ended).code).not.toBe(0)
    expect(await onDisk()).toEqual([])
    await server.restart()
  })
})

withOpenSsh('a large file', () => {
  it('of 74 MB lands in seconds, whole, and reads back', async () => {
    const bytes = randomBytes(74_000_000)
    await writeFile(join(server.home, 'large.csv'), bytes)
    const began = performance.now()
    expect(await sftp(server, 'cable', server.password('cable'), ['put large.csv d1/large.csv'])).toMatchObject({ code: 0, err: '' })
    const putMs = performance.now() - began
    expect(await sftp(server, 'cable', server.password('cable'), ['get d1/large.csv back.csv'])).toMatchObject({ code: 0, err: '' })
    expect((await readFile(join(server.home, 'back.csv'))).equals(bytes)).toBe(true)
    expect(putMs).toBeLessThan(30_000)
    expect(await server.server.memory()).toBeLessThan(250)
  }, 120_000)
})
