import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetObjectAttributesCommand, PutBucketPolicyCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { parseStorageUrl } from '../../../src/adapters/objectStorage/location.ts'
import { checkStorage } from '../../../src/adapters/objectStorage/stores.ts'
import { type OpenStorage, openObjectStorage } from '../../../src/adapters/objectStorage.ts'
import { freePort } from '../../../src/embedded/ports.ts'
import { type CuttableProxy, startCuttableProxy } from '../../support/engines/cuttableProxy.ts'
import { findS3Server, type S3Server, startS3Server } from '../../support/engines/s3Server.ts'
import { chunksOf, listedNames, objectText } from '../../support/files/objects.ts'
import { setS3Credential } from '../../support/files/s3Credential.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

const RUNBOOK = new URL('../../../docs/runbook.md', import.meta.url)
const MIB = 1024 * 1024
const CABLE = { accessKeyId: 'cable', secretAccessKey: 'cable-secret' }

const program = await findS3Server()
const described = program === undefined ? describe.skip : describe
let s3: S3Server
let folder: TemporaryFolder
let objects: OpenStorage
/** The prefix of `objects` in the bucket `stores`. */
let prefix: string
const opened: OpenStorage[] = []

beforeAll(async () => {
  if (program === undefined) return
  s3 = await startS3Server(program)
  for (const bucket of ['stores', 'marketplace']) await s3.createBucket(bucket)
  for (const user of [CABLE, { accessKeyId: 'service', secretAccessKey: 'service-secret' }]) await s3.addUser(user)
})
afterAll(async () => {
  if (program !== undefined) await s3.remove()
})
beforeEach(async () => {
  setS3Credential()
  folder = await temporaryFolder()
  prefix = basename(folder.path)
  if (program !== undefined) objects = open(s3.url(`stores/${prefix}`))
})
afterEach(async () => {
  for (const store of opened.splice(0)) store.close()
  await folder.remove()
})

function open(url: string): OpenStorage {
  const location = parseStorageUrl(url)
  if (location === undefined) throw new Error(`${url} is not the URL of a store`)
  const store = openObjectStorage(location, join(folder.path, 'incoming'))
  opened.push(store)
  return store
}
async function* random(mib: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < mib * 16; sent += 1) yield randomBytes(MIB / 16)
}
const waiting = () => readdir(join(folder.path, 'incoming'))

described('a bucket that others write to', () => {
  it('shows only keys that are object names', async () => {
    const owner = s3.client()
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
    for (const key of odd) await owner.send(new PutObjectCommand({ Bucket: 'stores', Key: `${prefix}/${key}`, Body: 'x' }))
    await owner.send(new PutObjectCommand({ Bucket: 'stores', Key: `${prefix}/cable/folder/`, Body: '', ContentLength: 0 }))
    await owner.send(new PutObjectCommand({ Bucket: 'stores', Key: `${prefix}-other/a.csv`, Body: 'x' }))
    await objects.put('cable/d1/a.csv', chunksOf('x'))
    expect(await listedNames(objects, '')).toEqual(['cable/d1/a.csv'])
    expect(await listedNames(objects, 'cable/')).toEqual(['cable/d1/a.csv'])
    owner.destroy()
  })

  it('is listed past the thousand of one page, and deleted so', async () => {
    const names = Array.from({ length: 2_500 }, (_, n) => `cable/d${String(n).padStart(4, '0')}/a.csv`)
    for (const name of names) await s3.plant(`stores/${prefix}/${name}`)
    expect(await listedNames(objects, 'cable/')).toEqual(names)
    await objects.put('cabled/a.csv', chunksOf('x'))
    await objects.delete('cable')
    expect(await listedNames(objects, '')).toEqual(['cabled/a.csv'])
  })
})

described('the bytes of an object', () => {
  it('are stored with their sha256, which the store has checked', async () => {
    await objects.put('a', chunksOf('one ', 'two'))
    const client = s3.client()
    const { Checksum } = await client.send(
      new GetObjectAttributesCommand({ Bucket: 'stores', Key: `${prefix}/a`, ObjectAttributes: ['Checksum'] }),
    )
    expect(Checksum?.ChecksumSHA256).toBe(createHash('sha256').update('one two').digest('base64'))
    client.destroy()
  })

  it('are an error to read once they were changed behind the store', async () => {
    await objects.put('a', chunksOf('whole'))
    await s3.plant(`stores/${prefix}/a`, 'wrong')
    await expect(objectText(objects, 'a')).rejects.toMatchObject({ name: 'StorageFault' })
  })

  it('go through neither way in memory', async () => {
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 5)
    await objects.put('a', random(96))
    let read = 0
    for await (const chunk of (await objects.get('a')) ?? []) read += (chunk as Uint8Array).length
    clearInterval(timer)
    expect(read).toBe(96 * MIB)
    expect(most).toBeLessThan(48 * MIB)
    expect(await waiting()).toEqual([])
  }, 60_000)

  it('may be left unread, any number of times', async () => {
    await objects.put('a', random(2))
    for (let n = 0; n < 120; n += 1) {
      const stream = await objects.get('a')
      if (n % 2 === 0) stream?.destroy()
      else for await (const _ of stream ?? []) break
    }
    expect((await buffer((await objects.get('a')) as Readable)).length).toBe(2 * MIB)
  }, 30_000)
})

