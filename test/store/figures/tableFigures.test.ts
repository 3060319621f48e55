import { beforeAll, describe, expect, it } from '@jest/globals'
import { readTableFigures } from '../../../src/store/figures/tableFigures.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()

const ROWS = 2_000
/** After what this connection has counted and not reported yet, which would be added to what the analyze finds. */
const analyze = async () => {
  await db.owner().query('select pg_stat_force_next_flush()')
  await db.owner().query('analyze outbox')
}
const outbox = async () => (await readTableFigures(db.pool)).find(({ name }) => name === 'outbox')

beforeAll(async () => {
  await db
    .owner()
    .query(`insert into outbox (kind, target) select 'hold', repeat('x', 100) || place from generate_series(1, ${ROWS}) place`)
  await analyze()
})

describe('the figures of the largest tables', () => {
  it('are sizes of a table and of its indexes, as the last analyze found them', async () => {
    const found = await outbox()
    expect(found?.table_bytes).toBeGreaterThan(ROWS * 100)
    expect(found?.index_bytes).toBeGreaterThan(ROWS * 10)
    expect(found).toMatchObject({ live_rows: ROWS, dead_rows: 0 })
  })

  it('do not wait for a migration that holds a table', async () => {
    const migration = await db.owner().connect()
    try {
      await migration.query('begin')
      await migration.query('lock table outbox in access exclusive mode')
      expect(await outbox()).toMatchObject({ live_rows: ROWS, dead_rows: 0 })
    } finally {
      await migration.query('rollback')
      migration.release()
    }
  })

  it('are of twenty tables at most', async () => {
    expect(await readTableFigures(db.pool)).toHaveLength(20)
  })

  it('count deleted rows apart from live ones, while the indexes keep their size', async () => {
    const before = await outbox()
    await db.owner().query('delete from outbox')
    await analyze()
    expect(await outbox()).toMatchObject({ live_rows: 0, dead_rows: ROWS, index_bytes: before?.index_bytes })
  })
})
