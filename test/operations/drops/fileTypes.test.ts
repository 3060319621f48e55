import { describe, expect, it } from '@jest/globals'
import { readApart, readFiles } from '../../support/files/readFiles.ts'

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

describe('catalog from csv', () => {
  const HEAD =
    'product_id,type,network,buy_types,definition.title,definition.timezone,definition.occurrences.date,definition.occurrences.start,definition.occurrences.end'
  const film = (date: string, more = ',program,NET,preemptible,Film,UTC') => `film${more},${date},20:00,22:00`
  const read = (...rows: string[]) => readFiles({ type: 'catalog' }, { 'a.csv': lines(HEAD, ...rows) })

  it('joins adjacent rows of a product, whose other cells are empty or alike', async () => {
    const { entries, accepted } = await read(film('2030-06-05'), film('2030-06-06', ',,,,,'), film('2030-06-07'))
    expect(entries).toMatchObject([
      { row: 2, rows: 3, entry: { definition: { occurrences: ['05', '06', '07'].map((day) => ({ date: `2030-06-${day}` })) } } },
    ])
    expect(accepted).toBe(3)
  })

  it('names the row of an item that is not valid', async () => {
    const { entries, errors, rejected } = await read(film('2030-06-05'), film('2030-06-31'), film('2030-06-07'))
    expect(errors).toMatchObject([{ row: 3, error_code: 'INVALID_ENTRY', field: 'definition.occurrences.1.date', value: '2030-06-31' }])
    expect([entries, rejected]).toEqual([[], 3])
  })

  it('refuses a product whose rows differ', async () => {
    const { errors, rejected } = await read(film('2030-06-05'), film('2030-06-06', ',,OTHER,,,'))
    expect(errors).toMatchObject([
      { row: 3, field: 'network', message: 'network differs from row 2 of the same product; leave it empty or repeat it.' },
    ])
    expect(rejected).toBe(2)
  })

  it('keeps rows of a product apart that are not adjacent', async () => {
    const other = film('2030-06-05').replace('film', 'other')
    const { entries } = await read(film('2030-06-05'), other, film('2030-06-06'))
    expect(entries.map(({ row, rows }) => [row, rows])).toEqual([
      [2, undefined],
      [3, undefined],
      [4, undefined],
    ])
  })

  it('has one taxonomy version', async () => {
    const rows = ['v1', '', 'v2'].map((version, index) => `${film('2030-06-05').replace('film', `film${index}`)},${version}`)
    const { heads, errors, entries } = await readFiles({ type: 'catalog' }, { 'a.csv': lines(`${HEAD},taxonomy_version`, ...rows) })
    expect(heads).toEqual([{ kind: 'catalog', file: 0, row: 2, taxonomy_version: 'v1' }])
    expect(errors).toMatchObject([{ row: 4, error_code: 'INVALID_ENTRY', field: 'taxonomy_version', value: 'v2' }])
    expect(entries.map(({ row }) => row)).toEqual([2, 3])
  })
})

