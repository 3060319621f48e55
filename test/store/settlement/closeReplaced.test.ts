import { beforeEach, describe, expect, it } from '@jest/globals'
import { closeReplaced, outrankedWholes } from '../../../src/store/settlement/closeReplaced.ts'
import { insertRows } from '../../support/orders/rowsOfMarket.ts'
import { aBillRow, aLogRow } from '../../support/settlement/rowsOfSettlement.ts'
import { useDatabase } from '../../support/useDatabase.ts'

/** A drop of the registration 10 replaces the log that one of 5 has stored. */
const db = useDatabase()
const DROP = { seller: 'seller_one', registration: '10' }
const rows = async (sql: string) => (await db.owner().query(sql)).rows
let numbers = 0
/** A replaced row of the log, named by its copy. */
const earlier = (isci: string, air_time: string | null, more: object = {}) =>
  ['as_run_rows_aside', { ...aLogRow('ord_1', ++numbers)[1], registration: 5, replaced_in: 10, isci, air_time, ...more }] as const
const sent = (isci: string, air_time: string | null, more: object = {}) =>
  aLogRow('ord_1', ++numbers, { registration: 10, isci, air_time, ...more })
const refused = (more: object = {}) =>
  [
    'refused_posts',
    {
      ...{ seller: 'seller_one', registration: 10, file: 'f', row: ++numbers, record_type: 'as_run', network: 'CBL' },
      ...{ broadcast_date: '2030-06-01', log_id: '', ...more },
    },
  ] as const
const close = async () => {
  const client = await db.pool.connect()
  try {
    await client.query('begin')
    const closed = await closeReplaced(client, DROP)
    await client.query('commit')
    return closed
  } finally {
    client.release()
  }
}
/** The copies of the earlier rows that stay. */
const kept = async (...made: Parameters<typeof insertRows>[1]) => {
  await insertRows(db.owner(), made)
  const [closed] = await close()
  const stay = (await rows('select isci from as_run_rows where registration = 5 order by 1')).map(({ isci }) => isci)
  expect(stay).toHaveLength(closed?.kept ?? 0)
  return stay
}

beforeEach(async () => {
  await db
    .owner()
    .query(`set session_replication_role = replica; delete from as_run_rows; delete from as_run_rows_aside; delete from billed_rows;
    delete from billed_rows_aside; delete from refused_posts; delete from drops; delete from as_run_days; delete from reconcile_due;
    set session_replication_role = origin`)
})

