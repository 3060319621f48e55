export type StorageReason =
  /** The store does not answer or is busy: the same call may well succeed a moment later. */
  | 'unreachable'
  | 'bucket'
  | 'region'
  | 'credential'
  | 'refused'
  | 'directory'
  /** The data directory, in which this machine notes which directories are stores, cannot be written. */
  | 'records'

const STORAGE_FAULT = 'STORAGE_FAULT'

/** A store of objects failed. The message repeats neither a URL nor a key. */
export class StorageFault extends Error {
  override name = 'StorageFault'
  /** Survives the transfer from one thread to another, which the class does not. */
  readonly code = STORAGE_FAULT
  readonly reason: StorageReason
  /** The store's own word for the failure; for the reason `region`, the region that it expects, if it names one. */
  readonly word: string
  constructor(reason: StorageReason, word: string, options?: ErrorOptions) {
    super(`The file store failed: ${reason} (${word})`, options)
    this.reason = reason
    this.word = word
  }
}

export function isStorageFault(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === STORAGE_FAULT
}

/** Converts an error of the S3 client to a fault. */
export function storageFault(error: unknown): StorageFault {
  if (error instanceof StorageFault) return error
  const { name, code, message, $metadata } = error as S3Error
  const status = $metadata?.httpStatusCode
  const word = [code, name].find((text) => text !== undefined && text !== 'Error') ?? (status === undefined ? 'no answer' : String(status))
  const is = (reason: StorageReason, what = word) => new StorageFault(reason, what, { cause: error })
  if (message === 'Region is missing') return is('region', 'missing')
  if (REGION.has(word)) return is('region', regionIn(error as S3Error) ?? word)
  if (CREDENTIAL.has(word)) return is('credential')
  if (BUCKET.has(word)) return is('bucket')
  if (status === undefined || status >= 500 || status === 429 || BUSY.has(word)) return is('unreachable')
  return is('refused')
}

/** Converts an error of the file system to a fault, and returns any other error unchanged. */
export function directoryFault(error: unknown): unknown {
  if (error instanceof StorageFault) return error
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === undefined || syscall === undefined ? error : new StorageFault('directory', code, { cause: error })
}

/** Returns whether the store has no room for more bytes. */
export function isFull(error: unknown): boolean {
  const { code, word } = error as { readonly code?: string; readonly word?: string }
  return [code, word].some((text) => text === 'ENOSPC' || text === 'EDQUOT')
}

/** Returns one sentence for the operator about the setting that named the store. */
export function storageSentence({ reason, word }: StorageFault, setting: string): string {
  switch (reason) {
    case 'unreachable':
      return `The file store of ${setting} does not answer (${word}); bring it back, or correct ${setting}.`
    case 'bucket':
      return `The bucket of ${setting} does not exist (${word}); create it, or correct ${setting}.`
    case 'region':
      return word === 'missing'
        ? `${setting} must name a region, such as region=eu-west-1, or AWS_REGION must be set.`
        : `The bucket of ${setting} is in another region (${word}); correct region in ${setting}.`
    case 'credential':
      return word === NO_CREDENTIAL
        ? `No credential for the file store of ${setting} was found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this process a role.`
        : `The file store of ${setting} does not accept the credential (${word}); correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of this process.`
    case 'refused':
      return `The file store of ${setting} refuses the service (${word}); give its credential the rights that docs/operate/file-stores.md lists.`
    case 'records':
      return `The directory of DATA_DIR cannot be written (${word}); let this process write it, or correct DATA_DIR. Stores without a URL are in it, and notes of all directories that are stores.`
    case 'directory':
      if (word === 'empty')
        return `The directory of ${setting} was a store and is empty now; mount its volume, or create a file .store in it to begin with an empty store.`
      return `The directory of ${setting} cannot be used (${word}); let this process read and write it, or correct ${setting}, or DATA_DIR where ${setting} is not set.`
  }
}

interface S3Error {
  readonly name?: string
  readonly code?: string
  readonly message: string
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly Region?: string
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> }
}

/** Returns the region that the store expects, if it names one. */
function regionIn({ Region, $response }: S3Error): string | undefined {
  return Region ?? $response?.headers?.['x-amz-bucket-region']
}

const NO_CREDENTIAL = 'CredentialsProviderError'
const CREDENTIAL = new Set([
  NO_CREDENTIAL,
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'TokenRefreshRequired',
])
const BUCKET = new Set(['NoSuchBucket', 'InvalidBucketName'])
const REGION = new Set(['AuthorizationHeaderMalformed', 'PermanentRedirect', 'TemporaryRedirect', 'IllegalLocationConstraintException'])
const BUSY = new Set(['SlowDown', 'RequestTimeout', 'OperationAborted', 'InternalError', 'ServiceUnavailable'])
