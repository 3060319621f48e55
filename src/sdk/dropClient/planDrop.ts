import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Manifest } from '../../contract/drop.ts'
import { faultsOf } from '../../contract/errorEnvelope.ts'
import { formatOf } from '../../contract/vocabulary/dropFormats.ts'
import { DROP_SCHEMA_VERSION, type DropFileType, MANIFEST_FILE, SERVICE_FILES } from '../../contract/vocabulary/drops.ts'
import { DropFault } from './dropFault.ts'

/** A folder as a drop: its manifest and the path of each file. */
export interface PlannedDrop {
  readonly manifest: Manifest
  readonly paths: ReadonlyMap<string, string>
  /** Names in the folder that are not part of the drop. */
  readonly leftOut: readonly string[]
}

/** The words in a file name that indicate its type. */
const TYPE_WORDS: readonly (readonly [RegExp, DropFileType])[] = [
  [/catalog|products?/, 'catalog'],
  [/rate[-_. ]?cards?|rates/, 'rate_cards'],
  [/avails?/, 'avails'],
  [/delivery[-_. ]?posts?|as[-_. ]?run|invoices?|posts/, 'delivery_posts'],
]

/**
 * Plans the drop of a folder. Its manifest.json, if any, names the files and need not have the hashes, which are computed here. Otherwise
 * each file's name gives its type and its extension the format. The drop_id is the folder's name with a hash of its contents: the same
 * files are the same drop, and changed ones a new one. Throws a DropFault with one sentence.
 */
export async function planDrop(folder: string, options: { dropId?: string | undefined; reprocess?: boolean } = {}): Promise<PlannedDrop> {
  const names = await namesIn(folder)
  const stated = names.includes(MANIFEST_FILE) ? await readManifest(join(folder, MANIFEST_FILE)) : undefined
  const listed = stated?.files ?? filesByName(names)
  const files: Record<string, unknown>[] = []
  for (const { sha256, ...file } of listed) {
    if (typeof file.filename !== 'string' || !names.includes(file.filename))
      throw new DropFault(`${MANIFEST_FILE} lists ${JSON.stringify(file.filename)}, which is not in ${folder}.`)
    const computed = await sha256Of(join(folder, file.filename))
    if (sha256 !== undefined && String(sha256).toLowerCase() !== computed)
      throw new DropFault(`${file.filename} has the sha256 ${computed}; ${MANIFEST_FILE} says ${sha256}.`)
    files.push({ ...file, sha256: computed })
  }
  if (files.length === 0) throw new DropFault(`${folder} has no file whose name tells what it is. ${HOW_TO_NAME}`)
  const manifest = checked({
    schema_version: DROP_SCHEMA_VERSION,
    drop_id: idOf(folder, files),
    ...stated,
    ...(options.dropId === undefined ? {} : { drop_id: options.dropId }),
    ...(options.reprocess === true ? { reprocess: true } : {}),
    files,
  })
  const paths = new Map(manifest.files.map(({ filename }) => [filename, join(folder, filename)]))
  return { manifest, paths, leftOut: names.filter((name) => !paths.has(name) && !NO_DATA.has(name)) }
}

const HOW_TO_NAME = 'Put catalog, rate_cards, avails or delivery_posts into each name, as in rate_cards-2027.csv, or write a manifest.json.'
const NO_DATA: ReadonlySet<string> = new Set([MANIFEST_FILE, ...SERVICE_FILES])

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isFile() && !entry.name.startsWith('.') ? [entry.name] : [])).sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new DropFault(`There is no folder ${folder}.`)
    if (code === 'ENOTDIR') throw new DropFault(`${folder} is a file; name the folder that holds the files of the drop.`)
    throw new DropFault(`${folder} cannot be read (${code ?? 'unknown reason'}).`)
  }
}

/** The manifest as it was written; the schema checks it once the hashes are filled in. */
interface StatedManifest {
  files: Record<string, unknown>[]
}

async function readManifest(path: string): Promise<StatedManifest> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new DropFault(`${path} is not JSON: ${(error as Error).message}.`)
  }
  const { files } = (value ?? {}) as { files?: unknown }
  if (!Array.isArray(files) || !files.every((file) => typeof file === 'object' && file !== null))
    throw new DropFault(`${path} must have files[], with filename and type of each.`)
  return value as StatedManifest
}

function filesByName(names: readonly string[]): Record<string, unknown>[] {
  return names.flatMap((filename) => {
    const type = typeOf(filename)
    return type === undefined || formatOf({ filename, type }) === undefined ? [] : [{ filename, type }]
  })
}

/** Returns the type that a file name indicates; undefined if it indicates none or several. */
export function typeOf(filename: string): DropFileType | undefined {
  if (NO_DATA.has(filename)) return undefined
  const found = TYPE_WORDS.filter(([words]) => words.test(filename.toLowerCase()))
  return found.length === 1 ? found[0]?.[1] : undefined
}

function checked(manifest: object): Manifest {
  const result = Manifest.safeParse(manifest)
  if (result.success) return result.data
  const [fault] = faultsOf(Manifest, result.error.issues, manifest)
  throw new DropFault(`The manifest is refused: ${fault?.message ?? 'it has another shape'}`)
}

function idOf(folder: string, files: readonly Record<string, unknown>[]): string {
  const name = basename(resolve(folder))
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
  const hash = createHash('sha256')
  for (const sha256 of files.map((file) => String(file.sha256)).sort()) hash.update(sha256)
  return `${name.slice(0, 100) || 'drop'}-${hash.digest('hex').slice(0, 8)}`
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
