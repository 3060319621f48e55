import { access, mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { directoryStorage, type ObjectStorage } from '../../src/adapters/objectStorage.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'

let folder: TemporaryFolder
let objects: ObjectStorage
beforeEach(async () => {
  folder = await temporaryFolder()
  objects = directoryStorage(join(folder.path, 'objects'))
})
afterEach(() => folder.remove())

async function* bytes(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}
async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half')
  throw new Error('the source broke')
}
const read = async (name: string) => {
  const stream = await objects.get(name)
  return stream && text(stream)
}
const incoming = () => readdir(join(folder.path, 'objects', '.incoming'))

describe('an object', () => {
  it('reads back as its chunks came, and is replaced as a whole', async () => {
    await objects.put('uploads/upl_1/17', bytes('one ', 'two'))
    expect(await read('uploads/upl_1/17')).toBe('one two')
    await objects.put('uploads/upl_1/17', bytes('three'))
    expect(await read('uploads/upl_1/17')).toBe('three')
    expect(await objects.exists('uploads/upl_1/17')).toBe(true)
    expect(await incoming()).toEqual([])
  })

  it('that never was is undefined, and deleting it is no fault', async () => {
    expect(await read('uploads/none')).toBeUndefined()
    expect(await objects.exists('uploads/none/17')).toBe(false)
    await objects.delete('uploads/none')
  })

  it('whose source breaks leaves nothing, and what was there before stands', async () => {
    await objects.put('a', bytes('whole'))
    await expect(objects.put('a', broken())).rejects.toThrow('the source broke')
    await expect(objects.put('b', broken())).rejects.toThrow('the source broke')
    expect(await read('a')).toBe('whole')
    expect(await objects.exists('b')).toBe(false)
    expect(await incoming()).toEqual([])
  })

  it('is deleted with all that lies below its name', async () => {
    await objects.put('uploads/upl_1/17', bytes('x'))
    await objects.put('uploads/upl_1/18', bytes('y'))
    await objects.put('uploads/upl_10/17', bytes('z'))
    await objects.delete('uploads/upl_1')
    expect(await objects.exists('uploads/upl_1/17')).toBe(false)
    expect(await objects.exists('uploads/upl_1/18')).toBe(false)
    expect(await objects.exists('uploads/upl_10/17')).toBe(true)
  })

  it('of two that are put at once is one of them, whole', async () => {
    await Promise.all([objects.put('a', bytes('11', '11')), objects.put('a', bytes('22', '22'))])
    expect(['1111', '2222']).toContain(await read('a'))
  })
})

describe('a name', () => {
  it.each(['', '.', '..', '../a', 'a/../b', '/a', 'a/', 'a//b', '.incoming/x', 'a\0b', 'a\\b', 'ä', 'x'.repeat(129)])(
    '%j leads nowhere',
    async (name) => {
      const attempts = [
        () => objects.put(name, bytes('x')),
        () => objects.get(name),
        async () => objects.exists(name),
        async () => objects.delete(name),
      ]
      for (const attempt of attempts) await expect(attempt()).rejects.toThrow('is not a valid object name')
    },
  )
})

describe('what a killed process left', () => {
  it('is removed when it is older than an hour, and else left to whoever writes it', async () => {
    const parts = join(folder.path, 'objects', '.incoming')
    await mkdir(parts, { recursive: true })
    for (const name of ['old', 'new']) await writeFile(join(parts, name), 'x')
    await utimes(join(parts, 'old'), new Date(), new Date(Date.now() - 2 * 3_600_000))
    await objects.put('a', bytes('x'))
    expect(await incoming()).toEqual(['new'])
    await access(join(parts, 'new'))
  })
})
