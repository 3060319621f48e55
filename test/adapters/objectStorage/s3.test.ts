import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetObjectAttributesCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { OpenStorage } from '../../../src/adapters/files/objectStorage/storage.ts'
import { scale } from '../../attack/support/scale.ts'
import { type CuttableProxy, startCuttableProxy } from '../../support/engines/cuttableProxy.ts'
import { chunksOf, listedNames, objectText } from '../../support/files/objects.ts'
import { watchBuffers } from '../../support/heldBuffers.ts'
import { described, useS3 } from './useS3.ts'

const MIB = 1024 * 1024
const s3 = useS3()
async function* random(mib: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < mib * 16; sent += 1) yield randomBytes(MIB / 16)
}
const waiting = () => readdir(join(s3.folder.path, 'incoming'))

described('a bucket that others write to', () => {
  it('shows only keys that are object names', async () => {
    const owner = s3.server.client()
    const odd = [
      'cable/d1/Größe.csv',
      'cable/d1/a b+c.csv',
      'cable/.hidden',
      'cable/d1/\u0001',
      'cable/%41',
      'cable/d1/a\nb',
      'cable/😀',
      'cable/<&>',
    ]
    for (const key of odd) await owner.send(new PutObjectCommand({ Bucket: 'stores', Key: `${s3.prefix}/${key}`, Body: 'x' }))
    await owner.send(new PutObjectCommand({ Bucket: 'stores', Key: `${s3.prefix}/cable/folder/`, Body: '', ContentLength: 0 }))
    await owner.send(new PutObjectCommand({ Bucket: 'stores', Key: `${s3.prefix}-other/a.csv`, Body: 'x' }))
    await s3.objects.put('cable/d1/a.csv', chunksOf('x'))
    const shown = ['cable/d1/Größe.csv', 'cable/d1/a b+c.csv', 'cable/d1/a.csv']
    for (const prefix of ['', 'cable/']) expect((await listedNames(s3.objects, prefix)).sort()).toEqual(shown)
    owner.destroy()
  })

  it('is listed past the thousand of one page, and deleted so', async () => {
    const names = Array.from({ length: scale(2_001, 2_500) }, (_, n) => `cable/d${String(n).padStart(4, '0')}/a.csv`)
    await Promise.all(names.map((name) => s3.server.plant(`stores/${s3.prefix}/${name}`)))
    expect(await listedNames(s3.objects, 'cable/')).toEqual(names)
    await s3.objects.put('cabled/a.csv', chunksOf('x'))
    await s3.objects.delete('cable')
    expect(await listedNames(s3.objects, '')).toEqual(['cabled/a.csv'])
  })
})

described('the bytes of an object', () => {
  it('are stored with their sha256, which the store has checked', async () => {
    await s3.objects.put('a', chunksOf('one ', 'two'))
    const client = s3.server.client()
    const { Checksum } = await client.send(
      new GetObjectAttributesCommand({ Bucket: 'stores', Key: `${s3.prefix}/a`, ObjectAttributes: ['Checksum'] }),
    )
    expect(Checksum?.ChecksumSHA256).toBe(createHash('sha256').update('one two').digest('base64'))
    client.destroy()
  })

  it('are an error to read once they were changed behind the store', async () => {
    await s3.objects.put('a', chunksOf('whole'))
    await s3.server.plant(`stores/${s3.prefix}/a`, 'wrong')
    await expect(objectText(s3.objects, 'a')).rejects.toMatchObject({ name: 'StorageFault' })
  })

  it('go through neither way in memory', async () => {
    const size = scale(64, 96)
    const held = watchBuffers(48 * MIB)
    let max = 0
    const timer = setInterval(() => {
      max = Math.max(max, held())
    }, 5)
    await s3.objects.put('a', random(size))
    let read = 0
    for await (const chunk of (await s3.objects.get('a')) ?? []) read += (chunk as Uint8Array).length
    clearInterval(timer)
    expect(read).toBe(size * MIB)
    expect(max).toBeLessThanOrEqual(48 * MIB)
    expect(await waiting()).toEqual([])
  }, 60_000)

  it('may be left unread, any number of times', async () => {
    await s3.objects.put('a', random(2))
    for (let n = 0; n < 120; n += 1) {
      const stream = await s3.objects.get('a')
      if (n % 2 === 0) stream?.destroy()
      else for await (const _ of stream ?? []) break
    }
    expect((await buffer((await s3.objects.get('a')) as Readable)).length).toBe(2 * MIB)
  }, 30_000)
})

