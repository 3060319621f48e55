import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { UploadFormat } from '../../../src/contract/vocabulary.ts'
import { readDocumentFile } from '../../../src/operations/documents/documentReader.ts'

const FOLDER = join(import.meta.dirname, '../..', 'corpus', 'documents')
const read = async (name: string) =>
  (await readDocumentFile(createReadStream(join(FOLDER, name)), name.split('.').pop() as UploadFormat, '2030-05-01')).reading

describe('an order for airtime', () => {
  it('is a line for each row and week, with its days, window and length, its unit price, and the totals that prove it', async () => {
    const reading = await read('f01a-brand-time-schedule.pdf')
    if ('unreadable' in reading) throw new Error(reading.unreadable)
    const [line] = reading.lines
    expect(line).toMatchObject({
      row: { read: '001' },
      program: { read: 'Evening News' },
      days: { read: 'Mon Tue Wed Thu Fri' },
      start: { read: '19:00' },
      end: { read: '20:00' },
      period: { value: { grain: 'week', start: '2030-W23' } },
      units: { read: '2', at: 'page 2' },
      unit_cost: { read: '22.00' },
      spot_length: { read: ':15' },
      kind: { read: 'paid' },
    })
    expect(reading.lines).toHaveLength(20)
    expect(reading.doubts.every((doubts) => doubts.length === 0)).toBe(true)
    expect(reading.totals.filter(({ of, lines }) => of === 'gross' && lines === undefined).map(({ read: text }) => text)).toEqual([
      '1885.00',
    ])
  })

  it('at net prices says so, and with options is asked for all', async () => {
    const net = await read('f13f-buysheet-library-net.pdf')
    const options = await read('11-two-options.xlsx')
    const fields = (reading: typeof net) => ('unreadable' in reading ? [] : [...new Set(reading.doubts.flat().map(({ field }) => field))])
    expect(fields(net)).toEqual([])
    expect('unreadable' in net ? [] : [...new Set(net.lines.map(({ basis }) => basis?.read))]).toEqual(['net'])
    expect(fields(options)).toEqual(['product_id', 'period', 'units', 'rate'])
  })

  it.each([
    ['f12a-scan.pdf', 'images without text'],
    ['f06a-prose-order.pdf', 'sentences'],
    ['f19a-copy-instruction.pdf', 'copy instruction'],
    ['12-station-log.xlsx', 'log of airings'],
  ])('%s is refused by what it is', async (name, kind) => {
    expect(await read(name)).toEqual({ unreadable: expect.stringContaining(kind), kind: expect.any(String), instead: expect.any(String) })
  })
})
