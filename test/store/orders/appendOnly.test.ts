import { beforeAll, describe, expect, it } from '@jest/globals'
import { negotiating } from '../../support/orders/storedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
beforeAll(async () => {
  await negotiating(db.log)
  await db.owner().query(`insert into notices values ('evt_1', 'buyer_one', '{}')`)
  await db
    .owner()
    .query(
      `insert into security_events (event_id, entity, side, action, via) values ('sec_1', 'buyer_one', 'buyer', 'token.issued', 'platform')`,
    )
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
  it.each(RECORDS.map(([table]) => table))('is in %s', async (table) => {
    const { rows } = await db.owner().query(`select count(*)::int as count from ${table}`)
    expect(rows[0].count).toBeGreaterThan(0) // else the statements below would have nothing to refuse
  })

  it.each(STATEMENTS)('is beyond the application: %s', async (statement) => {
    await expect(db.pool.query(statement)).rejects.toMatchObject({ code: '42501', message: expect.stringMatching(/^permission denied/) })
  })

  it.each(STATEMENTS)('is kept from its owner too: %s', async (statement) => {
    await expect(db.owner().query(statement)).rejects.toMatchObject({ code: '42501', message: expect.stringMatching(/append-only/) })
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