describe('rate cards from csv', () => {
  const HEAD = 'product_id,market_class,advertiser_class,spot_length,buy_type,gross_rate_unit,gross_rate_cpm'
  const rate = (unit: string, cpm = '') => `prime,scatter,general,30,preemptible,${unit},${cpm}`
  const EFFECTIVE = { start: '2030-06-03', end: '2030-09-01' }

  it('are a commit named after the drop and the file, over the window of the manifest', async () => {
    const { heads, entries } = await readFiles({ type: 'rate_cards', effective: EFFECTIVE }, { 'a.csv': lines(HEAD, rate('4200.10')) })
    expect(heads).toEqual([{ kind: 'commit', file: 0, row: 2, number: 0, commit: 'drop-1-00000000', effective: EFFECTIVE }])
    expect(entries).toMatchObject([{ row: 2, commit: 0, entry: { gross_rate_unit: 4200.1 } }])
  })

  it('are several commits where rows name them', async () => {
    const rows = [
      ',c1,2030-06-03,2030-06-09,',
      ',c2,2030-06-03,2030-06-09,agr_1',
      ',c1,2030-06-03,2030-06-09,',
      ',c1,2030-06-10,2030-06-16,',
    ]
    const { heads, entries, errors } = await readFiles(
      { type: 'rate_cards' },
      { 'a.csv': lines(`${HEAD},commit,effective.start,effective.end,agreement_id`, ...rows.map((row) => rate('1') + row)) },
    )
    expect(heads).toMatchObject([
      { number: 0, commit: 'c1', row: 2 },
      { number: 1, commit: 'c2', row: 3, agreement_id: 'agr_1' },
    ])
    expect(entries.map(({ row, commit }) => [row, commit])).toEqual([
      [2, 0],
      [3, 1],
      [4, 0],
    ])
    expect(errors).toMatchObject([{ row: 5, field: 'effective.start', message: 'effective.start differs from row 2 of the commit c1.' }])
  })

  it('are refused without a window, and with both costs or neither', async () => {
    expect((await readFiles({ type: 'rate_cards' }, { 'a.csv': lines(HEAD, rate('1')) })).errors).toMatchObject([
      { row: 2, field: 'effective' },
    ])
    const { errors } = await readFiles(
      { type: 'rate_cards', effective: EFFECTIVE },
      { 'a.csv': lines(HEAD, rate(''), rate('1', '2'), rate('', '2')) },
    )
    expect(errors.map(({ row, field, message }) => [row, field, message])).toEqual([
      [2, 'gross_rate_unit', 'The entry must have exactly one of gross_rate_unit and gross_rate_cpm; it has neither.'],
      [3, 'gross_rate_unit', 'The entry must have exactly one of gross_rate_unit and gross_rate_cpm; it has both.'],
    ])
  })

  it('are the bodies of json files', async () => {
    const entry = {
      product_id: 'prime',
      market_class: 'scatter',
      advertiser_class: 'general',
      spot_length: 30,
      buy_type: 'preemptible',
      gross_rate_cpm: 2,
    }
    const body = (commit: string) => ({ entries: [entry], commit, effective: EFFECTIVE })
    const { heads, entries } = await readFiles({ type: 'rate_cards' }, { 'a.json': JSON.stringify([body('c1'), body('c2')]) })
    expect(heads.map((head) => head.kind === 'commit' && head.commit)).toEqual(['c1', 'c2'])
    expect(entries.map(({ row, commit }) => [row, commit])).toEqual([
      [1, 0],
      [2, 1],
    ])
  })
})

