import { posix } from 'node:path'
import { DropFilename, DropId } from '../src/contract/drop.ts'
import { MANIFEST_FILE, SERVICE_FILES } from '../src/contract/vocabulary/drops.ts'
import { denied } from './fault.ts'

/** The place that a path names: a seller's folder, which is `/`, a drop in it, a file of a drop, or nothing. */
export type Place =
  | { readonly kind: 'root'; readonly path: string }
  | { readonly kind: 'drop'; readonly path: string; readonly drop: string }
  | { readonly kind: 'file'; readonly path: string; readonly drop: string; readonly filename: string }
  | { readonly kind: 'nowhere'; readonly path: string; readonly why: string }
export type FilePlace = Extract<Place, { kind: 'file' }>

/** Resolves a client's path. `..` never leads above `/`, and no part of the path is looked up, so no link is followed. */
export function placeOf(sent: string): Place {
  const path = posix.resolve('/', sent)
  const [drop, filename, ...deeper] = path.split('/').slice(1)
  if (drop === undefined || drop === '') return { kind: 'root', path }
  if (deeper.length > 0) return { kind: 'nowhere', path, why: 'A file must be directly in the folder of its drop: /{drop_id}/{filename}.' }
  const faults = [DropId.safeParse(drop), ...(filename === undefined ? [] : [DropFilename.safeParse(filename)])].flatMap(
    ({ error }) => error?.issues ?? [],
  )
  if (faults[0] !== undefined) return { kind: 'nowhere', path, why: `A name ${faults[0].message}.` }
  return filename === undefined ? { kind: 'drop', path, drop } : { kind: 'file', path, drop, filename }
}

/** Returns the place of a file that a seller may remove: any, results too, since programs that mirror a folder remove what they do not have. */
export function removableFile(sent: string): FilePlace {
  const place = placeOf(sent)
  if (place.kind === 'nowhere') throw denied(place.why)
  if (place.kind !== 'file') throw denied('A file must be in the folder of its drop: /{drop_id}/{filename}.')
  return place
}

/** Returns the place of a file that a seller may write, replace or rename. */
export function writableFile(sent: string): FilePlace {
  const place = removableFile(sent)
  if (RESERVED.has(place.filename.toLowerCase()))
    throw denied(`${place.filename} is the marketplace's to write: it says what came of a drop.`)
  if (place.filename !== MANIFEST_FILE && place.filename.toLowerCase() === MANIFEST_FILE)
    throw denied(`The manifest is ${MANIFEST_FILE}, in lower case.`)
  return place
}

const RESERVED: ReadonlySet<string> = new Set(SERVICE_FILES)
