import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prefixSegments } from './objectNames.ts'

/** The place of objects: a directory of this machine, or the keys of a bucket below a prefix, which is empty or ends in a slash. */
export type StorageLocation = { readonly kind: 'directory'; readonly path: string } | S3Location

export interface S3Location {
  readonly kind: 's3'
  readonly bucket: string
  readonly prefix: string
  /** Undefined means the region that the environment or the profile names. */
  readonly region: string | undefined
  /** Undefined means the endpoint of AWS. */
  readonly endpoint: string | undefined
  /** Whether the bucket is the first segment of the path instead of a part of the host. */
  readonly pathStyle: boolean
}

export const STORAGE_URL_FORM = 's3://bucket/prefix?region=eu-west-1&endpoint=https://host:9000&path_style=true or file:///directory'

/** Reads a URL of STORAGE_URL_FORM; prefix and parameters are optional. Undefined if it has another form. */
export function parseStorageUrl(text: string): StorageLocation | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '') return undefined
  if (url.protocol === 'file:') return parseDirectory(url)
  return url.protocol === 's3:' ? parseBucket(url) : undefined
}

/** Returns whether an object of one location can be an object of the other. */
export function overlaps(one: StorageLocation, other: StorageLocation): boolean {
  if (one.kind === 'directory' && other.kind === 'directory') return areNested(`${one.path}${sep}`, `${other.path}${sep}`)
  if (one.kind !== 's3' || other.kind !== 's3') return false
  return one.bucket === other.bucket && one.endpoint === other.endpoint && areNested(one.prefix, other.prefix)
}

function areNested(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}

function parseDirectory(url: URL): StorageLocation | undefined {
  if (url.host !== '' || url.search !== '') return undefined
  try {
    return { kind: 'directory', path: resolve(fileURLToPath(url)) }
  } catch {
    return undefined // an encoded slash
  }
}

const PARAMETERS = ['region', 'endpoint', 'path_style']

function parseBucket({ host: bucket, pathname, searchParams }: URL): S3Location | undefined {
  const given = [...searchParams.keys()]
  if (new Set(given).size < given.length || given.some((name) => !PARAMETERS.includes(name))) return undefined
  const [region, endpoint, pathStyle] = PARAMETERS.map((name) => searchParams.get(name) ?? undefined)
  const prefix = prefixOf(pathname)
  const isValid =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    (region === undefined || /^[a-z0-9-]{1,64}$/.test(region)) &&
    (endpoint === undefined || isEndpoint(endpoint)) &&
    (pathStyle === undefined || pathStyle === 'true' || pathStyle === 'false')
  if (!isValid || prefix === undefined) return undefined
  // Most stores other than AWS have no host name per bucket.
  return {
    kind: 's3',
    bucket,
    prefix,
    region,
    endpoint,
    pathStyle: pathStyle === undefined ? endpoint !== undefined : pathStyle === 'true',
  }
}

function prefixOf(pathname: string): string | undefined {
  const path = pathname.replace(/^\//, '').replace(/\/$/, '')
  const prefix = path === '' ? '' : `${path}/`
  try {
    prefixSegments(prefix)
    return prefix
  } catch {
    return undefined
  }
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && `${username}${password}${search}${hash}` === ''
}
