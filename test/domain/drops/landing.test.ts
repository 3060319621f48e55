import { describe, expect, it } from '@jest/globals'
import {
  BYTES_PER_DROP,
  BYTES_PER_DROP_FILE,
  BYTES_PER_XLSX,
  ERRORS_PER_DROP,
  MANIFEST_BYTES,
  WARNINGS_PER_DROP,
} from '../../../src/contract/vocabulary/drops.ts'
import { dropResult, errorRows, outcomeOf, replayedResult, resultFileOf, waitingResult } from '../../../src/domain/drops/dropResult.ts'
import { bytesAllowed, hashFaults, landedFaults } from '../../../src/domain/drops/landedFaults.ts'
import { landingRoom } from '../../../src/domain/drops/landingRoom.ts'

const file = (filename: string, format: 'csv' | 'xlsx' = 'csv') => ({ filename, format, sha256: `hash of ${filename}` })
const refused = (act: () => unknown) => {
  try {
    act()
    return undefined
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: Record<string, unknown> }
    return { code, message, ...details }
  }
}

describe('files that have landed', () => {
  it('are there, under their very name, and no larger than their format may be', () => {
    const files = [file('a.csv'), file('b.xlsx', 'xlsx'), file('c.csv')]
    expect(landedFaults(files, [{ size: BYTES_PER_DROP_FILE }, { size: BYTES_PER_XLSX }, { size: 0 }], [])).toEqual([])
    const faults = landedFaults(files, [{ size: BYTES_PER_DROP_FILE + 1 }, { size: BYTES_PER_XLSX + 1 }, undefined], ['C.CSV', 'd.csv'])
    expect(faults.map(({ field }) => field)).toEqual(['files.0.filename', 'files.1.filename', 'files.2.filename'])
    expect(faults[1]?.message).toBe(
      `files.1.filename must name a file of at most ${BYTES_PER_XLSX} bytes; b.xlsx has ${BYTES_PER_XLSX + 1}.`,
    )
    expect(faults[2]?.message).toMatch(/c\.csv was sent, and the drop has C\.CSV, in another case\.$/)
    expect(landedFaults([file('a.csv')], [], ['d.csv'])[0]?.message).toMatch(/the drop has no such file\.$/)
    expect([bytesAllowed('xlsx'), bytesAllowed('csv'), bytesAllowed(undefined)]).toEqual([
      ...[BYTES_PER_XLSX, BYTES_PER_DROP_FILE, BYTES_PER_DROP_FILE],
    ])
  })

  it('have together what a drop may have', () => {
    const four = ['a.csv', 'b.csv', 'c.csv', 'd.csv'].map((name) => file(name))
    const sizes = four.map(() => ({ size: BYTES_PER_DROP / 4 }))
    expect(landedFaults(four, sizes, [])).toEqual([])
    const faults = landedFaults([...four, file('e.csv')], [...sizes, { size: 1 }], [])
    expect(faults.map(({ field }) => field)).toEqual(['files'])
  })

  it('have the bytes that the manifest names', () => {
    const files = [file('a.csv'), file('b.csv')]
    expect(hashFaults(files, ['hash of a.csv', 'hash of b.csv'])).toEqual([])
    expect(hashFaults(files, ['hash of a.csv', 'x']).map(({ field, message }) => [field, message])).toEqual([
      ['files.1.sha256', 'files.1.sha256 must be the SHA-256 of b.csv, which is x; hash of b.csv was sent.'],
    ])
  })
})

describe('the room for a file', () => {
  const others = (more: object = {}) => ({ files: 0, bytes: 0, drops_today: 0, stock: 0, ...more })
  const bounds = (more: object = {}) => ({ dropsPerDay: 0, dropBytesPerSeller: 0, ...more })
  const room = (filename: string, there: object = {}, limits: object = {}) =>
    landingRoom({ drop_id: 'd-1', filename }, others(there), bounds(limits))

  it('is that of its format, within what is left of the drop', () => {
    expect(room('a.csv').max).toBe(BYTES_PER_DROP_FILE)
    expect(room('a.xlsx').max).toBe(BYTES_PER_XLSX)
    expect(room('a.csv', { bytes: BYTES_PER_DROP - 5 }).max).toBe(5)
    expect(room('a.csv', { bytes: BYTES_PER_DROP + 5 }).max).toBe(0)
    expect(room('manifest.json', { bytes: BYTES_PER_DROP }).max).toBe(MANIFEST_BYTES)
    expect(room('a.csv', { bytes: BYTES_PER_DROP - 5 }).refusal).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { most: 5 } })
  })

  it('is what is left of the seller’s bytes, if these are bounded', () => {
    const bounded = { dropBytesPerSeller: 100 }
    expect(room('a.csv', { stock: 60 }, bounded)).toMatchObject({
      max: 40,
      refusal: { message: expect.stringContaining('of which 40 are left') },
    })
    expect(room('a.csv', { stock: 160 }, bounded).max).toBe(0)
    expect(room('a.csv', { stock: 60, bytes: BYTES_PER_DROP - 40 }, bounded).refusal.message).toMatch(
      /larger than the 40 bytes that the drop takes/,
    )
  })

  it('is none in another drop than a day may have, nor in a drop that is full, unless it is the manifest’s', () => {
    const daily = { dropsPerDay: 2 }
    expect(room('a.csv', { drops_today: 1 }, daily).max).toBeGreaterThan(0)
    expect(refused(() => room('a.csv', { drops_today: 2 }, daily))).toMatchObject({
      code: 'RATE_LIMITED',
      most: 2,
      window_s: 86_400,
      retry_after: 3_600,
    })
    expect(refused(() => room('a.csv', { drops_today: 9 }))).toBeUndefined()
    const full = { filesPerDrop: 3 }
    expect(room('a.csv', { files: 2 }, full).max).toBeGreaterThan(0)
    expect(refused(() => room('a.csv', { files: 3 }, full))).toMatchObject({ code: 'INVALID_INPUT', field: 'filename', most: 3 })
    expect(room('manifest.json', { files: 3 }, full).max).toBe(MANIFEST_BYTES)
  })
})

