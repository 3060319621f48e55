import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Mapping } from '../../../src/contract/mapping.ts'
import { type FilesRead, readFiles } from '../../support/files/readFiles.ts'
import { type EntriesRead, readEntriesOf } from './readEntries.ts'

const HEADER = 'record_type,network,air_date,air_time,spot_length,isci,status'
const aired = (date: string, length = '30') => `as_run,NET,"${date}",19:30:05,${length},C,Aired`
const read = (...lines: string[]) => readFiles({ type: 'delivery_posts' }, { 'a.csv': [HEADER, ...lines].join('\n') })
const datesIn = ({ entries }: FilesRead) => entries.map(({ entry }) => (entry as { air_date: string }).air_date)

describe('dates of a column without a mapping', () => {
  it('are read where one of them allows one order alone', async () => {
    expect(datesIn(await read(aired('6/3/2030'), aired('06/14/2030'), aired('2030-06-15')))).toEqual([
      '2030-06-03',
      '2030-06-14',
      '2030-06-15',
    ])
    expect(datesIn(await read(aired('3.6.2030'), aired('14.6.2030')))).toEqual(['2030-06-03', '2030-06-14'])
  })

  it('are read where the last row of a long file decides', async () => {
    const lines = Array.from({ length: 12_000 }, () => aired('6/3/2030'))
    const file = await read(...lines, aired('6/30/2030'))
    expect([file.entries.length, file.errors]).toEqual([12_001, []])
    expect(datesIn(file)[0]).toBe('2030-06-03')
  })

  it('are refused by name where all of them allow both orders', async () => {
    const { entries, errors } = await read(aired('6/3/2030'), aired('7/4/2030'), aired('5/5/2030'))
    expect(entries.map(({ row }) => row)).toEqual([4])
    expect(errors.map(({ row, error_code, field, value }) => [row, error_code, field, value])).toEqual([
      [2, 'INVALID_ENTRY', 'air_date', '6/3/2030'],
      [3, 'INVALID_ENTRY', 'air_date', '7/4/2030'],
    ])
    expect(errors[0]?.message).toContain('may have the month or the day first, as every date of the column may')
    expect(errors[0]?.message).toContain('PUT /v1/me/files/mappings/{name}')
  })

  it('are refused where both orders are there, even those that allow one', async () => {
    const { entries, errors } = await read(aired('6/3/2030'), aired('6/14/2030'), aired('14/6/2030'))
    expect(entries).toEqual([])
    expect(errors.map(({ row }) => row)).toEqual([2, 3, 4])
  })

  it('are refused with a year of two digits', async () => {
    const { errors } = await read(aired('6/14/30'))
    expect(errors).toMatchObject([{ row: 2, field: 'air_date', message: expect.stringContaining('a year of two digits') }])
  })
})

describe('numbers of a column without a mapping', () => {
  const RATES = 'product_id,market_class,advertiser_class,spot_length,buy_type,gross_rate_unit,currency'
  const priced = (rate: string, currency = 'USD') => `prime,scatter,general,30,preemptible,"${rate}",${currency}`
  const ratesIn = async (...lines: string[]) => {
    const task = { type: 'rate_cards', effective: { start: '2030-06-03', end: '2030-09-01' } } as const
    const { entries, errors } = await readFiles(task, { 'r.csv': [RATES, ...lines].join('\n') })
    return [
      entries.map(({ entry }) => (entry as { gross_rate_unit: number }).gross_rate_unit),
      errors.map(({ row, value }) => [row, value]),
    ]
  }

  it('are read with separators of thousands where the column shows its mark', async () => {
    expect(await ratesIn(priced('$1,250.00'), priced('1,300'), priced('$ 15.50'))).toEqual([[1250, 1300, 15.5], []])
    expect(await ratesIn(priced('1,250'), priced('1,300'))).toEqual([[], [[2, '1,250'], [3, '1,300']]]) // biome-ignore format: pairs
    expect(await ratesIn(priced('1,250'), priced('12,5'), priced('12.5'))).toEqual([[12.5], [[2, '1,250'], [3, '12,5']]]) // biome-ignore format: pairs
  })

  it('are refused with the sign of another currency, or of none', async () => {
    expect(await ratesIn(priced('$5'), priced('€5'), priced('$5', ''), priced('$5', 'EUR'))).toEqual([
      [5],
      [
        [3, '€5'],
        [4, '$5'],
        [5, '$5'],
      ],
    ])
  })
})

