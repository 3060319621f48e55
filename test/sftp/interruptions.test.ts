import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it } from '@jest/globals'
import { MARKER } from '../../src/adapters/objectStorage/beginDirectory.ts'
import { type RunningClient, sftp, startSftp, withOpenSsh } from '../support/sftp/openSsh.ts'
import { useSftp } from '../support/sftp/useSftp.ts'
import { until } from '../support/until.ts'

const server = useSftp()
const MIB = 1024 * 1024

/** A put that is under way for as long as the test likes: the client is held to so many kilobits a second. */
async function putSlowly(name: string): Promise<RunningClient> {
  await writeFile(join(server.home, name), randomBytes(8 * MIB))
  const landed = server.server.said().split('a seller has signed in').length
  const client = startSftp(server, 'cable', server.password('cable'), ['-mkdir d1', `put ${name} d1/`], ['-l', '4000'])
  await until(() => server.server.said().split('a seller has signed in').length > landed, 30)
  await sleep(1_000)
  return client
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
    expect(Date.now() - began).toBeLessThan(4_000)
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