describe('the replaced rows of a log', () => {
  const LOG = [earlier('A', '10:00'), earlier('B', '11:00'), earlier('C', '12:00'), sent('A', '10:00')]

  it('go, where no row of the drop was refused', async () => {
    expect(await kept(...LOG)).toEqual([])
    expect(await rows('select from as_run_rows_aside')).toEqual([])
  })

  it.each<[string, object, string[]]>([
    ['of its own time', { air_date: '2030-06-01', air_time: '12:00' }, ['C']],
    ['of its own copy', { isci: 'C' }, ['C']],
    ['of its own time before one of its copy', { air_date: '2030-06-01', air_time: '12:00', isci: 'B' }, ['C']],
    ['first in time', {}, ['B']],
    ['first in time, whatever the time of another date', { air_date: '2030-06-02', air_time: '12:00' }, ['B']],
    ['of another log: none', { log_id: 'x' }, []],
    ['of an invoice: none', { record_type: 'invoice', network: null, broadcast_date: null, log_id: null }, []],
    ['of another drop: none', { registration: 11 }, []],
    ['of no known log: all', { log_id: null }, ['B', 'C']],
    ['of nothing that could be read: all', { record_type: null, network: null, broadcast_date: null, log_id: null }, ['B', 'C']],
  ])('leave for a refused row one %s', async (_, row, stay) => {
    expect(await kept(...LOG, refused(row))).toEqual(stay)
  })

  it('leave as many as were refused, and none that comes again', async () => {
    expect(await kept(...LOG, refused(), refused())).toEqual(['B', 'C'])
  })

  it('go where the drop has another row of their date and time, first those that it says again', async () => {
    expect(await kept(earlier('A', '10:00'), earlier('B', '10:00'), sent('B', '10:00'), refused())).toEqual(['A'])
  })

  it('are told apart without a time, by date and by what they say', async () => {
    const other = { air_date: '2030-06-02' }
    expect(
      await kept(earlier('A', null), earlier('B', null, other), earlier('C', null), sent('B', null), refused(), refused(), refused()),
    ).toEqual(['B', 'C'])
  })

  it('are of the drop alone, and named with the drop that it replaced', async () => {
    const drop = (registration: number) =>
      ['drops', { seller: 'seller_one', drop_id: `d${registration}`, run_no: 1, registration, schema_version: '1', files: '[]' }] as const
    const later = earlier('Z', '10:00', { replaced_in: 11 })
    await insertRows(db.owner(), [drop(5), drop(4), ...LOG, earlier('D', '13:00', { registration: 4 }), later, refused()])
    expect(await close()).toMatchObject([
      { network: 'CBL', broadcast_date: '2030-06-01', log_id: '', replaced: 4, missing: 3, kept: 1, drop_id: 'd5', file: 'f' },
    ])
    expect(await rows('select isci from as_run_rows_aside')).toEqual([{ isci: 'Z' }])
    expect(await rows('select order_id from reconcile_due')).toEqual([{ order_id: 'ord_1' }])
    expect(await close()).toEqual([])
  })
})

describe('the replaced rows of an invoice', () => {
  it('go like those of a log', async () => {
    const bill = (row: number, more: object) =>
      ['billed_rows_aside', { ...aBillRow('ord_1', row)[1], registration: 5, replaced_in: 10, ...more }] as const
    const none = { network: null, broadcast_date: null, log_id: null }
    await insertRows(db.owner(), [
      bill(1, { isci: 'A', air_time: '10:00' }),
      bill(2, { isci: 'B', air_time: '11:00', invoice_number: 'n2' }),
      refused({ record_type: 'invoice', ...none, invoice_number: 'n2' }),
      refused(),
    ])
    expect(await close()).toMatchObject([
      { invoice_number: 'n1', replaced: 1, missing: 1, kept: 0, file: '', row: 0 },
      { invoice_number: 'n2', replaced: 1, missing: 1, kept: 1 },
    ])
    expect(await rows('select isci from billed_rows')).toEqual([{ isci: 'B' }])
  })
})

describe('what a drop has that does not count', () => {
  it('is named with the drop and the revision that stand, so many', async () => {
    const outranked = (row: number, more: object = {}) =>
      ['as_run_rows_aside', { ...aLogRow('ord_1', row)[1], registration: 10, replaced_in: null, ...more }] as const
    const day = (log_id: string, more: object = {}) =>
      [
        'as_run_days',
        { seller: 'seller_one', network: 'CBL', broadcast_date: '2030-06-01', log_id, revision: 3, registration: 7, file: 'f', ...more },
      ] as const
    await insertRows(db.owner(), [
      ...[outranked(7, { file: 'g' }), outranked(6, { file: 'g' }), outranked(9), outranked(1, { log_id: 'x' })],
      ...[outranked(2, { registration: 9, log_id: 'y' }), outranked(3, { replaced_in: 12, log_id: 'z' })],
      ...[day(''), day('x'), day('y'), day('z'), day('', { seller: 'seller_two' })],
    ])
    const read = async (max: number) => {
      const client = await db.pool.connect()
      const found = await outrankedWholes(client, DROP, max)
      client.release()
      return found.map(({ log_id, rows: n, revision, file, row }) => `${log_id} ${n} ${revision} ${file} ${row}`)
    }
    expect([await read(9), await read(1)]).toEqual([[' 3 3 f 9', 'x 1 3 f 1'], [' 3 3 f 9']])
  })
})
