import type { ManifestFile } from '../../contract/drop.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import { BYTES_PER_DROP, BYTES_PER_DROP_FILE, BYTES_PER_XLSX, type DropFormat } from '../../contract/vocabulary/drops.ts'
import { invalid } from '../refusal.ts'

export interface NamedFile extends Pick<ManifestFile, 'filename' | 'sha256'> {
  readonly format: DropFormat
}

/** Returns the faults of landed files before they are read: one is missing or too large (contract, File drops). `names` are existing files. */
export function landedFaults(
  files: readonly NamedFile[],
  landed: readonly ({ readonly size: number } | undefined)[],
  names: readonly string[],
): Fault[] {
  const faults = files.flatMap((file, index) => {
    const field = `files.${index}.filename`
    const size = landed[index]?.size
    if (size === undefined) return [missing(field, file.filename, names)]
    const max = bytesAllowed(file.format)
    return size > max ? [invalid(field, `${field} must name a file of at most ${max} bytes; ${file.filename} has ${size}.`)] : []
  })
  const total = landed.reduce((sum, file) => sum + (file?.size ?? 0), 0)
  if (total > BYTES_PER_DROP) faults.push(invalid('files', `files must have at most ${BYTES_PER_DROP} bytes in all; they have ${total}.`))
  return faults
}

/** Returns the faults of files whose bytes differ from those that the manifest names. */
export function hashFaults(files: readonly NamedFile[], hashes: readonly string[]): Fault[] {
  return files.flatMap(({ filename, sha256 }, index) => {
    const field = `files.${index}.sha256`
    return hashes[index] === sha256
      ? []
      : [invalid(field, `${field} must be the SHA-256 of ${filename}, which is ${hashes[index]}; ${sha256} was sent.`)]
  })
}

/** The most bytes of a file. */
export function bytesAllowed(format: DropFormat | undefined): number {
  return format === 'xlsx' ? BYTES_PER_XLSX : BYTES_PER_DROP_FILE
}

function missing(field: string, filename: string, names: readonly string[]): Fault {
  const other = names.find((name) => name.toLowerCase() === filename.toLowerCase())
  const there = other === undefined ? 'has no such file' : `has ${other}, in another case`
  return invalid(field, `${field} must name a file of the drop; ${filename} was sent, and the drop ${there}.`)
}
