import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { decimal, sum } from '../../../src/domain/decimal.ts'
import { creditNote } from '../../../src/domain/settlement/creditNote.ts'
import { invoiceAmounts } from '../../../src/domain/settlement/invoiceAmounts.ts'
import { invoiceNumber } from '../../../src/domain/settlement/invoiceNumber.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const texts = ({ gross, commission, net }: ReturnType<typeof invoiceAmounts>) => [gross, commission, net].map((amount) => amount.toFixed(2))

const at = (commissionPct: number | string, currency = 'USD') => ({ commissionPct, currency })

describe('the amounts of an invoice', () => {
  it.each([
    ['33600.00', '5040.00', '28560.00'],
    ['16938.03', '2540.70', '14397.33'],
    ['3908.77', '586.32', '3322.45'],
  ])('of %s at 15 % are those of the worked example', (gross, commission, net) => {
    expect(texts(invoiceAmounts(gross, at(15)))).toEqual([gross, commission, net])
  })

  it('round the commission once, half up', () => {
    expect(texts(invoiceAmounts('0.10', at(15)))).toEqual(['0.10', '0.02', '0.08'])
    expect(texts(invoiceAmounts('0.30', at('12.25')))).toEqual(['0.30', '0.04', '0.26'])
    expect(texts(invoiceAmounts(100, at(0)))).toEqual(['100.00', '0.00', '100.00'])
  })

  it('round it to the minor unit of the currency', () => {
    const exactly = (amounts: ReturnType<typeof invoiceAmounts>) => [amounts.commission.toFixed(), amounts.net.toFixed()]
    expect(exactly(invoiceAmounts(1003, at(15, 'JPY')))).toEqual(['150', '853'])
    expect(exactly(invoiceAmounts('10.003', at(15, 'KWD')))).toEqual(['1.5', '8.503'])
  })
})

describe('a credit note', () => {
  const invoice = { invoice_number: '2702-00001', currency: 'USD', gross: '33600.00', credited: '0', commission_pct: '15' }
  const of = (...amounts: number[]) => amounts.map((gross) => ({ unit_id: 'unit_1', units: 1, gross }))

  it('has the negative amounts of the worked example', () => {
    const note = creditNote(invoice, of(4200))
    expect(texts(note)).toEqual(['-4200.00', '-630.00', '-3570.00'])
    expect(note.lines).toEqual([{ kind: 'credit', unit_id: 'unit_1', units: 1, gross: -4200 }])
    expect([note.credited.toFixed(), note.isInFull]).toEqual(['4200', false])
  })

  it('credits up to what is left of the invoice, and more than nothing', () => {
    expect(creditNote({ ...invoice, credited: '33000' }, of(200, 400)).isInFull).toBe(true)
    for (const amount of [0, 600.01])
      expect(refusalOf(() => creditNote({ ...invoice, credited: '33000' }, of(amount)))).toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'amount', maximum: 600 },
      })
  })

  it('takes back in all, in whatever parts, exactly what was billed', () => {
    const cents = fc.integer({ min: 1, max: 5_000_000 })
    const pct = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => decimal(hundredths).div(decimal(100)).toFixed())
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 6 }), pct, (parts, commission_pct) => {
        const gross = sum(parts).div(decimal(100)).toFixed()
        const billed = invoiceAmounts(gross, at(commission_pct))
        let credited = decimal(0)
        const notes = parts.map((part) => {
          const note = creditNote({ invoice_number: 'x', currency: 'USD', gross, credited, commission_pct }, of(part / 100))
          credited = note.credited
          return note
        })
        for (const amount of ['gross', 'commission', 'net'] as const)
          expect(sum([billed[amount], ...notes.map((note) => note[amount])]).toFixed()).toBe('0')
        expect(notes.map(({ isInFull }) => isInFull).lastIndexOf(true)).toBe(notes.length - 1)
        for (const note of notes) expect(note.net.eq(note.gross.minus(note.commission))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

describe('an invoice number', () => {
  it('has ten characters, with the month in front', () => {
    expect([1, 42, 99_999, 100_000, 109_999, 110_000, 359_999].map((n) => invoiceNumber('2027-02', n))).toEqual([
      '2702-00001',
      '2702-00042',
      '2702-99999',
      '2702-A0000',
      '2702-A9999',
      '2702-B0000',
      '2702-Z9999',
    ])
    expect(() => invoiceNumber('2027-02', 360_000)).toThrow(RangeError)
  })
})
