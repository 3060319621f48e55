import { createHash } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import type { ListObjectsV2CommandInput } from '@aws-sdk/client-s3'
import type { S3Location } from '../../../config/location.ts'
import { isFolderName, isObjectName, prefixSegments, segmentsOf } from '../../../config/objectNames.ts'
import { incomingFiles } from './incomingFiles.ts'
import { openSdk, putFile, type Sdk } from './s3Sdk.ts'
import type { OpenStorage, StoredObject } from './storage.ts'
import { StorageFault, storageFault } from './storageFault.ts'

/**
 * Stores objects in a bucket, with the credential from the environment (the default chain of the AWS SDK). Every failure is a StorageFault.
 * Incoming bytes wait in `scratch` until all have come and their hash is known, so a put is one request that the store checks.
 */
export function s3Storage(location: S3Location, scratch: string): OpenStorage {
  const { bucket: Bucket, prefix: base } = location
  const incoming = incomingFiles(scratch, { durable: false })
  let opened: Promise<Sdk> | undefined
  const open = () => {
    opened ??= openSdk(location)
    return opened
  }
  const send: Send = async <T>(command: (sdk: Sdk) => Promise<T>): Promise<T | undefined> => {
    try {
      return await command(await open())
    } catch (error) {
      if (['NoSuchKey', 'NotFound'].includes((error as Error).name)) return undefined
      throw storageFault(error)
    }
  }
  const keyOf = (name: string) => `${base}${segmentsOf(name).join('/')}`
  const stat = async (name: string) => {
    const Key = keyOf(name)
    const head = await send(({ client, HeadObjectCommand }) => client.send(new HeadObjectCommand({ Bucket, Key })))
    return head && storedObject(name, head.ContentLength, head)
  }
  return {
    async put(name, bytes) {
      const Key = keyOf(name)
      const { passed, sum } = measured(bytes)
      await incoming.receive(passed, async (path) => putFile(await open(), path, { Bucket, Key, ...sum() }))
    },
    async get(name) {
      const Key = keyOf(name)
      const found = await send(({ client, GetObjectCommand }) => client.send(new GetObjectCommand({ Bucket, Key })))
      return found && withFaults(found.Body as Readable)
    },
    exists: async (name) => (await stat(name)) !== undefined,
    stat,
    list: (prefix) => listObjects(send, location, prefix),
    async delete(name) {
      const keys = [keyOf(name)]
      const folder = segmentsOf(name).every(isFolderName) ? `${name}/` : undefined
      for await (const { name: below } of folder === undefined ? [] : listObjects(send, location, folder)) {
        keys.push(keyOf(below))
        if (keys.length === MAX_DELETED) await deleteKeys(send, Bucket, keys.splice(0))
      }
      await deleteKeys(send, Bucket, keys)
    },
    async check() {
      await listPage(send, { Bucket, Prefix: base, MaxKeys: 1 }, { abortSignal: AbortSignal.timeout(CHECK_MS) })
    },
    // An endpoint may have several names.
    identity: async () => `s3://${Bucket}/${base}`,
    close: () => void opened?.then(({ client }) => client.destroy()),
  }
}

/** The longest that a start waits for a store that does not answer. */
const CHECK_MS = 10_000
/** The most objects that one request can delete (DeleteObjects). */
const MAX_DELETED = 1_000

/** Sends a command. Undefined if the store says that there is no such object. */
type Send = <T>(command: (sdk: Sdk) => Promise<T>) => Promise<T | undefined>

/** Counts and hashes bytes while they are read. `sum` returns their length and checksum, as a put names them, once all have been read. */
function measured(bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let ContentLength = 0
  async function* passed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      hash.update(chunk)
      ContentLength += chunk.length
      yield chunk
    }
  }
  return { passed: passed(), sum: () => ({ ContentLength, ChecksumSHA256: hash.digest('base64') }) }
}

async function* listObjects(send: Send, { bucket: Bucket, prefix: base }: S3Location, prefix: string): AsyncGenerator<StoredObject> {
  const below = prefixSegments(prefix).map((segment) => `${segment}/`)
  for (let token: string | undefined, more = true; more; ) {
    const listed = await listPage(send, { Bucket, Prefix: `${base}${below.join('')}`, ContinuationToken: token })
    for (const { Key = '', Size, ...about } of listed.Contents ?? []) {
      const name = nameOf(listed.EncodingType === 'url' ? decoded(Key) : Key, base)
      if (name !== undefined) yield storedObject(name, Size, about)
    }
    token = listed.NextContinuationToken
    more = listed.IsTruncated === true && token !== undefined
  }
}

async function listPage(send: Send, input: ListObjectsV2CommandInput, options?: { abortSignal: AbortSignal }) {
  const listed = await send(({ client, ListObjectsV2Command }) =>
    client.send(new ListObjectsV2Command({ EncodingType: 'url', ...input }), options),
  )
  if (listed === undefined) throw new StorageFault('bucket', 'NotFound')
  return listed
}

async function deleteKeys(send: Send, Bucket: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const input = { Bucket, Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true } }
  const reply = await send(({ client, DeleteObjectsCommand }) => client.send(new DeleteObjectsCommand(input)))
  const fault = reply?.Errors?.[0]
  if (fault !== undefined) throw storageFault({ name: fault.Code, message: fault.Message ?? '', $metadata: { httpStatusCode: 403 } })
}

/** Returns the bytes of a reply. A reader that stops early frees the connection. An error before the reader has started is kept for it. */
function withFaults(body: Readable): Readable {
  const bytes = new PassThrough().on('error', () => undefined)
  body.on('error', (error) => bytes.destroy(storageFault(error)))
  bytes.on('close', () => body.destroy())
  return body.pipe(bytes)
}

/** Returns the name of an object's key; undefined for other keys, since others may write to the bucket. */
function nameOf(key: string | undefined, base: string): string | undefined {
  if (key === undefined || !key.startsWith(base)) return undefined
  const name = key.slice(base.length)
  return isObjectName(name) ? name : undefined
}

/** Decodes a key; undefined if it is not UTF-8. */
function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

type Described = { ETag?: string | undefined; LastModified?: Date | undefined }

/** Describes an object with its time in whole seconds: a listing may know milliseconds where a look at one object knows only seconds. */
function storedObject(name: string, size = 0, { ETag = '', LastModified }: Described): StoredObject {
  return { name, size, modifiedAt: Math.floor((LastModified?.getTime() ?? 0) / 1_000) * 1_000, tag: ETag }
}
