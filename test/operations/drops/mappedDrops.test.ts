import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { PutMapping } from '../../../src/contract/mapping.ts'
import { storeDropPosts } from '../../../src/operations/drops/storeDropPosts.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { deleteMapping, saveMapping } from '../../../src/store/drops/mappings.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import { type FileToDrop, ingest, landDrop, STAGES } from '../../support/drops/drops.ts'
import { useDrops } from '../../support/drops/useDrops.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'
import { until } from '../../support/until.ts'

const { app, deps, name, result } = useDrops()
beforeAll(() => bookOrders(app.deps.db, { order_id: 'ord_s1', seller_order_id: 'S-1', units: ['u'] }))
const db = () => app.deps.db
const STATION = operator('station', 'seller', 'command_line')

const HEADINGS = ['Day', 'Clock', 'Len', 'Copy', 'Kind', 'Line', 'Makes good', 'Order']
const LOG: PutMapping = {
  type: 'delivery_posts',
  headers: HEADINGS,
  columns: {
    air_date: 'Day',
    air_time: 'Clock',
    spot_length: 'Len',
    isci: 'Copy',
    is_bonus: 'Kind',
    seller_line_id: 'Line',
    makegood_for: 'Makes good',
    seller_order_id: 'Order',
  },
  constants: { record_type: 'as_run', network: 'NET', status: 'Aired' },
  values: { is_bonus: { BNS: 'true', COM: 'false' } },
  skip: [{ column: 'Kind', in: ['PRG'] }],
  date_order: 'mdy',
}
const spot = (minute: number, kind = 'COM', good = '', day = '6/3/2030') =>
  `${day},19:${String(minute).padStart(2, '0')}:00,:30,C,${kind},71003,"${good}",S-1`
const file = (filename: string, ...lines: string[]): FileToDrop => ({
  filename,
  type: 'delivery_posts',
  text: [HEADINGS.join(','), ...lines].join('\n'),
})
const rows = async () =>
  (
    await db().pool.query(
      `select network, air_date::text, air_time, noted from as_run_rows where seller = 'station' order by air_date, air_time`,
    )
  ).rows
const versionsOf = async () =>
  (await db().pool.query(`select body->>'date_order' as date_order from drop_mappings where seller = 'station' order by 1`)).rows.map(
    ({ date_order }) => date_order,
  )

beforeEach(async () => {
  await db().pool.query(`delete from as_run_rows where seller = 'station'`)
  await db().pool.query(`delete from drop_mappings where seller = 'station'`)
  await saveMapping(db(), STATION, 'log', LOG, {})
})

describe('a drop with a file that a mapping fits', () => {
  it('is read by it, keeps what else the rows say, and says so in its result', async () => {
    await landDrop(deps, name, [file('log.csv', spot(1, 'BNS', '71003, 71004'), spot(2, 'PRG'), spot(3))])
    await ingest(deps, name)
    const { version } = (await saveMapping(db(), STATION, 'log', LOG, {})).mapping
    expect(await result()).toMatchObject({
      status: 'success',
      counts: { delivery_posts: { rows_written: 2, rows_rejected: 0 } },
      mappings: [{ file: 'log.csv', mapping: 'log', version }],
      warnings: [{ file: 'log.csv', code: 'SKIPPED_ROWS' }],
    })
    expect(await rows()).toEqual([
      {
        ...{ network: 'NET', air_date: '2030-06-03', air_time: '19:01:00' },
        noted: { is_bonus: true, makegood_for: ['71003', '71004'], seller_line_id: '71003' },
      },
      { network: 'NET', air_date: '2030-06-03', air_time: '19:03:00', noted: { is_bonus: false, seller_line_id: '71003' } },
    ])
  })

  it('has no mappings in its result where its files have our columns', async () => {
    const text = 'record_type,network,air_date,air_time,spot_length,status,seller_order_id\nas_run,NET,2030-06-04,19:30,30,Aired,S-1'
    await landDrop(deps, name, [{ filename: 'ours.csv', type: 'delivery_posts', text }])
    await ingest(deps, name)
    expect((await result()).mappings).toBeUndefined()
  })

  it('is refused by name where several mappings fit, until the manifest names one', async () => {
    await saveMapping(db(), STATION, 'other', { ...LOG, constants: { ...LOG.constants, network: 'OTHER' } }, {})
    const log = file('log.csv', spot(1, 'COM', '', '6/5/2030'))
    await landDrop(deps, name, [log])
    await ingest(deps, name)
    expect(await result()).toMatchObject({
      status: 'rejected',
      errors: [{ error_code: 'INVALID_HEADER', field: 'mapping', message: expect.stringContaining('log, other') }],
    })
    await landDrop(deps, name, [{ ...log, mapping: 'other' }])
    await ingest(deps, name)
    expect(await result()).toMatchObject({ status: 'success', mappings: [{ mapping: 'other' }] })
    expect((await rows()).map(({ network }) => network)).toEqual(['OTHER'])
  })

  it('is refused where the named mapping reads columns that the file lacks', async () => {
    await landDrop(deps, name, [{ filename: 'x.csv', type: 'delivery_posts', text: 'Day,Clock,Other\n1,2,3', mapping: 'log' }])
    await ingest(deps, name)
    expect((await result()).errors).toMatchObject([
      {
        row: 1,
        error_code: 'INVALID_HEADER',
        message: 'The mapping log reads columns that no header in the first 21 rows has once: Len, Copy, Kind, Line, Makes good, Order.',
      },
    ])
  })
})

