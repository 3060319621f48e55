import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import type { S3Location } from './location.ts'
import { storageFault } from './storageFault.ts'

/** The AWS SDK, and its client of one store. */
export type Sdk = typeof import('@aws-sdk/client-s3') & { readonly client: S3Client }

/** The SDK is 23 MB of code: a service that keeps its files in directories never loads it. */
export async function openSdk({ region, endpoint, pathStyle }: S3Location): Promise<Sdk> {
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

/** The SDK sends a stream once only, so each attempt opens the file again. It may take as long as bytes move. */
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
