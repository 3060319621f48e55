import { beforeAll, describe, expect, it } from '@jest/globals'
import { claimEngineReport, reportWorker } from '../../../src/store/ops/reports.ts'
import { ownRows } from '../../support/invariants/tenantRows.ts'
import { countOn, useApiDatabase } from '../../support/useApiDatabase.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const api = useApiDatabase(market)
let views: { name: string; columns: string[] }[] = []
beforeAll(async () => {
  await ownRows(market.databaseUrl, { buyer: 'acme', seller: 'cable', order: await market.created() })
  await reportWorker(market.deps.db, 'one')
  await claimEngineReport(market.deps.db)
  const { rows } = await market.owner().query(`
    select relname as name, array_agg(attname::text order by attnum) as columns from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0
    where relnamespace = 'public'::regnamespace and relkind = 'v' group by 1 order by 1`)
  views = rows
})
market.beforeStop(async () => {
  await market.owner().query('delete from invoices') // no order bills what they say
  await market.owner().query('delete from invoice_counters')
})

describe('the views of operators', () => {
  it('show operators the rows of every tenant, and tenants and strangers none', async () => {
    expect(views.length).toBeGreaterThan(8)
    for (const { name } of views) {
      expect([name, ((await countOn(api.as(['operations']).pool, name)) ?? 0) > 0]).toEqual([name, true])
      for (const scope of [[], ['acme'], ['cable'], ['acme', 'cable', 'zenith', 'station']])
        expect([name, scope, await countOn(api.as(scope).pool, name)]).toEqual([name, scope, 0])
      // To deal with operators is not to act for them.
      expect([name, await countOn(api.as(['acme']).withCounterparty(['operations']).pool, name)]).toEqual([name, 0])
    }
  })

  it('have no column of documents, prices, secrets or URLs', () => {
    for (const { name, columns } of views) {
      expect([
        name,
        columns.filter((column) => /snapshot|request|facts|body|secret|url|profile|gross|drawn|result|files|sealed|token/.test(column)),
      ]).toEqual([name, []])
    }
  })

  it('cannot be written to by the role that works for operators', async () => {
    for (const { name } of views) {
      const { rows } = await api.pool.query<{ may: boolean }>(
        `select has_table_privilege(current_user, $1, 'insert, update, delete, truncate') as may`,
        [name],
      )
      expect([name, rows[0]?.may]).toEqual([name, false])
    }
  })

  it('leave the tables of tenants closed to operators', async () => {
    for (const table of [
      'orders',
      'order_records',
      'order_events',
      'webhook_endpoints',
      'tenant_secrets',
      'uploads',
      'invoices',
      'workers',
      'engine_reports',
    ])
      expect([table, await countOn(api.as(['operations']).pool, table)]).toEqual([table, 0])
  })

  it('tell the age of the feed to operators alone', async () => {
    const holder = await market.deps.db.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select pg_current_xact_id(), pg_sleep(0.3)')
      const age = async (who: string) => (await api.as([who]).pool.query<{ age: number }>('select ops_feed_age() as age')).rows[0]?.age
      expect(await age('operations')).toBeGreaterThan(0.2)
      expect(await age('acme')).toBe(0)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })
})
