import { describe, expect, it } from '@jest/globals'
import type { ReadDocument } from '../../../src/domain/document/reading.ts'
import { documentOf, sheetOfRows } from '../../support/orders/readTables.ts'

const read = (...sheets: string[][][]) =>
  documentOf(sheets.map((rows, index) => sheetOfRows(rows, sheets.length === 1 ? '' : `S${index + 1}`)))
const lines = (...sheets: string[][][]) =>
  read(...sheets)?.lines.map(({ product, period, units }) => [product?.read, period?.value?.start ?? period?.read, units?.read])

const HEAD = ['Program', 'Week', 'Spots', 'Rate']

describe('the lines of a document', () => {
  it('are not found without a header that names a product and two further columns', () => {
    expect(read([['Prime', '2030-W23', '10', '100']])).toBeUndefined()
    expect(
      read([
        ['Program', 'Spots'],
        ['Prime', '10'],
      ]),
    ).toBeUndefined()
    expect(read([HEAD])).toBeUndefined()
    expect(read()).toBeUndefined()
  })

  it('stop at totals and subtotals, skip notes, and continue below a repeated header', () => {
    const sheet = [
      HEAD,
      ['Prime', '2030-W23', '10', '100'],
      ['Subtotal', '', '10', ''],
      HEAD,
      ['News', '2030-W24', '4', '50'],
      ['* all spots rotate', '', '', ''],
      ['Grand total', '', '14', '$1,200.00'],
    ]
    expect(lines(sheet)).toEqual([
      ['Prime', '2030-W23', '10'],
      ['News', '2030-W24', '4'],
    ])
    expect(read(sheet)?.totals).toEqual([
      { of: 'units', read: '10', at: 'C3', value: '10', lines: [0] },
      { of: 'units', read: '14', at: 'C7', value: '14' },
      { of: 'gross', read: '$1,200.00', at: 'D7', value: '1200' },
    ])
  })

  it('include those of a program whose name begins with Total', () => {
    const sheet = [
      HEAD,
      ['Total Divas', '2030-W23', '10', '100'],
      ['Total Access Hollywood', '2030-W24', '4', '50'],
      ['Total for Total Divas', '', '10', ''],
      ['Total spots:', '', '14', ''],
    ]
    expect(lines(sheet)).toEqual([
      ['Total Divas', '2030-W23', '10'],
      ['Total Access Hollywood', '2030-W24', '4'],
    ])
    expect(read(sheet)?.totals).toMatchObject([{ of: 'units', value: '14' }])
    const grid = [
      ['Program', 'Rate', '6/3', '6/10'],
      ['Total Divas', '100', '5', 'x'],
      ['Total', '', '5', ''],
    ]
    expect(lines(grid)).toEqual([
      ['Total Divas', '2030-W23', '5'],
      ['Total Divas', '2030-W24', 'x'], // a cross says no number, and is not passed over
    ])
  })

  it('name their program where another column has the daypart, and otherwise their daypart', () => {
    const row = ['Prime', 'Divas', '2/10', '10', '100']
    expect(lines([['Daypart', 'Program', 'Wk of', 'Spots', 'Rate'], row])).toEqual([['Divas', '2031-W07', '10']])
    expect(lines([['Daypart', 'Notes', 'Wk of', 'Spots', 'Rate'], row])).toEqual([['Prime', '2031-W07', '10']])
  })

  it('name a product once for the rows below it, and every sheet has its own columns', () => {
    const first = [HEAD, ['Prime', '2030-W23', '10', '100'], ['', '2030-W24', '4', '100']]
    const second = [
      ['Qty', 'Rate', 'Show', 'Date'],
      ['2', '90', 'Finale', '6/5'],
    ]
    expect(lines(first, second, [['Notes'], ['Thank you']])).toEqual([
      ['Prime', '2030-W23', '10'],
      ['Prime', '2030-W24', '4'],
      ['Finale', '2030-06-05', '2'],
    ])
    expect(read(first, second)?.lines[2]?.units?.at).toBe('S2!A2')
  })

  it('are one for each week of a grid that has units, by weeks, months or days', () => {
    const grid = (...periods: string[]) =>
      lines([
        ['Program', 'Length', 'Rate', ...periods],
        ['Prime', '30', '100', '5', '-', '3'],
      ])
    expect(grid('6/3', '6/10', '6/17')?.map(([, start]) => start)).toEqual(['2030-W23', '2030-W25'])
    expect(grid('June', 'July', 'August')?.map(([, start]) => start)).toEqual(['2030-06', '2030-08'])
    expect(grid('6/3', '6/4', '6/5')?.map(([, start]) => start)).toEqual(['2030-06-03', '2030-06-05'])
    expect(grid('W23', 'W24', 'W25')?.map(([, start]) => start)).toEqual(['2030-W23', '2030-W25'])
  })

  describe('have dates of one order', () => {
    const row = (week: string) => ['Prime', week, '10', '100']
    const starts = (...rows: string[][][]) => lines(...rows)?.map(([, start]) => start)

    it('which one date decides for all, wherever it is in the document', () => {
      expect(starts([HEAD, row('03/06'), row('17/06')])).toEqual(['2030-W23', '2030-W25'])
      expect(starts([HEAD, row('03/06')], [HEAD, row('17/06')])).toEqual(['2030-W23', '2030-W25'])
      expect(starts([HEAD, row('03/06'), row('06/17')])).toEqual(['03/06', '2030-W25']) // March 6 is no Monday, which is asked
      expect(starts([HEAD, row('w/c 03/06'), row('17.06.2030 - 23.06.2030')])).toEqual(['2030-W23', '2030-W25'])
      const grid = ['Program', 'Rate', '03/06', '10/06', '17/06']
      expect(starts([grid, ['Prime', '100', '1', '2', '3']])).toEqual(['2030-W23', '2030-W24', '2030-W25'])
      const dated = ['Program', 'Start', 'End', 'Spots', 'Rate']
      expect(starts([dated, ['Prime', '03/06/2030', '09/06/2030', '1', '1'], ['Prime', '10/06/2030', '16/06/2030', '1', '1']])).toEqual([
        '2030-W23',
        '2030-W24',
      ])
    })

    it('which has the month first while nothing decides', () => {
      expect(starts([HEAD, row('06/03')])).toEqual(['2030-W23'])
    })

    it('or leave in doubt which date is meant, where they have both', () => {
      const { doubts } = read([HEAD, row('03/06'), row('17/06'), row('06/17'), row('June 3')]) as ReadDocument
      expect(doubts.map((of) => of.map(({ field }) => field))).toEqual([['period'], [], [], []])
    })
  })

  it('keep what cannot be understood, in its own words', () => {
    expect(lines([HEAD, ['Prime', 'whenever', '10', '100'], ['Prime', '2030-W23', 'x', '100']])).toEqual([
      ['Prime', 'whenever', '10'],
      ['Prime', '2030-W23', 'x'],
    ])
  })
})
