import { describe, expect, it } from '@jest/globals'
import { DropResult, Manifest } from '../../src/contract/drop.ts'
import { faultsOf } from '../../src/contract/errorEnvelope.ts'
import { formatOf } from '../../src/contract/vocabulary/dropFormats.ts'
import {
  DROP_ERRORS,
  DROP_STAGES,
  type DropErrorCode,
  type DropFileType,
  type DropFormat,
  type DropOutcome,
  type DropStage,
  RESULT_FILES,
  type ResultFile,
} from '../../src/contract/vocabulary/drops.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)
const FILE = { filename: 'catalog.csv', type: 'catalog', sha256: A }

const RESULT = {
  ...{ drop_id: 'd-1', status: 'partial', stage: 'ended', rows_written: 2, rows_rejected: 1 },
  ...{ registered_at: '2030-01-01T00:00:00.000Z', ended_at: '2030-01-01T00:00:01.000Z' },
  ...{ counts: { catalog: { rows_written: 2, rows_rejected: 1 } }, errors: [], errors_truncated: false, warnings: [] },
}

function manifest(files: unknown, more: object = {}) {
  return { schema_version: '1.0', drop_id: 'd-1', files, ...more }
}

describe('a manifest', () => {
  it('reads a bundle, with digests in lower case', () => {
    const sent = manifest([FILE, { ...FILE, filename: 'avails.jsonl', type: 'avails', sha256: B.toUpperCase() }], {
      effective: { start: '2030-01-01', end: '2030-03-31' },
    })
    expect(Manifest.parse(sent).files.map(({ sha256 }) => sha256)).toEqual([A, B])
  })

  it.each<[string, object, string[]]>([
    ['another schema version', manifest([FILE], { schema_version: '2.0' }), ['schema_version must be 1.0; "2.0" was sent']],
    ['no files', manifest([]), ['files must have at least 1 entry; it has 0 entries']],
    [
      '65 files',
      manifest(Array.from({ length: 65 }, (_, n) => ({ ...FILE, filename: `f${n}.csv` }))),
      ['files must have at most 64 entries; it has 65 entries'],
    ],
    [
      'a malformed digest',
      manifest([{ ...FILE, sha256: 'abc' }]),
      ['files.0.sha256 must be a SHA-256 as 64 hexadecimal digits; "abc" was sent'],
    ],
    [
      'a digest twice',
      manifest([FILE, { ...FILE, filename: 'b.csv' }]),
      [`files.1.sha256 must differ from files.0.sha256; "${'a'.repeat(40)}…" was sent`],
    ],
    [
      'two names that are equal but for case',
      manifest([FILE, { ...FILE, filename: 'CATALOG.csv', sha256: B }]),
      ['files.1.filename must differ from files.0.filename by more than case; "CATALOG.csv" was sent'],
    ],
    [
      'a reserved name',
      manifest([{ ...FILE, filename: 'Errors.json' }]),
      [
        'files.0.filename must not be manifest.json, success.json, errors.json, errors.csv, waiting.json, which are reserved; "Errors.json" was sent',
      ],
    ],
    [
      'an extension of no format',
      manifest([{ ...FILE, filename: 'catalog.txt' }]),
      ['files.0.format is required, since the extension of catalog.txt is none of .csv, .parquet, .xlsx, .json, .jsonl'],
    ],
  ])('refuses %s', (_, sent, messages) => {
    expect(faults(sent)).toEqual(messages)
  })

  it.each(['../x.csv', 'a/b.csv', '.x.csv', '', 'ü\u0007.csv', `${'x'.repeat(125)}.csv`])('refuses the file name %j', (filename) => {
    expect(faults(manifest([{ ...FILE, filename }]))).toHaveLength(1)
  })

  it.each([[{ a: 1 }], [7], [null], [['a.csv']]])('refuses a file name that is not a string: %j', (filename) => {
    const files = [filename, 'b.csv'].map((name) => ({ filename: name, type: 'avails', sha256: 'a'.repeat(64) }))
    const { error } = Manifest.safeParse({ schema_version: '1.0', drop_id: 'd-1', files: [...files, null] })
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(expect.arrayContaining(['files.0.filename', 'files.2']))
  })

  it('reports the faults of all files at once', () => {
    const fields = faultFields(
      manifest([
        { ...FILE, type: 'prices' },
        { ...FILE, filename: 'x' },
        { ...FILE, sha256: 7 },
      ]),
    )
    expect(fields.sort()).toEqual(['files.0.type', 'files.1.format', 'files.1.sha256', 'files.2.filename', 'files.2.sha256'])
  })
})

describe('the format of a file', () => {
  it.each<[string, DropFileType, DropFormat | undefined]>([
    ['a.CSV', 'catalog', 'csv'],
    ['a.b.Parquet', 'avails', 'parquet'],
    ['a.jsonl', 'avails', 'json'],
    ['a.txt', 'delivery_posts', 'csv'],
    ['a.txt', 'avails', undefined],
    ['csv', 'avails', undefined],
  ])('of %s as %s is %s', (filename, type, format) => {
    expect(formatOf({ filename, type })).toBe(format)
  })

  it('is the stated one before the extension', () => {
    expect(formatOf({ filename: 'a.csv', type: 'catalog', format: 'json' })).toBe('json')
  })
})

describe('the result of a drop', () => {
  it.each<[DropOutcome, DropErrorCode[], ResultFile]>([
    ['success', [], 'success.json'],
    ['partial', ['UNKNOWN_PRODUCT_ID', 'INVALID_ENTRY'], 'errors.json'],
    ['rejected', ['GRAIN_CONFLICT'], 'errors.json'],
  ])('of status %s has error codes of the contract and a file of its own', (status, codes, file) => {
    const stage: DropStage = 'ended'
    const errors = codes.map((error_code) => ({ file: 'a.csv', row: 0, error_code, value: null, message: 'is wrong' }))
    expect(DropResult.parse({ ...RESULT, status, stage, errors }).errors).toEqual(errors)
    expect([DROP_STAGES.at(-1), RESULT_FILES.includes(file), codes.every((code) => DROP_ERRORS.includes(code))]).toEqual([
      stage,
      true,
      true,
    ])
  })

  it('keeps what the specification gives, and adds', () => {
    const errors = [{ file: 'a.csv', row: 3, error_code: 'INVALID_ENTRY', field: 'type', value: 'x', message: 'type must be one of …' }]
    const result = { ...RESULT, errors }
    expect(DropResult.parse(result)).toEqual(result)
  })
})

function allFaults(sent: object) {
  return faultsOf(Manifest, Manifest.safeParse(sent).error?.issues ?? [], sent)
}

const faults = (sent: object) => allFaults(sent).map(({ message }) => message)
const faultFields = (sent: object) => allFaults(sent).map(({ field }) => field)
