import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { OpenStorage } from '../../../src/adapters/files/objectStorage/storage.ts'
import { openObjectStorage } from '../../../src/adapters/files/objectStorage.ts'
import { parseStorageUrl } from '../../../src/config/location.ts'
import { findS3Server, type S3Server, startS3Server } from '../../support/engines/s3Server.ts'
import { chunksOf, listedNames, objectText } from '../../support/files/objects.ts'
import { setS3Credential } from '../../support/files/s3Credential.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

/** What every store promises, on each kind of store. */

const program = await findS3Server()
let folder: TemporaryFolder
let s3: S3Server | undefined
let objects: OpenStorage
beforeAll(async () => {
  if (program === undefined) return
  setS3Credential()
  s3 = await startS3Server(program)
  await s3.createBucket('stores')
})
afterAll(() => s3?.remove())

/** An empty store. */
const URLS = {
  'a directory': () => `file://${folder.path}/objects`,
  'a bucket': () => s3?.url(`stores/of-a-test/${basename(folder.path)}`) ?? '',
}
const KINDS = (Object.keys(URLS) as (keyof typeof URLS)[]).filter((kind) => kind !== 'a bucket' || program !== undefined)

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half')
  throw new Error('the source broke')
}
const read = (name: string) => objectText(objects, name)
const names = (prefix: string) => listedNames(objects, prefix)