described('a connection that is cut', () => {
  let proxy: CuttableProxy
  let cut: OpenStorage
  beforeEach(async () => {
    proxy = await startCuttableProxy(s3.server.endpoint)
    cut = s3.open(s3.server.url(`stores/${s3.prefix}`).replace(s3.server.endpoint, proxy.url))
  })
  afterEach(() => proxy.close())

  it('during a put is tried again', async () => {
    proxy.cutAfter({ up: MIB }, 2)
    await cut.put('a', random(3))
    expect(proxy.connections()).toBe(3)
    expect(await s3.objects.stat('a')).toMatchObject({ size: 3 * MIB })
  })

  it('during every attempt of a put leaves nothing, and what was there before', async () => {
    await s3.objects.put('a', chunksOf('whole'))
    proxy.cutAfter({ up: MIB })
    for (const name of ['a', 'b']) await expect(cut.put(name, random(3))).rejects.toMatchObject({ reason: 'unreachable' })
    await sleep(200) // for what the server may still do with the half that it has
    expect(await objectText(s3.objects, 'a')).toBe('whole')
    expect(await listedNames(s3.objects, '')).toEqual(['a'])
    expect(await waiting()).toEqual([])
  })

  it('during a get is an error, never a short object', async () => {
    await s3.objects.put('a', random(3))
    proxy.cutAfter({ down: MIB })
    const stream = (await cut.get('a')) as Readable
    await expect(buffer(stream)).rejects.toMatchObject({ name: 'StorageFault', reason: 'unreachable' })
  })

  it('before the reader has started waits for it as an error', async () => {
    await s3.objects.put('a', random(3))
    proxy.cutAfter({ down: MIB / 2 })
    const stream = (await cut.get('a')) as Readable
    await sleep(100)
    await expect(buffer(stream)).rejects.toMatchObject({ reason: 'unreachable' })
  })

  it('before any other answer is tried again', async () => {
    await s3.objects.put('a', chunksOf('x'))
    for (const ask of [() => cut.stat('a'), () => listedNames(cut, ''), () => cut.delete('a')]) {
      proxy.cutAfter({ up: 1 }, 2)
      await ask()
    }
    expect(await s3.objects.exists('a')).toBe(false)
  })
})

described('a store that is away', () => {
  it('is unreachable for every call, and takes the next one when it is back', async () => {
    await s3.objects.put('a', chunksOf('x'))
    await s3.server.kill()
    try {
      const calls = [
        () => s3.objects.put('a', chunksOf('y')),
        () => s3.objects.get('a'),
        () => s3.objects.stat('a'),
        () => s3.objects.exists('a'),
        () => listedNames(s3.objects, ''),
        () => s3.objects.delete('a'),
      ]
      await Promise.all(calls.map((call) => expect(call()).rejects.toMatchObject({ name: 'StorageFault', reason: 'unreachable' })))
    } finally {
      await s3.server.start()
    }
    expect(await objectText(s3.objects, 'a')).toBe('x')
    await s3.objects.put('a', chunksOf('y'))
    expect(await objectText(s3.objects, 'a')).toBe('y')
  })

  it('whose source breaks is not asked at all', async () => {
    await s3.server.kill()
    try {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('half')
        throw new Error('the source broke')
      }
      await expect(s3.objects.put('a', broken())).rejects.toThrow('the source broke')
      expect(await waiting()).toEqual([])
    } finally {
      await s3.server.start()
    }
  })
})
