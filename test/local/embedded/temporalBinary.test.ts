import { access, chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { binaryCache, keep, lookUp } from '../../../src/local/embedded/binaryCache.ts'
import { findTemporal, findTestServer } from '../../../src/local/embedded/temporalBinary.ts'
import { TEMPORAL_TEST_SERVER } from '../../../src/local/embedded/temporalPins.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

const HELLO = '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03'

let home: TemporaryFolder
const { XDG_CACHE_HOME, PATH } = process.env

beforeEach(async () => {
  home = await temporaryFolder()
  process.env.XDG_CACHE_HOME = join(home.path, 'cache')
})

afterEach(async () => {
  delete process.env.XDG_CACHE_HOME
  Object.assign(process.env, { PATH, ...(XDG_CACHE_HOME !== undefined && { XDG_CACHE_HOME }) })
  await home.remove()
})

describe('the cache of programs', () => {
  it('returns what was kept, and nothing that was changed since', async () => {
    const folder = await binaryCache(undefined)
    await writeFile(join(home.path, 'fetched'), 'hello\n')
    const path = await keep(folder, 'tool', join(home.path, 'fetched'), HELLO)
    expect(await lookUp(folder, 'tool', HELLO, fail)).toBe(path)
    await writeFile(path, 'hellO\n')
    const told: string[] = []
    expect(await lookUp(folder, 'tool', HELLO, (text) => told.push(text))).toBeUndefined()
    expect(told).toEqual(['The cached tool is damaged and is fetched again.'])
    await expect(access(path)).rejects.toThrow('ENOENT')
  })

  it('never keeps a program with another hash than the pinned one', async () => {
    const folder = await binaryCache(undefined)
    await writeFile(join(home.path, 'fetched'), 'something else\n')
    await expect(keep(folder, 'tool', join(home.path, 'fetched'), HELLO)).rejects.toThrow(/sha256/)
    await expect(access(join(folder, 'tool'))).rejects.toThrow('ENOENT')
  })

  it('checks a program without a pinned hash against its first download', async () => {
    const folder = await binaryCache(undefined)
    await writeFile(join(home.path, 'fetched'), 'hello\n')
    const path = await keep(folder, 'tool', join(home.path, 'fetched'), undefined)
    expect((await readFile(`${path}.sha256`, 'utf8')).trim()).toBe(HELLO)
    await writeFile(path, 'cut off')
    expect(await lookUp(folder, 'tool', undefined, () => undefined)).toBeUndefined()
  })

  it('is in the data directory when the home cannot be written, or when others can write it', async () => {
    process.env.XDG_CACHE_HOME = '/dev/null'
    expect(await binaryCache(home.path)).toBe(join(home.path, 'cache', 'order-marketplace'))
    process.env.XDG_CACHE_HOME = join(home.path, 'open')
    await mkdir(join(home.path, 'open', 'order-marketplace'), { recursive: true })
    await chmod(join(home.path, 'open', 'order-marketplace'), 0o777)
    expect(await binaryCache(home.path)).toBe(join(home.path, 'cache', 'order-marketplace'))
  })
})

describe('findTemporal', () => {
  it('takes the one on PATH', async () => {
    const path = await temporalOnPath('temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)')
    expect(await findTemporal()).toEqual({ path, from: `PATH (${path}, server 1.29.1)` })
  })

  it('does not use an old one or a broken one on PATH', async () => {
    const told: string[] = []
    const looking = { onProgress: (text: string) => told.push(text), signal: AbortSignal.abort() }
    const old = await temporalOnPath('temporal version 1.0.0 (Server 1.24.2, UI 2.30.3)')
    await expect(findTemporal(looking)).rejects.toThrow('abort')
    await writeFile(old, 'not a program')
    await expect(findTemporal(looking)).rejects.toThrow('abort')
    expect(told).toEqual([`${old} holds server 1.24.2, older than 1.29, and is not used.`, `${old} does not run and is not used.`])
  })
})

describe('findTestServer', () => {
  it('does not run a cached program that was tampered with', async () => {
    const folder = await binaryCache(undefined)
    const planted = join(folder, `temporal-test-server-${TEMPORAL_TEST_SERVER.version}-${process.platform}-${process.arch}`)
    await writeFile(planted, '#!/bin/sh\necho planted\n', { mode: 0o755 })
    await expect(findTestServer({ signal: AbortSignal.abort() })).rejects.toThrow('abort')
    await expect(access(planted)).rejects.toThrow('ENOENT')
  })
})

async function temporalOnPath(version: string): Promise<string> {
  const folder = join(home.path, 'bin')
  await mkdir(folder)
  await symlink('/bin/sh', join(folder, 'sh'))
  await writeFile(join(folder, 'temporal'), `#!/bin/sh\necho "${version}"\n`, { mode: 0o755 })
  process.env.PATH = folder
  return join(folder, 'temporal')
}

function fail(text: string): never {
  throw new Error(text)
}