describe('delivery posts', () => {
  const read = (name: string, content: string) => readFiles({ type: 'delivery_posts' }, { [name]: content })
  const AS_RUN = 'record_type,order_id,network,air_date,air_time,clock,spot_length,isci,status,reason'

  it('are logs', async () => {
    const rows = ['as_run,ord_1,NET,2030-06-05,19:29:58,,30,ABCD1234,Aired,', 'as_run,,NET,2030-06-05,,,30,ABCD1234,Missed,technical']
    const { entries, errors } = await read('a.csv', lines(AS_RUN, ...rows))
    expect(errors).toEqual([])
    expect(entries).toMatchObject([
      {
        row: 2,
        entry: { record_type: 'as_run', order_id: 'ord_1', air_time: '19:29:58', clock: 'calendar', spot_length: 30, status: 'Aired' },
      },
      { row: 3, entry: { status: 'Missed', reason: 'technical' } },
    ])
  })

  const REFUSED: [string, string][] = [
    ['air_time', 'as_run,ord_1,NET,2030-06-05,24:10,calendar,30,A,Aired,'],
    ['air_time', 'as_run,ord_1,NET,2030-06-05,,,30,A,Aired,'],
    ['spot_length', 'as_run,ord_1,NET,2030-06-05,19:00,,0,A,Aired,'],
    ['air_date', 'as_run,ord_1,NET,2030-06-31,19:00,,30,A,Aired,'],
    ['status', 'as_run,ord_1,NET,2030-06-05,19:00,,30,A,,'],
    ['record_type', 'log,ord_1,NET,2030-06-05,19:00,,30,A,Aired,'],
  ]
  const readOne = readApart({ type: 'delivery_posts' }, Object.fromEntries(REFUSED.map(([, row]) => [row, ['a.csv', lines(AS_RUN, row)]])))
  it.each(REFUSED)('of a log are refused for %s', async (field, row) => {
    const { errors } = await readOne(row)
    expect(errors).toMatchObject([{ row: 2, error_code: 'INVALID_ENTRY', field }])
  })

  it('take times of a broadcast day', async () => {
    const { entries } = await read('a.csv', lines(AS_RUN, 'as_run,ord_1,NET,2030-06-05,29:59,broadcast,30,A,Aired,'))
    expect(entries).toMatchObject([{ entry: { air_time: '29:59', clock: 'broadcast' } }])
  })

  const INVOICE =
    'record_type,seller_order_id,network,air_date,air_time,spot_length,invoice_number,invoice_date,broadcast_month,currency,run_code,rate,invoice_gross'
  const billed = (rate: string, reference = 'S-1') =>
    `invoice,${reference},NET,2030-06-05,19:30,30,INV1,2030-07-01,2030-06,USD,Y,${rate},8400.20`

  it('are invoices', async () => {
    const { entries, errors } = await read('a.csv', lines(INVOICE, billed('4200.10'), billed('"1,000,5"'), billed('1', '')))
    expect(entries).toMatchObject([
      { row: 2, entry: { record_type: 'invoice', rate: 4200.1, invoice_gross: 8400.2, broadcast_month: '2030-06' } },
    ])
    expect(errors).toMatchObject([
      { row: 3, field: 'rate', value: '1,000,5' },
      { row: 4, field: 'order_id' },
    ])
  })

  it('are audience posts', async () => {
    const head = 'record_type,order_id,network,air_date,unit_id,audience_code,stream,impressions,final'
    const { entries, errors } = await read(
      'a.csv',
      lines(head, 'post,ord_1,NET,2030-06-05,unit_1,P18-49,C3,12000.5,true', 'post,ord_1,NET,2030-06-05,u,P18-49,C4,1,maybe'),
    )
    expect(entries).toMatchObject([{ row: 2, entry: { impressions: 12_000.5, final: true } }])
    expect(errors.map(({ row, field }) => [row, field])).toEqual([
      [3, 'stream'],
      [3, 'final'],
    ])
  })

  it('are a station invoice file', async () => {
    const header = ['31', ...Array<string>(30).fill('')]
    Object.assign(header, { 5: '300701', 8: 'INV1', 9: '3006', 21: 'ext-1', 22: 'S000000001' })
    const spot = (time: string, rate: string, code = 'Y') => `51;${code};300605;3;${time};30;ABCD1234;${rate};;;;`
    const content = [
      '21;Agency',
      '22;WNET;TV',
      '23;Payee',
      header.join(';'),
      '41;1',
      spot('1930', '420010'),
      spot('2510', '5', 'Y'),
      spot('', '0', 'N'),
      '34;3;420015;63002;357013;;;;;;;;3',
      '12;1',
      '',
    ]
    const { entries, errors } = await read('invoices.csv', content.join('\r\n'))
    expect(errors).toEqual([])
    expect(entries).toMatchObject([
      {
        row: 6,
        entry: {
          ...{
            record_type: 'invoice',
            seller_order_id: 'S000000001',
            network: 'WNET',
            air_date: '2030-06-05',
            air_time: '19:30',
            clock: 'calendar',
          },
          ...{
            spot_length: 30,
            isci: 'ABCD1234',
            invoice_number: 'INV1',
            invoice_date: '2030-07-01',
            broadcast_month: '2030-06',
            run_code: 'Y',
          },
          ...{ rate: 4200.1, invoice_gross: 4200.15, invoice_commission: 630.02, invoice_net: 3570.13, invoice_spot_count: 3 },
        },
      },
      { row: 7, entry: { air_time: '25:10', clock: 'broadcast', rate: 0.05 } },
      { row: 8, entry: { run_code: 'N', rate: 0 } },
    ])
  })
})
