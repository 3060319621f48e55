import type { DropFileType, DropResult, DropSummary, Manifest } from '../../api/queries/drops.ts'
import { csvOf } from '../../ui/tables.ts'

/** Identifies a row by drop and time, since a drop that was registered several times is listed as often. */
export function rowKey({ drop_id, registered_at }: DropSummary): string {
  return `${drop_id} ${registered_at}`
}

export const FILE_TYPES: readonly { value: DropFileType; label: string }[] = [
  { value: 'catalog', label: 'Catalog' },
  { value: 'rate_cards', label: 'Rate cards' },
  { value: 'avails', label: 'Avails' },
  { value: 'delivery_posts', label: 'Delivery' },
]

export const MANIFEST_FILE = 'manifest.json'

/** Guesses the type of a file from its name. */
export function typeOf(name: string): DropFileType {
  const plain = name.toLowerCase()
  if (plain.includes('catalog') || plain.includes('product')) return 'catalog'
  if (plain.includes('rate') || plain.includes('card')) return 'rate_cards'
  return plain.includes('avail') ? 'avails' : 'delivery_posts'
}

/** The most bytes of a file's name in a drop (docs/sell/file-drops.md). */
const NAME_BYTES = 128

/** Returns the name under which a drop takes a file: its own, without what the API refuses. */
export function fittingName(name: string): string {
  const plain = name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}/\\\uFFFD]/gu, '_')
    .replace(/^[.\s]+/, '')
    .trimEnd()
  const dot = plain.lastIndexOf('.')
  const ending = dot < 0 ? '' : plain.slice(dot)
  let stem = [...(dot < 0 ? plain : plain.slice(0, dot))]
  while (bytesOf(stem.join('') + ending) > NAME_BYTES && stem.length > 1) stem = stem.slice(0, -1)
  return stem.join('').trimEnd() + ending
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

interface Sent {
  readonly filename: string
  readonly type: DropFileType
  readonly sha256: string
}

export function manifestOf(dropId: string, files: readonly Sent[], start: string, end: string): Manifest {
  return { schema_version: '1.0', drop_id: dropId, ...(start && end && { effective: { start, end } }), files: [...files] }
}

/** Writes the rejected rows as CSV, so that they can be corrected in a spreadsheet. */
export function errorsCsv({ errors }: DropResult): string {
  const rows = errors.map(({ file, row, field = '', value, error_code, message }) => [
    file,
    row,
    field,
    valueText(value),
    error_code,
    message,
  ])
  return csvOf([['file', 'row', 'field', 'value', 'error_code', 'message'], ...rows])
}

export function valueText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const STAGES: Readonly<Record<DropResult['stage'], string>> = {
  manifest: 'waits for its files',
  fetch: 'reading the files',
  publish: 'publishing catalog and rates',
  avails: 'publishing avails',
  posts: 'storing delivery',
  finish: 'writing the result',
  ended: 'ended',
}

/** Describes the progress of a drop. */
export function progressText({ stage, reason }: Pick<DropResult, 'stage' | 'reason'>): string {
  return reason === undefined ? STAGES[stage] : (REASONS[reason] ?? reason.replaceAll('_', ' '))
}

const REASONS: Readonly<Record<string, string>> = {
  waiting_for_files: 'waits for files that its manifest names',
  hashing_files: 'files are being read',
  daily_limit: 'waits for tomorrow: the daily limit of drops is reached',
}