const AT = '2026-12-07T00:00:00.000Z'
const RUN = {
  ...{ drop_id: 'd-1', registered_at: AT, ended_at: AT, rows_written: 1, rows_rejected: 0, counts: {}, error_count: 0, warnings: [] },
}
const error = (row: number, more: object = {}) =>
  ({ file: 'a.csv', row, error_code: 'INVALID_ENTRY', value: null, message: 'is wrong', ...more }) as never

describe('the result of a drop', () => {
  it.each([
    [0, 0, 'success'],
    [5, 0, 'success'],
    [5, 1, 'partial'],
    [0, 1, 'rejected'],
  ] as const)('of %d rows written and %d errors is a %s', (written, errors, outcome) => {
    expect(outcomeOf(written, errors)).toBe(outcome)
    expect(resultFileOf({ status: outcome })).toBe(outcome === 'success' ? 'success.json' : 'errors.json')
  })

  it('lists its errors and warnings up to a bound, and mappings where there are any', () => {
    const errors = Array.from({ length: ERRORS_PER_DROP + 1 }, (_, n) => error(n))
    const whole = dropResult({ ...RUN, error_count: ERRORS_PER_DROP }, errors.slice(1))
    expect([whole.errors.length, whole.errors_truncated, whole.status]).toEqual([ERRORS_PER_DROP, false, 'partial'])
    const more = dropResult({ ...RUN, error_count: ERRORS_PER_DROP + 1 }, errors)
    expect([more.errors.length, more.errors_truncated]).toEqual([ERRORS_PER_DROP, true])
    const warnings = Array.from({ length: WARNINGS_PER_DROP + 1 }, (_, row) => ({ file: 'a.csv', row, code: 'X', message: 'x' })) as never
    expect(dropResult({ ...RUN, warnings }, []).warnings).toHaveLength(WARNINGS_PER_DROP)
    expect('mappings' in dropResult(RUN, [])).toBe(false)
    const mapped = [{ file: 'a.csv', name: 'ours', version: 1 }] as never
    expect(dropResult({ ...RUN, mapped }, []).mappings).toEqual(mapped)
  })

  it('is said to be processing while its manifest waits, and for what', () => {
    const waiting = { drop_id: 'd-1', waits_for: null, errors: [error(0)], first_seen_at: AT }
    expect(waitingResult(waiting)).toMatchObject({
      status: 'processing',
      stage: 'manifest',
      registered_at: AT,
      ended_at: null,
      errors: [error(0)],
    })
    expect('reason' in waitingResult(waiting)).toBe(false)
    expect(waitingResult({ ...waiting, waits_for: 'waiting_for_files' }).reason).toBe('waiting_for_files')
  })

  it('of the same files is the first one’s, with a warning before its own', () => {
    const first = dropResult({ ...RUN, warnings: [{ file: 'a.csv', row: 1, code: 'X', message: 'x' }] as never }, [])
    const again = replayedResult(first, { drop_id: 'd-2', registered_at: 'later' })
    expect(again).toMatchObject({ drop_id: 'd-2', registered_at: 'later', ended_at: AT, replay_of: 'd-1' })
    expect(again.warnings.map(({ code }) => code)).toEqual(['REPLAYED_RESULT', 'X'])
    expect(again.warnings[0]).toMatchObject({ file: 'manifest.json', row: 0 })
    expect(replayedResult(again, { drop_id: 'd-3', registered_at: AT }).replay_of).toBe('d-1')
  })

  it('has rows for a person, the last of which tells of errors that are not listed', () => {
    const errors = [error(1, { field: 'a', value: 'x' }), error(2, { value: { b: 1 } }), error(3)]
    const rows = errorRows({ errors, errors_truncated: false })
    expect(rows.map(({ row, field, value }) => [row, field, value])).toEqual([
      ['1', 'a', 'x'],
      ['2', '', '{"b":1}'],
      ['3', '', ''],
    ])
    expect(errorRows({ errors, errors_truncated: true }).at(-1)).toEqual({ message: 'There are more errors than the 3 that are listed.' })
  })
})