describe('headings as people write them', () => {
  it('are read where they can mean one column alone', async () => {
    const header = 'Record Type,Network,Air Date,AIR-TIME,Spot Length,ISCI,Status,Makegood For,Colour'
    const { entries, warnings } = await readFiles(
      { type: 'delivery_posts' },
      { 'a.csv': `${header}\nas_run,NET,2030-06-03,19:30,30,C,Aired,"71003, 71004",red` },
    )
    expect(entries).toMatchObject([{ entry: { air_date: '2030-06-03', air_time: '19:30', makegood_for: ['71003', '71004'] } }])
    expect(warnings.map(({ message }) => message)).toEqual(['The column Colour is not a known column and was ignored.'])
  })

  it('are refused where two of them are one column', async () => {
    const { errors } = await readFiles({ type: 'delivery_posts' }, { 'a.csv': `${HEADER},Air Date\n${aired('2030-06-03')},2030-06-04` })
    expect(errors).toMatchObject([{ row: 1, error_code: 'INVALID_HEADER', message: 'The column Air Date is listed twice.' }])
  })
})

describe('an unknown header', () => {
  it('offers a mapping, and names the endpoint', async () => {
    const { errors } = await readFiles({ type: 'delivery_posts' }, { 'a.csv': 'Kind,Station,Day\nspot,NET,6/3/2030' })
    expect(errors[0]?.message).toBe(
      'The column record_type is required. If the columns of the file are named by your own system, say once which is which in a mapping: PUT /v1/me/files/mappings/{name}.',
    )
  })
})

describe('a file with other headings', () => {
  const OURS = ['record_type', 'seller_order_id', 'network', 'air_date', 'air_time', 'clock', 'spot_length', 'isci', 'status', 'is_bonus']
  const THEIRS = ['Kind', 'Order #', 'Station', 'Day', 'Clock', 'Which Clock', 'Len', 'Spot', 'State', 'Free']
  const mapping: Mapping = {
    ...{ name: 'renamed', version: 'v1', updated_at: '2030-01-01T00:00:00Z', type: 'delivery_posts', headers: THEIRS },
    columns: Object.fromEntries(OURS.map((name, index) => [name, THEIRS[index] as string])),
  }
  const row = fc.tuple(
    fc.constantFrom('as_run', 'invoice', ' as_run ', ''),
    fc.constantFrom('S-1', ''),
    fc.constantFrom('NET', ''),
    fc.constantFrom('2030-06-03', '6/3/2030', '6/14/2030', '14/6/2030', '6/6/2030', 'monday'),
    fc.constantFrom('19:30', '7:45 PM', '25:10', ''),
    fc.constantFrom('calendar', 'broadcast', ''),
    fc.constantFrom('30', ':30', '0:00:30', '1,000', '1,000.0', 'x'),
    fc.constantFrom('A', ''),
    fc.constantFrom('Aired', 'Missed', 'Planned'),
    fc.constantFrom('true', 'N', '', 'maybe'),
  )
  const text = (header: readonly string[], rows: readonly (readonly string[])[]) =>
    [header, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n')

  it('is read through its mapping as one with ours, wherever its columns are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 8 }),
        fc.shuffledSubarray([...OURS.keys()], { minLength: OURS.length }),
        async (rows, order) => {
          const theirs = text(
            order.map((at) => THEIRS[at] as string),
            rows.map((cells) => order.map((at) => cells[at] as string)),
          )
          const NONE = new Map<string, never>()
          const read = await readEntriesOf('delivery_posts', 'csv', Buffer.from(theirs), NONE, [mapping])
          const mine = await readEntriesOf('delivery_posts', 'csv', Buffer.from(text(OURS, rows)), NONE)
          expect(sorted(read)).toEqual(sorted(mine))
        },
      ),
      { numRuns: 60 },
    )
  })

  /** Faults of one row in the order of their columns' names, since the columns stand elsewhere. */
  function sorted({ errors, accepted }: EntriesRead) {
    const faults = errors.map(({ row: at, field }) => `${at} ${field}`).sort()
    return { faults, accepted: accepted.map(([at, json]) => [at, JSON.parse(json)]) }
  }
})
