import type { CompressionCodec, FileMetaData, SchemaElement } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { Unreadable } from '../unreadable.ts'

/** The decompressors by codec. A page without a value may have no bytes at all, which is no end of a stream that a codec knows (Spark writes it). */
export const COMPRESSORS = Object.fromEntries(
  Object.entries(compressors).map(([codec, inflate]) => [
    codec,
    (bytes: Uint8Array, length: number) => (length === 0 ? new Uint8Array(0) : inflate(bytes, length)),
  ]),
) as typeof compressors

/** Throws Unreadable with the reason and the column if one of these columns cannot be read. */
export function checkColumns({ row_groups, schema }: FileMetaData, names: readonly string[]): void {
  const leaves = leavesOf(schema)
  for (const { columns } of row_groups) {
    for (const [index, { meta_data, crypto_metadata, encrypted_column_metadata }] of columns.entries()) {
      const { column, element } = leaves[index] ?? {}
      if (column === undefined || element === undefined || !names.includes(column)) continue
      if (crypto_metadata !== undefined || encrypted_column_metadata !== undefined)
        throw new Unreadable(`its column ${column} is encrypted`)
      const codec = meta_data?.codec
      if (codec !== undefined && !isKnown(codec))
        throw new Unreadable(`its column ${column} is compressed with ${codec}, which is not supported; write it with snappy, gzip or zstd`)
      const type = element.converted_type ?? element.logical_type?.type
      if (type !== undefined && UNSUPPORTED.has(type))
        throw new Unreadable(`its column ${column} has the type ${type}, which is not supported`)
    }
  }
}

function isKnown(codec: CompressionCodec): boolean {
  return codec === 'UNCOMPRESSED' || Object.hasOwn(COMPRESSORS, codec)
}

/** The types of values that are neither texts, numbers, dates nor times. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['INTERVAL', 'BSON', 'GEOMETRY', 'GEOGRAPHY', 'VARIANT'])

/** Returns the columns that hold values, in their order, each with the column of the file that it belongs to. */
function leavesOf([root, ...elements]: readonly SchemaElement[]): { column: string; element: SchemaElement }[] {
  const leaves: { column: string; element: SchemaElement }[] = []
  let at = 0
  const walk = (column: string | undefined): void => {
    const element = elements[at]
    if (element === undefined) return
    at += 1
    const name = column ?? element.name
    const children = element.num_children ?? 0
    if (children === 0) leaves.push({ column: name, element })
    for (let child = 0; child < children && at < elements.length; child += 1) walk(name)
  }
  for (let child = 0; child < (root?.num_children ?? 0) && at < elements.length; child += 1) walk(undefined)
  return leaves
}
