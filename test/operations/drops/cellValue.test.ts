import { describe, expect, it } from '@jest/globals'
import { Moment } from '../../../src/adapters/tables/rowReader/moment.ts'
import type { Cell } from '../../../src/adapters/tables/rowReader/table.ts'
import type { CellKind } from '../../../src/contract/dropColumns/exampleOf.ts'
import { cellValue } from '../../../src/operations/drops/reader/cellValue.ts'
import { UnfitCell } from '../../../src/operations/drops/reader/unfitCell.ts'

const KINDS = ['text', 'number', 'boolean', 'date', 'month', 'time', 'clock', 'instant', 'json'] as const satisfies CellKind[]
const X = Symbol('refused')

/** What each kind of column, in the order of KINDS, makes of a cell. A value of another kind is refused by the schema later. */
const CELLS: readonly (readonly [cell: string, value: Cell, of: readonly unknown[]])[] = [
  ['a date', new Moment({ date: '2030-06-05' }), [X, X, X, '2030-06-05', X, X, X, '2030-06-05T00:00:00.000Z', X]],
  ['the first of a month', new Moment({ date: '2030-06-01' }), [X, X, X, '2030-06-01', '2030-06', X, X, '2030-06-01T00:00:00.000Z', X]],
  ['a time', new Moment({ time: '19:30:00' }), [X, X, X, X, X, '19:30', '19:30', X, X]],
  ['a time with seconds', new Moment({ time: '23:41:10' }), [X, X, X, X, X, '23:41:10', '23:41:10', X, X]],
  ['a time with milliseconds', new Moment({ time: '23:41:10.500' }), [X, X, X, X, X, '23:41:10.500', '23:41:10', X, X]],
  ['a time of a broadcast day', new Moment({ time: '25:10:00' }), [X, X, X, X, X, '25:10', '25:10', X, X]],
  [
    'a date and time',
    new Moment({ date: '2030-06-05', time: '19:30:00' }),
    [X, X, X, '2030-06-05', X, '19:30', '19:30', '2030-06-05T19:30:00.000Z', X],
  ],
  [
    'a moment in UTC',
    new Moment({ date: '2030-06-06', time: '01:10:00', utc: '2030-06-06T01:10:00.000Z', isLocal: false }),
    [X, X, X, X, X, X, X, '2030-06-06T01:10:00.000Z', X],
  ],
  [
    'a moment in UTC at a place',
    new Moment({ date: '2030-06-05', time: '21:10:00', utc: '2030-06-06T01:10:00.000Z' }),
    [X, X, X, '2030-06-05', X, '21:10', '21:10', '2030-06-06T01:10:00.000Z', X],
  ],
  ['a number', 4711.5, ['4711.5', 4711.5, '4711.5', '4711.5', '4711.5', '4711.5', '4711.5', '4711.5', 4711.5]],
  ['a number of 16 digits', 1_234_567_890_123_456, Array(9).fill(X)],
  ['a computed number', 451.00000000000006, ['451', 451, '451', '451', '451', '451', '451', '451', 451]],
  [
    'a computed number as text',
    '451.00000000000006',
    KINDS.map((kind) => (kind === 'number' ? 451 : kind === 'json' ? 451.00000000000006 : '451.00000000000006')),
  ],
  ['a long integer', 1_234_567_890_123_456n, KINDS.map((kind) => (kind === 'json' ? 1_234_567_890_123_456 : '1234567890123456'))],
  ['an integer that no double keeps', 12_345_678_901_234_567n, Array(9).fill('12345678901234567')],
  ['true', true, [X, 'true', true, 'true', 'true', 'true', 'true', 'true', true]],
  ['a text', ' 19:30 ', ['19:30', '19:30', '19:30', '19:30', '19:30', '19:30', '19:30', '19:30', '19:30']],
  ['a date as text', '2030-06-01 00:00:00', ofTexts('2030-06-01 00:00:00', { date: '2030-06-01', month: '2030-06' })],
  ['a time as text', '9:05:00', ofTexts('9:05:00', { time: '09:05', clock: '09:05:00' })],
  ['nothing', null, Array(9).fill(undefined)],
]

function ofTexts(text: string, others: Partial<Record<CellKind, string>>): string[] {
  return KINDS.map((kind) => (others as Record<string, string>)[kind] ?? text)
}

describe.each(CELLS)('%s', (_, cell, values) => {
  it.each(KINDS.map((kind, index) => [kind, values[index]] as const))('in a column of the kind %s', (kind, expected) => {
    const read = () => cellValue({ kind, isList: false }, cell)
    if (expected === X) expect(read).toThrow(UnfitCell)
    else expect(read()).toEqual(expected)
  })
})