described('a connection that is cut', () => {
  let proxy: CuttableProxy
  let cut: OpenStorage
  beforeEach(async () => {
    proxy = await startCuttableProxy(s3.endpoint)
    cut = open(s3.url(`stores/${prefix}`).replace(s3.endpoint, proxy.url))
  })
  afterEach(() => proxy.close())

  it('during a put is tried again', async () => {
    proxy.cutAfter({ up: MIB }, 2)
    await cut.put('a', random(3))
    expect(proxy.connections()).toBe(3)
    expect(await objects.stat('a')).toMatchObject({ size: 3 * MIB })
  })

  it('during every attempt of a put leaves nothing, and what was there before', async () => {
    await objects.put('a', chunksOf('whole'))
    proxy.cutAfter({ up: MIB })
    for (const name of ['a', 'b']) await expect(cut.put(name, random(3))).rejects.toMatchObject({ reason: 'unreachable' })
    await sleep(200) // for what the server may still do with the half that it has
    expect(await objectText(objects, 'a')).toBe('whole')
    expect(await listedNames(objects, '')).toEqual(['a'])
    expect(await waiting()).toEqual([])
  })

  it('during a get is an error, never a short object', async () => {
    await objects.put('a', random(3))
    proxy.cutAfter({ down: MIB })
    const stream = (await cut.get('a')) as Readable
    await expect(buffer(stream)).rejects.toMatchObject({ name: 'StorageFault', reason: 'unreachable' })
  })

  it('before the reader has started waits for it as an error', async () => {
    await objects.put('a', random(3))
    proxy.cutAfter({ down: MIB / 2 })
    const stream = (await cut.get('a')) as Readable
    await sleep(100)
    await expect(buffer(stream)).rejects.toMatchObject({ reason: 'unreachable' })
  })

  it('before any other answer is tried again', async () => {
    await objects.put('a', chunksOf('x'))
    for (const ask of [() => cut.stat('a'), () => listedNames(cut, ''), () => cut.delete('a')]) {
      proxy.cutAfter({ up: 1 }, 2)
      await ask()
    }
    expect(await objects.exists('a')).toBe(false)
  })
})

described('a store that is away', () => {
  it('is unreachable for every call, and takes the next one when it is back', async () => {
    await objects.put('a', chunksOf('x'))
    await s3.kill()
    try {
      const calls = [
        () => objects.put('a', chunksOf('y')),
        () => objects.get('a'),
        () => objects.stat('a'),
        () => objects.exists('a'),
        () => listedNames(objects, ''),
        () => objects.delete('a'),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject({ name: 'StorageFault', reason: 'unreachable' })
    } finally {
      await s3.start()
    }
    expect(await objectText(objects, 'a')).toBe('x')
    await objects.put('a', chunksOf('y'))
    expect(await objectText(objects, 'a')).toBe('y')
  })

  it('whose source breaks is not asked at all', async () => {
    await s3.kill()
    try {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('half')
        throw new Error('the source broke')
      }
      await expect(objects.put('a', broken())).rejects.toThrow('the source broke')
      expect(await waiting()).toEqual([])
    } finally {
      await s3.start()
    }
  })
})

