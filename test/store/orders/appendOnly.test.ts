import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { type Database, openDatabase } from '../../../src/store/connection/database.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/engines/database.ts'
import { negotiating } from '../../support/orders/storedOrders.ts'

let cloned: ClonedDatabase
let db: Database
let owner: pg.Client
beforeAll(async () => {
  cloned = await cloneDatabase()
  db = openDatabase(cloned.url)
  owner = new pg.Client({ connectionString: cloned.url })
  await owner.connect()
  await negotiating(openOrderLog(db, () => undefined))
  await owner.query(`insert into notices values ('evt_1', 'buyer_one', '{}')`)
  await owner.query(
    `insert into security_events (event_id, entity, side, action, via) values ('sec_1', 'buyer_one', 'buyer', 'token.issued', 'platform')`,
  )
})
afterAll(async () => {
  await owner.end()
  await db.close()
  await cloned.drop()
})

const RECORDS = [
  ['order_records', 'reply'],
  ['order_events', 'body'],
  ['order_outcomes', 'outcome'],
  ['notices', 'body'],
  ['feed', 'event_type'],
  ['security_events', 'action'],
] as const
const STATEMENTS = RECORDS.flatMap(([table, column]) => [
  `update ${table} set ${column} = ${column}`,
  `delete from ${table}`,
  `truncate ${table}`,
  `truncate ${table} cascade`,
])

describe('what was recorded', () => {
  it.each(RECORDS.map(([table]) => table))('stands in %s', async (table) => {
    const { rows } = await owner.query(`select count(*)::int as count from ${table}`)
    expect(rows[0].count).toBeGreaterThan(0) // else the statements below would have nothing to refuse
  })

  it.each(STATEMENTS)('is beyond the application: %s', async (statement) => {
    await expect(db.pool.query(statement)).rejects.toMatchObject({ code: '42501', message: expect.stringMatching(/^permission denied/) })
  })

  it.each(STATEMENTS)('is kept from its owner too: %s', async (statement) => {
    await expect(owner.query(statement)).rejects.toMatchObject({ code: '42501', message: expect.stringMatching(/append-only/) })
  })
})

describe('the application', () => {
  it('is at work as a role that owns nothing', async () => {
    const { rows } = await db.pool.query(
      `select current_user as role, (select count(*)::int from pg_class where relowner = current_user::regrole) as owned`,
    )
    expect(rows).toEqual([{ role: 'marketplace_platform', owned: 0 }])
  })

  it.each(['drop table feed', 'alter table order_events disable trigger all', 'create table public.own (id int)'])(
    'may not %s',
    async (statement) => {
      await expect(db.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
    },
  )
})
