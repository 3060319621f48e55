import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { DateRange, EVEN_SO, NextCursor, Stamp } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { DROP_EXTENSIONS, formatOf } from './vocabulary/dropFormats.ts'
import {
  BYTES_PER_DROP,
  BYTES_PER_DROP_FILE,
  BYTES_PER_XLSX,
  DROP_ERRORS,
  DROP_FILE_TYPES,
  DROP_FORMATS,
  DROP_SCHEMA_VERSION,
  DROP_STAGES,
  DROP_STATUSES,
  type DropFileType,
  ERRORS_PER_DROP,
  FILES_PER_DROP,
  MANIFEST_FILE,
  ROWS_PER_DROP_FILE,
  SERVICE_FILES,
  WARNINGS_PER_DROP,
} from './vocabulary/drops.ts'
import { FILENAME_FORM, isFilename } from './vocabulary/filename.ts'

const DropName = z
  .string()
  .regex(
    /^(?!\.)[A-Za-z0-9._-]{1,128}$/,
    'must have 1 to 128 characters of A-Z, a-z, 0-9, dot, underscore and hyphen, and must not begin with a dot',
  )

const RESERVED_IDS: ReadonlySet<string> = new Set(['manifest', 'mappings'])
/** A drop id that its path can name: `/me/files/manifest` is the path of the manifest POST, `/me/files/mappings` that of mappings. */
export const DropId = DropName.refine(
  (name) => !RESERVED_IDS.has(name),
  `must not be ${[...RESERVED_IDS].join(' or ')}, which are reserved`,
)

/** The name of a mapping, which is a part of its path. */
export const MappingName = DropName

/** The name of a file in a drop. */
export const DropFilename = z.string().refine(isFilename, FILENAME_FORM)

/** The name of a file that a manifest may list. The check ignores case, since some file systems do. */
const DataFilename = DropFilename.refine(
  (name) => !RESERVED.has(name.toLowerCase()),
  `must not be ${[MANIFEST_FILE, ...SERVICE_FILES].join(', ')}, which are reserved`,
)
const RESERVED: ReadonlySet<string> = new Set([MANIFEST_FILE, ...SERVICE_FILES])

const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 as 64 hexadecimal digits')
  .overwrite((text) => text.toLowerCase())

/** A file of a drop, as its manifest lists it. If `format` is omitted, the extension decides. */
export const ManifestFile = z
  .object({
    filename: DataFilename,
    type: z.enum(DROP_FILE_TYPES),
    format: z.enum(DROP_FORMATS).optional(),
    sha256: Sha256,
    mapping: MappingName.optional(),
  })
  .superRefine((file, ctx) => {
    if (file.mapping !== undefined && isJson(file))
      ctx.addIssue({ code: 'custom', path: ['mapping'], message: 'must be left out, since a json file has no columns' })
    const isNamed = DropFilename.safeParse(file.filename).success && typeof file.type === 'string'
    if (!isNamed || file.format !== undefined || formatOf(file) !== undefined) return
    const message = `is required, since the extension of ${file.filename} is none of ${DROP_EXTENSIONS.join(', ')}`
    ctx.addIssue({ code: 'custom', path: ['format'], message })
  }, EVEN_SO)
  .meta({
    id: 'ManifestFile',
    description: `A file of a drop: at most ${BYTES_PER_DROP_FILE} bytes (xlsx ${BYTES_PER_XLSX}) and ${ROWS_PER_DROP_FILE} rows.`,
  })
export type ManifestFile = z.infer<typeof ManifestFile>

function isJson({ filename, type, format }: { filename: unknown; type: unknown; format?: unknown }): boolean {
  if (format !== undefined) return format === 'json'
  return typeof filename === 'string' && formatOf({ filename, type: type as DropFileType }) === 'json'
}

/** POST /me/files/manifest, and a manifest.json that has landed (contract, File drops). */
export const Manifest = z
  .object({
    schema_version: z.literal(DROP_SCHEMA_VERSION),
    drop_id: DropId,
    effective: DateRange.optional(),
    files: z
      .array(ManifestFile)
      .min(1)
      .max(FILES_PER_DROP)
      .meta({ description: `The files of the drop, with at most ${BYTES_PER_DROP} bytes in all.` }),
    reprocess: z.boolean().optional(),
  })
  .superRefine(({ files }, ctx) => {
    if (!Array.isArray(files)) return
    for (const [index, filename] of repeats(files, 'filename', (name) => name.toLowerCase()))
      ctx.addIssue({
        code: 'custom',
        path: ['files', index, 'filename'],
        message: `must differ from files.${filename}.filename by more than case`,
      })
    for (const [index, earlier] of repeats(files, 'sha256'))
      ctx.addIssue({ code: 'custom', path: ['files', index, 'sha256'], message: `must differ from files.${earlier}.sha256` })
  }, EVEN_SO)
  .meta({ id: 'Manifest' })
