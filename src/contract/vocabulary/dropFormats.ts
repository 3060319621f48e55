import type { DropFileType, DropFormat } from './drops.ts'

export interface FormattedFile {
  readonly filename: string
  readonly type: DropFileType
  readonly format?: DropFormat | undefined
}

/** Returns the format of a file: the stated one, else by its extension, ignoring case. Undefined if the extension is unknown. */
export function formatOf({ filename, type, format }: FormattedFile): DropFormat | undefined {
  if (format !== undefined) return format
  const extension = /\.[^.]*$/.exec(filename)?.[0].toLowerCase()
  // Station invoice files have the extension .txt.
  if (extension === '.txt' && type === 'delivery_posts') return 'csv'
  return extension === undefined ? undefined : FORMAT_OF_EXTENSION[extension]
}

const FORMAT_OF_EXTENSION: Readonly<Record<string, DropFormat>> = {
  '.csv': 'csv',
  '.parquet': 'parquet',
  '.xlsx': 'xlsx',
  '.json': 'json',
  '.jsonl': 'json',
}
export const DROP_EXTENSIONS: readonly string[] = Object.keys(FORMAT_OF_EXTENSION)
