import { describe, expect, it } from '@jest/globals'
import { bookedDays, type DaysByNetwork } from '../../../src/domain/settlement/bookedDays.ts'
import { clearsAt } from '../../../src/domain/settlement/clearsAt.ts'
import { creditNote, linesWithin } from '../../../src/domain/settlement/creditNote.ts'
import { invoiceNumber } from '../../../src/domain/settlement/invoiceNumber.ts'
import { keyOf } from '../../../src/domain/settlement/keyOf.ts'
import { OpenEntries } from '../../../src/domain/settlement/openEntries.ts'
import { isSentBefore, refuseSecondCredit, type SentStep } from '../../../src/domain/settlement/sentBefore.ts'
import { spotsOfVariances } from '../../../src/domain/settlement/spotsOfVariances.ts'
import { varianceState } from '../../../src/domain/settlement/varianceState.ts'

const line = (gross: number | string) => ({ description: 'x', gross }) as never
const invoice = (more: object = {}) => ({
  invoice_number: '2612-00001',
  currency: 'USD',
  gross: 100,
  credited: 0,
  commission_pct: 15,
  ...more,
})
const refused = (act: () => unknown) => {
  try {
    act()
    return undefined
  } catch (error) {
    const { code, details } = error as { code: string; details: Record<string, unknown> }
    return { code, ...details }
  }
}

describe('a credit note', () => {
  it('credits its lines, with the commission on them, up to the whole of the invoice', () => {
    const note = creditNote(invoice({ credited: 40 }), [line(10), line('49.999')])
    expect(note.lines).toEqual([
      { description: 'x', kind: 'credit', gross: -10 },
      { description: 'x', kind: 'credit', gross: -50 },
    ])
    expect([note.gross, note.commission, note.net, note.credited].map(String)).toEqual(['-60', '-9', '-51', '100'])
    expect(note.isInFull).toBe(true)
    expect(creditNote(invoice(), [line(99.99)]).isInFull).toBe(false)
  })

  it('credits neither nothing nor more than is left', () => {
    for (const gross of [0, 60.01]) {
      const found = refused(() => creditNote(invoice({ credited: 40 }), [line(gross)]))
      expect(found).toEqual({ code: 'INVALID_INPUT', field: 'amount', maximum: 60 })
    }
    expect(refused(() => creditNote(invoice(), []))).toMatchObject({ code: 'INVALID_INPUT', maximum: 100 })
  })

  it('takes lines as far as the invoice reaches', () => {
    const within = (...lines: number[]) =>
      linesWithin({ gross: 100, credited: 40 }, lines.map(line)).map(({ gross }) => Number(String(gross)))
    expect(within(10, 20)).toEqual([10, 20])
    expect(within(50, 20, 5)).toEqual([50, 10])
    expect(within(60, 1)).toEqual([60])
    expect(within(0, 60)).toEqual([60])
    expect(within(0.5)).toEqual([0.5])
    expect(linesWithin({ gross: 100, credited: 100 }, [line(1)])).toEqual([])
  })
})

describe('an action that comes again', () => {
  const step = (more: Partial<SentStep> = {}): SentStep => ({ side: 'seller', request_key: 'k', body_hash: 'aa', ...more })
  const known = (steps: SentStep[], key: string | undefined, body_hash = 'aa') => isSentBefore(steps, 'seller', { key, body_hash })

  it('is known by the key of its side, and is a conflict with another body', () => {
    expect(known([step()], 'k')).toBe(true)
    expect([known([step()], 'other'), known([step()], undefined), known([step({ side: 'buyer' })], 'k')]).toEqual([false, false, false])
    expect(known([step({ request_key: null })], undefined)).toBe(false)
    expect(refused(() => known([step()], 'k', 'bb'))).toEqual({ code: 'CONFLICT', field: 'Idempotency-Key' })
  })

  it('is no second credit by the same bytes without a key', () => {
    const again = (steps: SentStep[], key?: string, body_hash = 'aa') =>
      refused(() => refuseSecondCredit(steps, 'seller', { key, body_hash }))
    expect(again([step({ request_key: null })])).toEqual({ code: 'CONFLICT', field: 'Idempotency-Key' })
    expect([again([step()], 'new'), again([step()], undefined, 'bb'), again([step({ side: 'buyer' })]), again([])]).toEqual([
      ...[undefined, undefined, undefined, undefined],
    ])
  })
})