described('a start', () => {
  const refusal = async (url: string) => {
    const warnings: string[] = []
    const fault = await checkStorage(open(url), 'DROPS_URL', (sentence) => warnings.push(sentence)).catch((error: Error) => error)
    return fault === undefined ? { warnings } : `${fault.name}: ${fault.message}`
  }

  it('goes on where bucket, region and credential are right', async () => {
    expect(await refusal(s3.url('stores/a'))).toEqual({ warnings: [] })
  })

  it('names a bucket that does not exist', async () => {
    expect(await refusal(s3.url('none'))).toBe(
      'ConfigFault: The bucket of DROPS_URL does not exist (NoSuchBucket); create it, or correct DROPS_URL.',
    )
  })

  it('names the region of the bucket', async () => {
    expect(await refusal(s3.url('stores').replace('eu-west-1', 'us-east-2'))).toBe(
      'ConfigFault: The bucket of DROPS_URL is in another region (eu-west-1); correct region in DROPS_URL.',
    )
    expect(await refusal(s3.url('stores').replace('region=eu-west-1&', ''))).toBe(
      'ConfigFault: DROPS_URL must name a region, such as region=eu-west-1, or AWS_REGION must be set.',
    )
  })

  it.each([
    ['an unknown key', { accessKeyId: 'nobody', secretAccessKey: 'x' }, 'InvalidAccessKeyId'],
    ['a wrong secret', { accessKeyId: 'owner', secretAccessKey: 'x' }, 'SignatureDoesNotMatch'],
  ])('does not go on with %s', async (_, user, word) => {
    setS3Credential(user)
    expect(await refusal(s3.url('stores'))).toBe(
      `ConfigFault: The file store of DROPS_URL does not accept the credential (${word}); correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of this process.`,
    )
  })

  it('does not go on without a credential, or with one that has no right', async () => {
    setS3Credential('none')
    expect(await refusal(s3.url('stores'))).toBe(
      'ConfigFault: No credential for the file store of DROPS_URL was found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this process a role.',
    )
    setS3Credential(CABLE)
    expect(await refusal(s3.url('stores'))).toBe(
      'ConfigFault: The file store of DROPS_URL refuses the service (AccessDenied); give its credential the rights that "File stores" in docs/runbook.md lists.',
    )
  })

  it('goes on with a warning where nobody answers', async () => {
    const nowhere = s3.url('stores').replace(s3.endpoint, `http://127.0.0.1:${await freePort()}`)
    expect(await refusal(nowhere)).toEqual({ warnings: [expect.stringMatching(/^The file store of DROPS_URL does not answer \(/)] })
  })

  it('does not go on with a directory that cannot be made', async () => {
    await writeFile(join(folder.path, 'file'), '')
    expect(await refusal(`file://${folder.path}/file/drops`)).toBe(
      'ConfigFault: The directory of DROPS_URL cannot be used (ENOTDIR); let this process read and write it, or correct DROPS_URL.',
    )
  })
})

described('the bucket policy of the runbook', () => {
  beforeAll(async () => {
    if (program === undefined) return
    const [, policy = ''] = /```json\n(\{\n {2}"Version"[\s\S]*?\n)```/.exec(await readFile(RUNBOOK, 'utf8')) ?? []
    const client = s3.client()
    // This server knows its users by their bare names.
    const Policy = policy.replaceAll(/arn:aws:iam::\d+:(user|role)\//g, '')
    await client.send(new PutBucketPolicyCommand({ Bucket: 'marketplace', Policy }))
    client.destroy()
  })

  it('gives the service all that it does', async () => {
    setS3Credential({ accessKeyId: 'service', secretAccessKey: 'service-secret' })
    const drops = open(s3.url('marketplace/drops'))
    await drops.check()
    await drops.put('cable/d1/a.csv', chunksOf('x'))
    await drops.put('station/d1/a.csv', chunksOf('y'))
    expect(await objectText(drops, 'cable/d1/a.csv')).toBe('x')
    expect(await drops.stat('cable/d2/a.csv')).toBeUndefined()
    expect(await listedNames(drops, '')).toEqual(['cable/d1/a.csv', 'station/d1/a.csv'])
    await drops.delete('cable/d1')
    expect(await listedNames(drops, '')).toEqual(['station/d1/a.csv'])
  })

  it('keeps a seller below its own prefix', async () => {
    setS3Credential(CABLE)
    const own = open(s3.url('marketplace/drops/cable'))
    await own.check()
    await own.put('d1/a.csv', chunksOf('mine'))
    expect(await objectText(own, 'd1/a.csv')).toBe('mine')
    expect(await listedNames(own, 'd1/')).toEqual(['d1/a.csv'])
    for (const foreign of ['marketplace/drops/station', 'marketplace/drops/cable2', 'marketplace/drops', 'marketplace/objects', 'stores']) {
      const other = open(s3.url(foreign))
      const refused = { reason: 'refused', word: 'AccessDenied' }
      await expect(other.put('d1/a.csv', chunksOf('forged'))).rejects.toMatchObject(refused)
      await expect(other.get('d1/a.csv')).rejects.toMatchObject(refused)
      await expect(listedNames(other, '')).rejects.toMatchObject(refused)
    }
    const client = s3.client(CABLE)
    const sideways = new PutObjectCommand({ Bucket: 'marketplace', Key: 'drops/cable/../station/d1/a.csv', Body: 'forged' })
    await expect(client.send(sideways)).rejects.toMatchObject({ name: 'AccessDenied' })
    client.destroy()
  })
})