export type Manifest = z.infer<typeof Manifest>

/** Returns the index of each repeated member with that of its first use. Skips members that are not text, since the schema refuses them. */
function repeats(
  files: readonly unknown[],
  member: keyof ManifestFile,
  fold: (text: string) => string = (text) => text,
): [number, number][] {
  const first = new Map<string, number>()
  return files.flatMap((file, index): [number, number][] => {
    const value = (file as Partial<Record<typeof member, unknown>> | null)?.[member]
    if (typeof value !== 'string') return []
    const earlier = first.get(fold(value))
    if (earlier !== undefined) return [[index, earlier]]
    first.set(fold(value), index)
    return []
  })
}

/** 202 of the manifest POST. For a replayed result, `status` is that of the original. */
export const DropReceipt = z
  .object({ drop_id: z.string(), status: z.enum(DROP_STATUSES), results_uri: z.string(), warnings: UnknownMembers })
  .meta({ id: 'DropReceipt' })
export type DropReceipt = z.infer<typeof DropReceipt>

/** 201 of the PUT of a file into a drop. */
export const DropFile = z.object({ filename: z.string(), sha256: z.string(), size_bytes: z.int().nonnegative() }).meta({ id: 'DropFile' })
export type DropFile = z.infer<typeof DropFile>

/** A refused row or, with row 0, a whole file. */
export const DropError = z
  .object({
    file: z.string(),
    row: z.int().nonnegative(),
    error_code: z.enum(DROP_ERRORS),
    field: z.string().optional(),
    value: z.unknown(),
    message: z.string(),
  })
  .meta({ id: 'DropError' })
export type DropError = z.infer<typeof DropError>

export const DropWarning = z
  .looseObject({ file: z.string(), row: z.int().nonnegative(), code: z.string(), message: z.string() })
  .meta({ id: 'DropWarning' })
export type DropWarning = z.infer<typeof DropWarning>

const RowCounts = z
  .object({
    rows_written: z.int().nonnegative(),
    rows_rejected: z.int().nonnegative(),
    rows_unattached: z.int().nonnegative().optional(),
    rows_undecided: z.int().nonnegative().optional(),
  })
  .meta({ id: 'RowCounts' })

/** The rows of each type so far; types without files are absent. */
export const DropCounts = z.partialRecord(z.enum(DROP_FILE_TYPES), RowCounts)
export type DropCounts = z.infer<typeof DropCounts>

/** The mapping by which a file was read, as it was when the drop was registered. */
export const MappedFile = z.object({ file: z.string(), mapping: z.string(), version: z.string() }).meta({ id: 'MappedFile' })
export type MappedFile = z.infer<typeof MappedFile>

const summary = {
  drop_id: z.string(),
  status: z.enum(DROP_STATUSES),
  stage: z.enum(['manifest', ...DROP_STAGES]),
  rows_written: z.int().nonnegative(),
  rows_rejected: z.int().nonnegative(),
  registered_at: Stamp,
  ended_at: Stamp.nullable(),
  reason: z.string().optional(),
  replay_of: z.string().optional(),
}

/** An entry of GET /me/files. */
export const DropSummary = z.object({ ...summary, results_uri: z.string() }).meta({ id: 'DropSummary' })
export type DropSummary = z.infer<typeof DropSummary>

export const DropList = z
  .object({ items: z.array(DropSummary), waiting: z.array(DropSummary), next_cursor: NextCursor })
  .meta({ id: 'DropList' })
export type DropList = z.infer<typeof DropList>

/** GET /me/files: newest first. */
export const DropListQuery = z.strictObject({ status: z.enum(DROP_STATUSES).optional(), ...listQuery({ usual: 50, max: 200 }) })
export type DropListQuery = z.infer<typeof DropListQuery>

/** GET /me/files/{drop_id}, and success.json or errors.json in the drop (contract, File drops: result). */
export const DropResult = z
  .object({
    ...summary,
    counts: DropCounts,
    errors: z.array(DropError),
    errors_truncated: z.boolean().meta({ description: `More errors were found than the ${ERRORS_PER_DROP} that are listed.` }),
    warnings: z.array(DropWarning).meta({ description: `At most ${WARNINGS_PER_DROP}.` }),
    mappings: z.array(MappedFile).optional(),
  })
  .meta({ id: 'DropResult' })
export type DropResult = z.infer<typeof DropResult>