describe('the state of a variance', () => {
  const step = (action: 'accept' | 'dispute' | 'credit' | 'uphold', more: object = {}) => ({
    action,
    units: 1,
    gross: 300,
    note: null,
    amount: null,
    ...more,
  })
  it('is that of its last action, while its figures are those', () => {
    const now = { units: 1, gross: '300.00' }
    expect(varianceState([], now)).toBe('open')
    for (const [action, state] of [
      ['accept', 'accepted'],
      ['dispute', 'disputed'],
      ['credit', 'credited'],
      ['uphold', 'upheld'],
    ] as const)
      expect(varianceState([step('dispute'), step(action)], now)).toBe(state)
    expect(varianceState([step('accept', { gross: 500 })], now)).toBe('open')
    expect(varianceState([step('accept', { units: 2 })], now)).toBe('open')
    expect(varianceState([step('accept')], undefined)).toBe('gone')
  })

  it('is told by spots: those of the same rows are one, and several of one code are as many', () => {
    const of = (code: string, variance_id: string, rows: number[]) => ({ code, variance_id, rows }) as never
    const spots = spotsOfVariances([
      of('ORDERED_NOT_RUN', 'v1', [1]),
      of('WRONG_COPY', 'v2', [1]),
      of('ORDERED_NOT_RUN', 'v3', [1]),
      of('ORDERED_NOT_RUN', 'v4', [2]),
      of('ORDERED_NOT_RUN', 'v5', []),
      of('DUPLICATE', 'v6', [1]),
    ])
    expect(spots.get('v1')).toBe(spots.get('v2'))
    expect([spots.get('v5'), spots.get('v6')]).toEqual(['v5', 'v6'])
    expect(new Set(spots.values()).size).toBe(5)
  })
})

describe('days and numbers of settlement', () => {
  it('a broadcast month clears on the Monday after its last Sunday', () => {
    expect(clearsAt('2026-12')).toBe('2026-12-28T14:00:00.000Z')
    expect(clearsAt('2027-01')).toBe('2027-02-01T14:00:00.000Z')
  })

  it('invoices are numbered in ten characters, with a letter from the hundred thousandth', () => {
    expect([1, 99_999, 100_000, 109_999, 110_000, 359_999].map((n) => invoiceNumber('2026-12', n))).toEqual([
      ...['2612-00001', '2612-99999', '2612-A0000', '2612-A9999', '2612-B0000', '2612-Z9999'],
    ])
    for (const n of [0, -1, 1.5, 360_000]) expect(() => invoiceNumber('2026-12', n)).toThrow(RangeError)
  })

  it('booked days are each once, by network, of spots that book anything, from each window’s start', () => {
    const networks: DaysByNetwork = new Map()
    const spots = (network: string, air_date: string, units = 1, ...starts: string[]) =>
      ({ network, air_date, units, windows: starts.map((start) => ({ start, end: '23:00' })) }) as never
    const days = bookedDays(
      [spots('A', '2026-12-07', 1, '19:00', '20:00'), spots('A', '2026-12-08', 0, '19:00'), spots('B', '2026-12-07', 1, '19:00')],
      networks,
    )
    expect(days).toEqual([
      { network: 'A', broadcast_date: '2026-12-07' },
      { network: 'B', broadcast_date: '2026-12-07' },
    ])
    const [shared] = bookedDays([spots('A', '2026-12-07', 2, '21:00')], networks)
    expect(shared).toBe(days[0])
  })

  it('keys tell their parts apart', () => {
    const keys = [
      keyOf('ab', 'c'),
      keyOf('a', 'bc'),
      keyOf('a', undefined, 'bc'),
      keyOf('abc'),
      keyOf('a', 'bc', undefined),
      keyOf(undefined, 'a', 'bc'),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})

it('open entries are found from either side, as they close in any order', () => {
  const entries = [1, 3, 5, 7, 9]
  const open = new Set(entries)
  const list = new OpenEntries(
    entries,
    (entry) => open.has(entry),
    (entry) => entry,
  )
  const expectAll = () => {
    for (let at = 0; at <= 10; at += 1) {
      expect([at, list.firstFrom(at)]).toEqual([at, entries.find((entry) => entry >= at && open.has(entry))])
      expect([at, list.lastUpTo(at)]).toEqual([at, entries.findLast((entry) => entry <= at && open.has(entry))])
    }
  }
  expectAll()
  for (const closed of [5, 9, 1, 3, 7]) {
    open.delete(closed)
    expectAll()
  }
})
