import { execFile } from 'node:child_process'
import { access, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { directoryStorage } from '../../../src/adapters/files/objectStorage/directory.ts'
import type { OpenStorage } from '../../../src/adapters/files/objectStorage/storage.ts'
import { checkStorage } from '../../../src/adapters/files/objectStorage/stores.ts'
import { chunksOf, listedNames, objectText } from '../../support/files/objects.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

let folder: TemporaryFolder
let root: string
let objects: OpenStorage
beforeEach(async () => {
  folder = await temporaryFolder()
  root = join(folder.path, 'objects')
  objects = directoryStorage(root)
})
afterEach(() => folder.remove())

const names = (prefix: string) => listedNames(objects, prefix)
const isMissing = async (name: string) => {
  expect(await objects.get(name)).toBeUndefined()
  expect(await objects.stat(name)).toBeUndefined()
  expect(await objects.exists(name)).toBe(false)
}

describe('what is not a regular file', () => {
  it('is missing: a link, to the outside or to an object', async () => {
    await objects.put('cable/d1/real.csv', chunksOf('mine'))
    await writeFile(join(folder.path, 'secret'), 'secret')
    await symlink(join(folder.path, 'secret'), join(root, 'cable/d1/outside.csv'))
    await symlink('real.csv', join(root, 'cable/d1/inside.csv'))
    for (const name of ['cable/d1/outside.csv', 'cable/d1/inside.csv', 'cable/d1']) await isMissing(name)
    expect(await names('')).toEqual(['cable/d1/real.csv'])
  })

  it('is missing: a pipe, without waiting for it', async () => {
    await objects.put('cable/d1/real.csv', chunksOf('mine'))
    await promisify(execFile)('mkfifo', [join(root, 'cable/d1/pipe.csv')])
    await isMissing('cable/d1/pipe.csv')
    expect(await names('cable/')).toEqual(['cable/d1/real.csv'])
  })

  it('is missing: everything below a folder that is a link', async () => {
    await objects.put('station/d1/a.csv', chunksOf('theirs'))
    await mkdir(join(folder.path, 'outside'))
    await writeFile(join(folder.path, 'outside/a.csv'), 'secret')
    await objects.put('cable/d1/a.csv', chunksOf('mine'))
    await symlink(join(root, 'station/d1'), join(root, 'cable/d2'))
    await symlink(join(folder.path, 'outside'), join(root, 'cable/d3'))
    for (const name of ['cable/d2/a.csv', 'cable/d3/a.csv']) await isMissing(name)
    expect(await names('cable/')).toEqual(['cable/d1/a.csv'])
    expect(await names('cable/d2/')).toEqual([])
  })

  it('is neither written through nor deleted through', async () => {
    await mkdir(join(folder.path, 'outside'))
    await writeFile(join(folder.path, 'outside/a.csv'), 'secret')
    await objects.put('cable/d1/a.csv', chunksOf('mine'))
    await symlink(join(folder.path, 'outside'), join(root, 'cable/d2'))
    await expect(objects.put('cable/d2/a.csv', chunksOf('forged'))).rejects.toThrow('is not a folder')
    await expect(objects.put('cable/d2/deep/b.csv', chunksOf('forged'))).rejects.toThrow('is not a folder')
    await objects.delete('cable/d2/a.csv')
    expect(await readdir(join(folder.path, 'outside'))).toEqual(['a.csv'])
    await objects.delete('cable/d2')
    expect(await readFile(join(folder.path, 'outside/a.csv'), 'utf8')).toBe('secret')
    expect(await readdir(join(root, 'cable'))).toEqual(['d1'])
  })

  it('is replaced by a put of its name, and what a link led to stays', async () => {
    await objects.put('cable/d1/real.csv', chunksOf('real'))
    await symlink('real.csv', join(root, 'cable/d1/link.csv'))
    await objects.put('cable/d1/link.csv', chunksOf('new'))
    expect(await objectText(objects, 'cable/d1/link.csv')).toBe('new')
    expect(await objectText(objects, 'cable/d1/real.csv')).toBe('real')
  })
})

it('serves a root that is a link itself', async () => {
  await mkdir(root)
  await symlink(root, join(folder.path, 'current'))
  const linked = directoryStorage(join(folder.path, 'current'))
  await linked.put('a/b', chunksOf('x'))
  expect(await linked.exists('a/b')).toBe(true)
  expect(await names('a/')).toEqual(['a/b'])
})

it('ignores files whose names are not object names', async () => {
  await objects.put('cable/d1/a.csv', chunksOf('x'))
  for (const name of ['.hidden', ' b.csv', 'a\tb.csv', `${'x'.repeat(129)}`]) await writeFile(join(root, 'cable/d1', name), 'x')
  await mkdir(join(root, 'cable/d 2'))
  await writeFile(join(root, 'cable/d 2/a.csv'), 'x')
  expect(await names('')).toEqual(['cable/d1/a.csv'])
})

describe('what a killed process left', () => {
  it('is removed when it is older than an hour; a newer one may still be written', async () => {
    const parts = join(root, '.incoming')
    await mkdir(parts, { recursive: true })
    for (const name of ['old', 'new']) await writeFile(join(parts, name), 'x')
    await utimes(join(parts, 'old'), new Date(), new Date(Date.now() - 2 * 3_600_000))
    await objects.put('a', chunksOf('x'))
    expect(await readdir(parts)).toEqual(['new'])
    await access(join(parts, 'new'))
  })
})

describe('a directory that is gone', () => {
  const calls: [string, () => Promise<unknown>][] = [
    ['get', () => objects.get('cable/d1/a.csv')],
    ['stat', () => objects.stat('cable/d1/a.csv')],
    ['exists', () => objects.exists('cable/d1/none.csv')],
    ['list', () => names('cable/')],
    ['put', () => objects.put('cable/d1/b.csv', chunksOf('x'))],
    ['delete', () => objects.delete('cable/d1/a.csv')],
    ['check', () => objects.check()],
  ]

  it.each(calls)('fails %s as a fault of the store, and is not made again', async (_, call) => {
    await objects.put('cable/d1/a.csv', chunksOf('x'))
    await rename(root, `${root}-away`)
    await expect(call()).rejects.toMatchObject({ name: 'StorageFault', reason: 'directory', word: 'ENOENT' })
    expect(await readdir(folder.path)).toEqual(['objects-away'])
    await rename(`${root}-away`, root)
    expect(await objectText(objects, 'cable/d1/a.csv')).toBe('x')
  })

  it('fails a list that it leaves in the middle', async () => {
    for (const name of ['cable/d1/a.csv', 'cable/d2/b.csv']) await objects.put(name, chunksOf('x'))
    const walk = objects.list('cable/')[Symbol.asyncIterator]()
    expect((await walk.next()).value).toMatchObject({ name: 'cable/d1/a.csv' })
    await rename(root, `${root}-away`)
    await expect(walk.next()).rejects.toMatchObject({ name: 'StorageFault' })
  })

  it('is made where it never was', async () => {
    expect(await objects.stat('cable/d1/a.csv')).toBeUndefined()
    expect(await readdir(folder.path)).toEqual(['objects'])
  })
})

describe('a mount point whose volume is not mounted', () => {
  let records: string
  const opened = () => directoryStorage(root, records)
  beforeEach(async () => {
    records = join(folder.path, 'records')
    objects = opened()
    await objects.put('cable/d1/a.csv', chunksOf('x'))
  })
  const unmounted = async () => {
    await rename(root, `${root}-volume`)
    await mkdir(root)
  }
  const calls: [string, () => Promise<unknown>][] = [
    ['get', () => objects.get('cable/d1/a.csv')],
    ['stat', () => objects.stat('cable/d1/a.csv')],
    ['list', () => names('cable/')],
    ['put', () => objects.put('cable/d1/b.csv', chunksOf('x'))],
    ['delete', () => objects.delete('cable')],
    ['check', () => objects.check()],
  ]

  it.each(calls)('fails %s as a fault of the store, also after a restart, and is left empty', async (_, call) => {
    await unmounted()
    await expect(call()).rejects.toMatchObject({ name: 'StorageFault', reason: 'directory' })
    objects = opened()
    await expect(call()).rejects.toMatchObject({ name: 'StorageFault', reason: 'directory', word: 'empty' })
    expect(await readdir(root)).toEqual([])
    await rm(root, { recursive: true })
    await expect(call()).rejects.toMatchObject({ name: 'StorageFault', reason: 'directory', word: 'empty' })
    await rename(`${root}-volume`, root)
    expect(await objectText(objects, 'cable/d1/a.csv')).toBe('x')
  })

  it('stops the start with a sentence that says how to go on', async () => {
    await unmounted()
    await expect(checkStorage(opened(), 'DROPS_URL', () => undefined)).rejects.toThrow(
      'The directory of DROPS_URL was a store and is empty now; mount its volume, or create a file .store in it to begin with an empty store.',
    )
    await writeFile(join(root, '.store'), '')
    await checkStorage(opened(), 'DROPS_URL', () => undefined)
    expect(await listedNames(opened(), '')).toEqual([])
  })

  it('blames the data directory, and not the store, if that cannot be written', async () => {
    const file = join(folder.path, 'a-file')
    await writeFile(file, '')
    const storage = directoryStorage(root, join(file, 'stores'))
    await expect(checkStorage(storage, 'DROPS_URL', () => undefined)).rejects.toThrow(
      'The directory of DATA_DIR cannot be written (ENOTDIR); let this process write it, or correct DATA_DIR. Stores without a URL are in it, and notes of all directories that are stores.',
    )
  })

  it('differs from a store of a release without markers, which has files', async () => {
    await rm(join(root, '.store'))
    objects = opened()
    expect(await objectText(objects, 'cable/d1/a.csv')).toBe('x')
    expect(await readdir(root)).toContain('.store')
  })
})

it('reports as a fault what the file system refuses, and what the source says as it is', async () => {
  await objects.put('cable/d1/a.csv', chunksOf('x'))
  await writeFile(join(root, 'plain'), 'x')
  await expect(objects.put('plain/a.csv', chunksOf('x'))).rejects.toThrow('is not a folder')
  const reset = Object.assign(new Error('the client left'), { code: 'ECONNRESET', syscall: 'read' })
  const left = async function* () {
    yield Buffer.from('half')
    throw reset
  }
  await expect(objects.put('cable/d1/b.csv', left())).rejects.toBe(reset)
  await rm(join(root, '.incoming'), { recursive: true })
  await expect(objects.put('cable/d1/b.csv', chunksOf('x'))).rejects.toMatchObject({ name: 'StorageFault', word: 'ENOENT' })
})
