import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import type { S3Location } from '../../../config/location.ts'
import { storageFault } from './storageFault.ts'

/** The AWS SDK, and its client for one store. */
export type Sdk = typeof import('@aws-sdk/client-s3') & { readonly client: S3Client }

/** Loads the SDK on demand, since it is 23 MB of code: a service that keeps its files in directories never loads it. */
export async function openSdk({ region, endpoint, pathStyle }: S3Location): Promise<Sdk> {
  // The SDK warns about versions of Node that its later versions will not support; the pinned version runs on all that we support.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: SILENCE_MS, throwOnRequestTimeout: true, socketTimeout: SILENCE_MS },
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore }, // failures are thrown instead
  })
  return { ...sdk, client }
}

const ignore = () => undefined
const ATTEMPTS = 3
/** The longest silence before a reply begins, and on a connection that is transferring bytes. */
const SILENCE_MS = 15_000

/** Puts a file. The SDK sends a stream only once, so each attempt opens the file again. An attempt may take as long as bytes move. */
export async function putFile({ client, PutObjectCommand }: Sdk, path: string, input: PutObjectCommandInput): Promise<void> {
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