describe('a mapping that changes after a drop was registered', () => {
  const DMY: PutMapping = { ...LOG, date_order: 'dmy' }

  it.each([
    ['is replaced', () => saveMapping(db(), STATION, 'log', DMY, {})],
    ['is deleted', () => deleteMapping(db(), STATION, 'log')],
  ])('%s: the drop still reads by the earlier one', async (_, change) => {
    await landDrop(deps, name, [file('log.csv', spot(Number(name.drop_id.slice(1))), spot(50))])
    await change()
    await ingest(deps, name)
    expect(await result()).toMatchObject({ status: 'success', mappings: [{ mapping: 'log' }] })
    expect(new Set((await rows()).map(({ air_date }) => air_date))).toEqual(new Set(['2030-06-03']))
  })

  it('does not change half of it, where a stage is stopped between two slices and goes on later', async () => {
    const lines = Array.from({ length: 25_000 }, (_, n) => spot(n % 60, 'COM', String(n)))
    await landDrop(deps, name, [file('long.csv', ...lines), file('more.csv', spot(7, 'BNS'))])
    for (const stage of ['fetch', 'publish', 'avails'] as const) await STAGES[stage](deps, name, new AbortController().signal)
    const stop = new AbortController()
    const stopped = storeDropPosts(deps, name, stop.signal)
    await until(async () => ((await readDrop(db(), 'station', name.drop_id))?.cursor_row ?? 0) > 0, 60)
    stop.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    await saveMapping(db(), STATION, 'log', DMY, {})
    expect(await versionsOf()).toEqual(['dmy', 'mdy'])
    await ingest(deps, name)
    const read = await result()
    expect([read.status, read.rows_written, read.mappings.length]).toEqual(['success', 25_001, 2])
    expect(new Set(read.mappings.map(({ version }: { version: string }) => version)).size).toBe(1)
    expect(new Set((await rows()).map(({ air_date }) => air_date))).toEqual(new Set(['2030-06-03']))
    await saveMapping(db(), STATION, 'log', LOG, {})
    expect(await versionsOf()).toEqual(['mdy'])
  })
})

describe('files that were refused, sent again', () => {
  it('are read again once a mapping was made, and not before', async () => {
    await deleteMapping(db(), STATION, 'log')
    const log = file('log.csv', spot(1, 'COM', '', '6/7/2030'))
    await landDrop(deps, name, [log])
    await ingest(deps, name)
    expect(await result()).toMatchObject({
      status: 'rejected',
      errors: [{ message: expect.stringContaining('PUT /v1/me/files/mappings/{name}') }, {}, {}],
    })
    expect(await landDrop(deps, name, [log])).toMatchObject({ original: { run_no: 1 } })
    await saveMapping(db(), STATION, 'log', LOG, {})
    expect(await landDrop(deps, name, [log])).toMatchObject({ run: { run_no: 2 } })
    await ingest(deps, name)
    expect(await result()).toMatchObject({ status: 'success', rows_written: 1 })
  })
})

describe('prices and avails with other headings', () => {
  it('are read by mappings, and say so in the result', async () => {
    const mapping = (type: PutMapping['type'], columns: PutMapping['columns'], constants: PutMapping['constants']): PutMapping => ({
      ...{ type, headers: Object.values(columns), columns, constants },
      decimal: 'comma',
    })
    await saveMapping(
      db(),
      STATION,
      'cat',
      mapping(
        'catalog',
        { product_id: 'Nr', 'definition.selling_title': 'Titel', 'definition.days': 'Tage' },
        {
          ...{
            type: 'daypart',
            network: 'NET',
            buy_types: 'preemptible',
            taxonomy_version: '1',
            'definition.start': '19:00',
            'definition.end': '22:00',
          },
          ...{ 'definition.timezone': 'UTC', 'effective.start': '2030-06-03', 'effective.end': '2030-09-01', name: 'Abend' },
        },
      ),
      {},
    )
    await saveMapping(
      db(),
      STATION,
      'card',
      mapping(
        'rate_cards',
        { product_id: 'Nr', gross_rate_unit: 'Preis', spot_length: 'Dauer' },
        {
          ...{ market_class: 'scatter', advertiser_class: 'general', buy_type: 'preemptible', currency: 'USD' },
          ...{ 'effective.start': '2030-06-03', 'effective.end': '2030-09-01' },
        },
      ),
      {},
    )
    await saveMapping(
      db(),
      STATION,
      'frei',
      mapping(
        'avails',
        { product_id: 'Nr', 'period.start': 'Woche', 'spots.available': 'Frei', sellout_level: 'Quote' },
        { 'period.grain': 'week', state: 'available' },
      ),
      {},
    )
    await landDrop(deps, name, [
      { filename: 'catalog.csv', type: 'catalog', text: 'Nr,Titel,Tage\np1,Abend,M-F' },
      { filename: 'card.csv', type: 'rate_cards', text: 'Nr,Preis,Dauer\np1,"1.250,50",30s' },
      { filename: 'avails.csv', type: 'avails', text: 'Nr,Woche,Frei,Quote\np1,2030-W23,1.200,85%' },
    ])
    await ingest(deps, name)
    expect(await result()).toMatchObject({
      status: 'success',
      rows_written: 3,
      mappings: [{ mapping: 'cat' }, { mapping: 'card' }, { mapping: 'frei' }],
    })
    const { rows: prices } = await db().pool.query(
      `select gross_rate_unit::text as cost from rate_entries where seller = 'station' and product_id = 'p1'`,
    )
    expect(prices[0]?.cost).toMatch(/^1250\.50?$/)
    const { rows: avails } = await db().pool.query(`select body from avails where seller = 'station' and product_id = 'p1'`)
    expect(avails[0]?.body).toMatchObject({ spots: { available: 1200 }, sellout_level: 0.85 })
  })
})
