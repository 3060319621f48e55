import { Readable } from 'node:stream'
import { expect, it } from '@jest/globals'
import type { Avail } from '../../../src/contract/avail.ts'
import { saveAvails } from '../../../src/store/catalog/avails.ts'
import { type Publishing, withPublishLock } from '../../../src/store/catalog/publishLock.ts'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { mergeAvails, prepareSlices } from '../../../src/store/drops/dropAvails.ts'
import { readOpenRun } from '../../../src/store/drops/dropRun.ts'
import { landDrop } from '../../support/drops/drops.ts'
import { useDrops } from '../../support/drops/useDrops.ts'
import { aCatalog, anAvail, aProduct } from '../../support/orders/published.ts'

const { app, deps, name } = useDrops()

const SENT = Array.from({ length: 50 }, (_, week) =>
  anAvail('a', { period: { grain: 'week', start: `2031-W${String(week + 1).padStart(2, '0')}` } }),
) as Avail[]
const asSlice = SENT.map((avail, row) => [row, 'a', 'week', avail.period.start, avail.state, JSON.stringify(avail)].join('\t')).join('\n')

/** Rows of avails that work reads, its connection being alone. */
async function rowsRead(work: (publishing: Publishing) => Promise<void>): Promise<number> {
  const db = openDatabase(app.databaseUrl, { max: 1 })
  const read = async () => {
    const { rows } = await app
      .owner()
      .query(`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where relname = 'avails'`)
    return rows[0].read as number
  }
  const before = await read()
  await withPublishLock(db, 'station', work)
  await db.pool.query('select pg_stat_force_next_flush()')
  await db.close()
  return (await read()) - before
}

it('avails are merged by index, however many of their seller no statistics know', async () => {
  const catalog = aCatalog(aProduct('a'))
  await app.request.put('/v1/me/catalog').auth(app.tokens.sellers.station, { type: 'bearer' }).send(catalog).expect(200)
  const fill = (seller: string) =>
    app.owner().query(
      `insert into avails (seller, product_id, grain, start, state, body)
        select $1, 'a', 'day', 'day ' || n, 'available', '{}' from generate_series(1, 20000) n`,
      [seller],
    )
  await fill('cable')
  await app.owner().query('analyze avails')
  await fill('station')
  expect(await rowsRead(({ commit }) => commit((tx) => saveAvails(tx, 'station', SENT)))).toBeLessThan(1_000)

  await landDrop(deps, name, [{ filename: 'avails.csv', type: 'avails', text: 'product_id\na' }])
  const run = await readOpenRun(deps.db, name)
  if (run === undefined) throw new Error('the drop is not open')
  const merged = rowsRead(async (publishing) => {
    await prepareSlices(publishing)
    await publishing.commit(() => mergeAvails(publishing, run, Readable.from([`${asSlice}\n`])))
  })
  expect(await merged).toBeLessThan(1_000)
})
