import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListObjectsV2CommandInput, PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import type { OpenStorage, StoredObject } from '../objectStorage.ts'
import { incomingFiles } from './incomingFiles.ts'
import type { S3Location } from './location.ts'
import { isSegment, prefixSegments, segmentsOf } from './names.ts'
import { StorageFault, storageFault } from './storageFault.ts'

/**
 * Stores objects in a bucket, with the credential that the environment gives (the default chain of the AWS SDK). Every failure is a StorageFault.
 * What is put waits in `scratch` until all of its bytes have come and their hash is known, so a put is one request that the store checks.
 */
export function s3Storage(location: S3Location, scratch: string): OpenStorage {
  const { bucket: Bucket, prefix: base } = location
  const incoming = incomingFiles(scratch, { durable: false })
  let opened: Promise<Sdk> | undefined
  const open = () => {
    opened ??= openSdk(location)
    return opened
  }
  /** Undefined if the store says that there is no such object. */
  const send = async <T>(command: (sdk: Sdk) => Promise<T>): Promise<T | undefined> => {
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

  const page = async (
    asked: Pick<ListObjectsV2CommandInput, 'Prefix' | 'ContinuationToken' | 'MaxKeys'>,
    options?: { abortSignal: AbortSignal },
  ) => {
    const command = (sdk: Sdk) => new sdk.ListObjectsV2Command({ Bucket, EncodingType: 'url', ...asked })
    const listed = await send((sdk) => sdk.client.send(command(sdk), options))
    if (listed === undefined) throw new StorageFault('bucket', 'NotFound')
    return listed
  }
  async function* list(prefix: string): AsyncGenerator<StoredObject> {
    const below = prefixSegments(prefix).map((segment) => `${segment}/`)
    for (let token: string | undefined, more = true; more; ) {
      const listed = await page({ Prefix: `${base}${below.join('')}`, ContinuationToken: token })
      for (const { Key = '', Size, ...about } of listed.Contents ?? []) {
        const name = nameOf(listed.EncodingType === 'url' ? decoded(Key) : Key, base)
        if (name !== undefined) yield storedObject(name, Size, about)
      }
      token = listed.NextContinuationToken
      more = listed.IsTruncated === true && token !== undefined
    }
  }
  const remove = async (names: string[]) => {
    if (names.length === 0) return
    const Objects = names.map((name) => ({ Key: keyOf(name) }))
    const input = { Bucket, Delete: { Objects, Quiet: true } }
    const reply = await send(({ client, DeleteObjectsCommand }) => client.send(new DeleteObjectsCommand(input)))
    const fault = reply?.Errors?.[0]
    if (fault !== undefined) throw storageFault({ name: fault.Code, message: fault.Message ?? '', $metadata: { httpStatusCode: 403 } })
  }

  return {
    async put(name, bytes) {
      const Key = keyOf(name)
      const hash = createHash('sha256')
      let ContentLength = 0
      async function* measured(): AsyncGenerator<Uint8Array> {
        for await (const chunk of bytes) {
          hash.update(chunk)
          ContentLength += chunk.length
          yield chunk
        }
      }
      await incoming.receive(measured(), async (path) => {
        const input = { Bucket, Key, ContentLength, ChecksumSHA256: hash.digest('base64') }
        await putFile(await open(), path, input)
      })
    },
    async get(name) {
      const Key = keyOf(name)
      const found = await send(({ client, GetObjectCommand }) => client.send(new GetObjectCommand({ Bucket, Key })))
      return found && withFaults(found.Body as Readable)
    },
    exists: async (name) => (await stat(name)) !== undefined,
    stat,
    list,
    async delete(name) {
      const batch = [name]
      for await (const { name: below } of list(`${segmentsOf(name).join('/')}/`)) {
        batch.push(below)
        if (batch.length === MOST_DELETED) await remove(batch.splice(0))
      }
      await remove(batch)
    },
    async check() {
      await page({ Prefix: base, MaxKeys: 1 }, { abortSignal: AbortSignal.timeout(CHECK_MS) })
    },
    close: () => void opened?.then(({ client }) => client.destroy()),
  }
}

type Sdk = typeof import('@aws-sdk/client-s3') & { readonly client: S3Client }

/** The SDK is 23 MB of code: a service that keeps its files in directories never loads it. */
async function openSdk({ region, endpoint, pathStyle }: S3Location): Promise<Sdk> {
  // It warns of versions of Node that later versions of the SDK will not run on; the pinned one runs on all that we do.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: SILENCE_MS, throwOnRequestTimeout: true, socketTimeout: SILENCE_MS },
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore }, // what fails is thrown
  })
  return { ...sdk, client }
}

const ignore = () => undefined
const ATTEMPTS = 3
/** Of a reply that has not begun, and of a connection with bytes under way. */
const SILENCE_MS = 15_000
/** A start does not wait longer for a store that does not answer. */
const CHECK_MS = 10_000
/** Of one request (DeleteObjects). */
const MOST_DELETED = 1_000

/** The SDK sends a stream once only, so each attempt opens the file again. It may take as long as bytes move. */
async function putFile({ client, PutObjectCommand }: Sdk, path: string, input: PutObjectCommandInput): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const unreadable = new AbortController()
    const Body = createReadStream(path).on('error', (error) => unreadable.abort(error))
    try {
      await client.send(new PutObjectCommand({ ...input, Body }), { abortSignal: unreadable.signal, requestTimeout: 0 })
      return
    } catch (error) {
      unreadable.signal.throwIfAborted()
      const fault = storageFault(error)
      if (fault.reason !== 'unreachable' || attempt === ATTEMPTS) throw fault
      await sleep(2 ** attempt * 100 * (0.5 + Math.random()))
    } finally {
      Body.destroy()
    }
  }
}

/** The bytes of a reply. A reader that stops early frees the connection. An error that comes before it has started waits for it. */
function withFaults(body: Readable): Readable {
  const bytes = new PassThrough().on('error', ignore)
  body.on('error', (error) => bytes.destroy(storageFault(error)))
  bytes.on('close', () => body.destroy())
  return body.pipe(bytes)
}

/** Undefined if the key is not that of an object: others may write to the bucket. */
function nameOf(key: string | undefined, base: string): string | undefined {
  if (key === undefined || !key.startsWith(base)) return undefined
  const name = key.slice(base.length)
  return name.split('/').every(isSegment) ? name : undefined
}

/** Undefined if the key is not UTF-8. */
function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

type Described = { ETag?: string | undefined; LastModified?: Date | undefined }

/** A listing may know milliseconds where a look at one object knows seconds. */
function storedObject(name: string, size = 0, { ETag = '', LastModified }: Described): StoredObject {
  return { name, size, modifiedAt: Math.floor((LastModified?.getTime() ?? 0) / 1_000) * 1_000, tag: ETag }
}