describe.each(KINDS)('%s', (kind) => {
  beforeEach(async () => {
    folder = await temporaryFolder()
    const location = parseStorageUrl(URLS[kind]())
    if (location === undefined) throw new Error('no store')
    objects = openObjectStorage(location, { scratch: join(folder.path, 'incoming'), records: join(folder.path, 'stores') })
  })
  afterEach(async () => {
    objects.close()
    await folder.remove()
  })

  describe('an object', () => {
    it('reads back as its chunks came, and is replaced as a whole', async () => {
      await objects.put('uploads/upl_1/17', chunksOf('one ', 'two'))
      expect(await read('uploads/upl_1/17')).toBe('one two')
      await objects.put('uploads/upl_1/17', chunksOf('three'))
      expect(await read('uploads/upl_1/17')).toBe('three')
      expect(await objects.exists('uploads/upl_1/17')).toBe(true)
    })

    it('has a name as people write it, and is listed by the bytes of its name', async () => {
      const sent = [
        'cable/d1/Rates & avails + 50% (März).csv',
        'cable/d1/a b.csv',
        'cable/d1/a+b.csv',
        'cable/d1/\u{1f4c8}.csv',
        'cable/d1/ｚ.csv',
      ]
      for (const name of sent) await objects.put(name, chunksOf(name))
      expect(await names('cable/')).toEqual([...sent].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))))
      for (const name of sent) expect(await read(name)).toBe(name)
      await objects.delete('cable/d1/a b.csv')
      expect(await objects.exists('cable/d1/a+b.csv')).toBe(true)
      await objects.delete('cable/d1')
      expect(await names('cable/')).toEqual([])
    })

    it('may be empty', async () => {
      await objects.put('a', chunksOf())
      expect(await read('a')).toBe('')
      expect(await objects.stat('a')).toMatchObject({ size: 0 })
    })

    it('that does not exist is undefined, and deleting it succeeds', async () => {
      expect(await read('uploads/none')).toBeUndefined()
      expect(await objects.stat('uploads/none')).toBeUndefined()
      expect(await objects.exists('uploads/none/17')).toBe(false)
      await objects.delete('uploads/none')
    })

    it('whose source breaks leaves nothing, and what was there before stays', async () => {
      await objects.put('a', chunksOf('whole'))
      await expect(objects.put('a', broken())).rejects.toThrow('the source broke')
      await expect(objects.put('b', broken())).rejects.toThrow('the source broke')
      expect(await read('a')).toBe('whole')
      expect(await objects.exists('b')).toBe(false)
      expect(await names('')).toEqual(['a'])
    })

    it('is deleted with all that is below its name', async () => {
      await objects.put('uploads/upl_1/17', chunksOf('x'))
      await objects.put('uploads/upl_1/18', chunksOf('y'))
      await objects.put('uploads/upl_10/17', chunksOf('z'))
      await objects.delete('uploads/upl_1')
      expect(await names('')).toEqual(['uploads/upl_10/17'])
      await objects.delete('uploads/upl_10/17')
      expect(await names('')).toEqual([])
    })

    it('that is put twice at once is one of the two, whole', async () => {
      await Promise.all([objects.put('a', chunksOf('11', '11')), objects.put('a', chunksOf('22', '22'))])
      expect(['1111', '2222']).toContain(await read('a'))
    })
  })

  describe('stat', () => {
    it('says size and a tag that changes when other bytes of the same length replace the object', async () => {
      await objects.put('cable/d1/a.csv', chunksOf('one'))
      const before = await objects.stat('cable/d1/a.csv')
      expect(before).toEqual({ name: 'cable/d1/a.csv', size: 3, modifiedAt: expect.any(Number), tag: expect.stringMatching(/./) })
      // A bucket counts whole seconds.
      expect(Math.abs((before?.modifiedAt ?? 0) - Date.now())).toBeLessThan(60_000)
      expect(await objects.stat('cable/d1/a.csv')).toEqual(before)
      await objects.put('cable/d1/a.csv', chunksOf('two'))
      const after = await objects.stat('cable/d1/a.csv')
      expect(after).toMatchObject({ name: 'cable/d1/a.csv', size: 3 })
      expect(after?.tag).not.toBe(before?.tag)
    })

    it('does not take a folder for an object', async () => {
      await objects.put('cable/d1/a.csv', chunksOf('one'))
      for (const name of ['cable', 'cable/d1']) {
        expect(await objects.stat(name)).toBeUndefined()
        expect(await objects.exists(name)).toBe(false)
        expect(await objects.get(name)).toBeUndefined()
      }
    })
  })

  describe('list', () => {
    it('yields what is below the prefix by name, as stat reports it', async () => {
      const put = ['cable/d1/a.csv', 'cable/d1-2/b.csv', 'cable/d1.csv', 'cable/d10/c.csv', 'cable2/d1/d.csv', 'cable/d1/B.csv']
      for (const name of put) await objects.put(name, chunksOf(name))
      expect(await names('cable/')).toEqual(['cable/d1-2/b.csv', 'cable/d1.csv', 'cable/d1/B.csv', 'cable/d1/a.csv', 'cable/d10/c.csv'])
      expect(await names('cable/d1/')).toEqual(['cable/d1/B.csv', 'cable/d1/a.csv'])
      expect(await names('')).toEqual([...put].sort())
      expect(await names('none/')).toEqual([])
      for await (const listed of objects.list('')) expect(listed).toEqual(await objects.stat(listed.name))
    })

    it('can be left before its end', async () => {
      for (const name of ['a/1', 'a/2']) await objects.put(name, chunksOf('x'))
      for await (const { name } of objects.list('a/')) {
        expect(name).toBe('a/1')
        break
      }
    })

    it.each(['a', '/', '../', 'a/../', 'a//', '.incoming/'])('refuses the prefix %j', async (prefix) => {
      await expect(names(prefix)).rejects.toThrow('is not a valid')
    })
  })

  describe('a name', () => {
    it.each([
      '',
      '.',
      '..',
      '../a',
      'a/../b',
      '/a',
      'a/',
      'a//b',
      '.incoming/x',
      'a\0b',
      'a\\b',
      'ä/b',
      'a b/c',
      ' a',
      'a\u202eb',
      'a\ufffdb',
      'ä'.repeat(65),
    ])('%j is refused', async (name) => {
      const attempts = [
        () => objects.put(name, chunksOf('x')),
        () => objects.get(name),
        () => objects.stat(name),
        async () => objects.exists(name),
        async () => objects.delete(name),
      ]
      for (const attempt of attempts) await expect(attempt()).rejects.toThrow('is not a valid object name')
    })
  })
})
