import { Readable } from 'node:stream'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { lockedTransaction, lockOn } from '../../../src/store/connection/lockedTransaction.ts'
import { closeReplaced } from '../../../src/store/settlement/closeReplaced.ts'
import { deleteSupersededRows, replacePosts } from '../../../src/store/settlement/replacePosts.ts'
import { preparePosts, stagePosts } from '../../../src/store/settlement/stagePosts.ts'
import { billed, logged } from '../../support/drops/sellerRows.ts'
import { insertRows } from '../../support/orders/rowsOfMarket.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'
import { aBillRow, aLogRow } from '../../support/settlement/rowsOfSettlement.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const SELLER = 'station'
const db = useDatabase()
let row = 0

beforeAll(async () => {
  await db.owner().query(`insert into tenants (entity, side, name) values ('${SELLER}', 'seller', 'Station')`)
  await db.owner().query(`insert into sellers (seller, profile) values ('${SELLER}', '{}')`)
  await bookOrders(db, { order_id: 'ord_1', units: ['u1'] })
})
beforeEach(async () => {
  for (const table of ['as_run_days', 'as_run_rows', 'as_run_rows_aside', 'seller_invoices', 'billed_rows', 'billed_rows_aside'])
    await db.pool.query(`delete from ${table}`)
})

/** Stores a slice of the one file of a drop. */
const slice = (registration: number, ...entries: Record<string, unknown>[]) =>
  lockedTransaction(db.pool, lockOn(`drops:${SELLER}`), async (client) => {
    await preparePosts(client)
    const lines = entries.map((entry) => {
      row += 1
      return JSON.stringify({ row, entry: { ran: true, broadcast_date: entry.air_date, clock: 'calendar', ...entry } })
    })
    await stagePosts(client, SELLER, Readable.from([lines.join('\n')]))
    await replacePosts(client, { seller: SELLER, registration: String(registration), file: 'posts.jsonl' })
  })
const log = (air_time: string, revision: number) => logged({ air_time, revision })
const bill = (air_time: string, revision: number, more: object = {}) => billed({ air_time, revision, ...more })
const timesOf = async (table: string) =>
  (await db.pool.query<{ air_time: string }>(`select air_time from ${table} order by air_time`)).rows.map(({ air_time }) => air_time)
/** The times of the rows that a drop has set aside of its own. */
const asideOf = (table: string) => timesOf(`${table}_aside where replaced_in is null`)

describe('the revision of a file', () => {
  it.each([
    ['a log', log, 'as_run_rows'],
    ['an invoice', bill, 'billed_rows'],
  ])('decides on all rows of %s, in whichever slice it is', async (_, entry, table) => {
    await slice(1, entry('20:00', 1))
    await slice(2, entry('20:10', 0))
    expect(await timesOf(table)).toEqual(['20:00'])
    await slice(2, entry('20:20', 2))
    expect(await timesOf(table)).toEqual(['20:10', '20:20'])
    await slice(2, entry('20:30', 0))
    expect(await timesOf(table)).toEqual(['20:10', '20:20', '20:30'])
    expect(await asideOf(table)).toEqual([])
  })

  it('leaves what is there, and nothing else, where no slice of it wins', async () => {
    await slice(1, log('20:00', 1), bill('20:00', 1))
    await slice(2, log('20:10', 0), bill('20:10', 0))
    await deleteSupersededRows(db, { seller: SELLER, registration: '1' }) // a late attempt of the drop before takes nothing from this one
    expect([await asideOf('as_run_rows'), await asideOf('billed_rows')]).toEqual([['20:10'], ['20:10']])
    await deleteSupersededRows(db, { seller: SELLER, registration: '2' })
    await slice(3, log('20:20', 1), bill('20:20', 1))
    for (const table of ['as_run_rows', 'billed_rows']) expect([await timesOf(table), await asideOf(table)]).toEqual([['20:20'], []])
  })
})

it('rows that a drop replaces wait for its end, whatever a late attempt of the drop before clears, and are decided on once', async () => {
  await slice(1, log('20:00', 0), log('20:10', 0), bill('20:00', 0))
  await slice(2, log('20:10', 0), bill('20:00', 0))
  await deleteSupersededRows(db, { seller: SELLER, registration: '1' })
  const settle = () =>
    lockedTransaction(db.pool, lockOn(`drops:${SELLER}`), (client) => closeReplaced(client, { seller: SELLER, registration: '2' }))
  const [first, second] = [await settle(), await settle()]
  expect(first).toMatchObject([
    {
      network: 'CBL',
      broadcast_date: '2026-12-07',
      log_id: '',
      invoice_number: null,
      file: 'posts.jsonl',
      replaced: 2,
      missing: 1,
      kept: 0,
    },
    { network: null, broadcast_date: null, log_id: null, invoice_number: 'I-1', replaced: 1, missing: 0, kept: 0 },
  ])
  expect([second, await timesOf('as_run_rows_aside'), await timesOf('billed_rows_aside')]).toEqual([[], [], []])
})

it('what an invoice states of itself in one slice is kept when the next one says nothing of it', async () => {
  await slice(1, bill('20:00', 0, { invoice_gross: 200, invoice_spot_count: 2 }))
  await slice(1, bill('20:10', 0))
  const stated = async () => (await db.pool.query('select gross, spot_count from seller_invoices')).rows
  expect(await stated()).toEqual([{ gross: '200', spot_count: 2 }])
  await slice(2, bill('20:10', 0))
  expect(await stated()).toEqual([{ gross: null, spot_count: null }])
})

it('replaces the rows of the same day of the same log, or of the same invoice, of the seller, and says which drops they were of', async () => {
  const drop = (registration: number, seller = SELLER) =>
    ['drops', { seller, drop_id: `d${registration}`, run_no: 1, registration, schema_version: '1', files: '[]' }] as const
  await insertRows(db.owner(), [
    ...[drop(1), drop(2), drop(3), drop(4, 'other')],
    aLogRow('ord_9', 900, { seller: 'other', broadcast_date: '2026-12-07', air_time: '23:00', registration: 4 }),
    aBillRow('ord_9', 901, { seller: 'other', invoice_number: 'I-1', air_time: '23:00', registration: 4 }),
  ])
  const elsewhere = [
    { air_date: '2026-12-08', air_time: '21:00' },
    { log_id: 'x', air_time: '21:10' },
    { network: 'ELSE', air_time: '21:20' },
  ]
  await slice(3, ...elsewhere.map((more) => logged({ revision: 0, ...more })), bill('21:00', 0, { invoice_number: 'I-2' }))
  await slice(1, log('20:00', 0), bill('20:00', 0))
  for (let times = 0; times < 2; times += 1) await slice(2, log('20:10', 0), bill('20:10', 0))
  expect(await timesOf('as_run_rows')).toEqual(['20:10', '20:10', '21:00', '21:10', '21:20', '23:00'])
  expect(await timesOf('billed_rows')).toEqual(['20:10', '20:10', '21:00', '23:00'])
  expect((await db.pool.query('select drop_id from drops where is_replaced order by 1')).rows).toEqual([{ drop_id: 'd1' }])
})
