import { describe, expect, it } from '@jest/globals'
import { PRIME, readFiles } from '../../support/files/readFiles.ts'

const HEAD = 'product_id,period.grain,period.start,state,spots.available'
const readAvails = (...lines: string[]) => readFiles({ type: 'avails', products: [PRIME] }, { 'a.csv': [HEAD, ...lines, ''].join('\n') })

describe('avails from csv', () => {
  it('are COPY text with the row of each', async () => {
    const { lines, ends } = await readAvails('prime,week,2030-W23,available,10', ' prime , week ,2030-W24,available,0')
    expect(lines).toEqual([
      '2\tprime\tweek\t2030-W23\tavailable\t{"product_id":"prime","period":{"grain":"week","start":"2030-W23"},"state":"available","spots":{"available":10}}',
      '3\tprime\tweek\t2030-W24\tavailable\t{"product_id":"prime","period":{"grain":"week","start":"2030-W24"},"state":"available","spots":{"available":0}}',
    ])
    expect(ends).toEqual([{ kind: 'fileEnd', file: 0, rows: 3 }])
  })

  it('are refused row by row', async () => {
    const { errors } = await readAvails(
      'prime,week,2030-W23,available,10',
      'late,week,2030-W23,available,10',
      'prime,week,2030-W23,available,11',
      'prime,week,2030-W24,available,"1,000"',
      'prime,week,2030-W24,available',
      'prime,week,2030-W24,available,',
    )
    expect(errors.map(({ row, error_code, field, value }) => [row, error_code, field, value])).toEqual([
      [3, 'UNKNOWN_PRODUCT_ID', 'product_id', 'late'],
      [4, 'INVALID_ENTRY', 'period.start', '2030-W23'],
      [5, 'INVALID_ENTRY', 'spots.available', '1,000'],
      [6, 'INVALID_ENTRY', 'spots.available', undefined],
      [7, 'INVALID_ENTRY', 'spots.available', undefined],
    ])
  })

  it('are read on from a cursor, and a row before it still counts as a repeat', async () => {
    const rows = ['prime,week,2030-W23,available,1', 'prime,week,2030-W24,available,2', 'prime,week,2030-W23,available,3']
    const { lines, errors } = await readFiles(
      { type: 'avails', products: [PRIME], after: { file: 0, row: 2 } },
      { 'a.csv': [HEAD, ...rows, ''].join('\n') },
    )
    expect(lines.map((line) => line.split('\t')[0])).toEqual(['3'])
    expect(errors.map(({ row }) => row)).toEqual([4])
  })
})
