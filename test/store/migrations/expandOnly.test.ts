import { describe, expect, it } from '@jest/globals'
import { migrations } from '../../../src/store/migrations/list.ts'
import { useMarket } from '../../support/useMarket.ts'
import { useOldDatabase } from '../../support/useOldDatabase.ts'

/** The schema of the last release: its processes run on what later migrations make of it. */
const RELEASED = '0013_operators'

/**
 * What a migration may take away, since no process of the previous release uses it any longer: what it is, as listed below, and the migration. It is
 * taken away one release after the last that used it.
 */
const CONTRACTED: Readonly<Record<string, readonly string[]>> = {}

/** All that a process of the previous release may name in a statement, each as one line of text. */
const NAMED = `
  select 'table ' || c.relname as named from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
  union all select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
  union all select 'function ' || p.oid::regprocedure || ' returns ' || format_type(p.prorettype, null) from pg_proc p where p.pronamespace = 'public'::regnamespace
  union all select 'unique ' || i.indrelid::regclass || ' ' || substring(pg_get_indexdef(i.indexrelid) from 'USING .*')
    from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique and c.relnamespace = 'public'::regnamespace
  union all select 'right ' || privilege_type || ' on ' || table_name || ' of ' || grantee
    from information_schema.role_table_grants where table_schema = 'public' and grantee like 'marketplace%'`

/** What an insert that does not know of it would fail for: each column that must be given. */
const DEMANDED = `
  select 'required ' || c.relname || '.' || a.attname as named from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnotnull and not a.atthasdef and a.attidentity = ''`

/** The columns of tables: in a statement that joins its table, a bare name of another's column would mean either. */
const COLUMNS = `
  select c.relname || '.' || a.attname as named from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`

/** The columns that were added to a table which was there before, under a name that a column of another table had. */
function ambiguous(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  const [tables, names] = [new Set<string>(), new Set<string>()]
  for (const column of before) {
    const [table = '', name = ''] = column.split('.')
    tables.add(table)
    names.add(name)
  }
  return [...after].filter((column) => {
    const [table = '', name = ''] = column.split('.')
    return !before.has(column) && tables.has(table) && names.has(name)
  })
}

describe('a migration since the last release', () => {
  const old = useOldDatabase()
  const listed = async (query: string) => new Set((await old.rows(query)).map(({ named }) => String(named)))
  const tableOf = (column: string) => /^required (\w+)\./.exec(column)?.[1]

  it('takes nothing away that a process of the previous release names, demands nothing that it does not write, and makes no name of its ambiguous', async () => {
    await old.migrateTo(RELEASED)
    for (const name of Object.keys(migrations).filter((migration) => migration > RELEASED)) {
      const [named, demanded, columns] = [await listed(NAMED), await listed(DEMANDED), await listed(COLUMNS)]
      await old.migrateTo(name)
      const [stillNamed, nowDemanded, nowColumns] = [await listed(NAMED), await listed(DEMANDED), await listed(COLUMNS)]
      const taken = [...named].filter((one) => !stillNamed.has(one) && !CONTRACTED[name]?.includes(one))
      // A table that the migration itself makes is not written by those who do not know it.
      const added = [...nowDemanded].filter((one) => !demanded.has(one) && named.has(`table ${tableOf(one)}`))
      expect({ name, taken, added, confused: ambiguous(columns, nowColumns) }).toEqual({ name, taken: [], added: [], confused: [] })
    }
  }, 120_000)

  it('would be found if it took a column or a right, demanded a column, or added one of a name that another table has', async () => {
    await old.migrateToNow()
    const [named, demanded, columns] = [await listed(NAMED), await listed(DEMANDED), await listed(COLUMNS)]
    await old.pool.query(`
      alter table orders rename column exposure to total; alter table kysely_migration alter column name type text;
      revoke insert on orders from marketplace_app; alter table notices add column told text not null;
      alter table order_events add column seller text`)
    const [stillNamed, nowDemanded] = [await listed(NAMED), await listed(DEMANDED)]
    expect([...named].filter((one) => !stillNamed.has(one))).toEqual(
      expect.arrayContaining([
        'column orders.exposure numeric',
        'column kysely_migration.name character varying(255)',
        'right INSERT on orders of marketplace_app',
      ]),
    )
    expect([...nowDemanded].filter((one) => !demanded.has(one))).toEqual(['required notices.told'])
    expect(ambiguous(columns, await listed(COLUMNS))).toEqual(['order_events.seller'])
  })
})

describe('processes of this release on the schema of the next', () => {
  const market = useMarket()

  it('serve orders as before, with a column more in every table and a migration that they do not know', async () => {
    const { rows } = await market
      .owner()
      .query<{ name: string }>(`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
    for (const { name } of rows)
      await market.owner().query(`alter table ${name} add column of_the_next_release text not null default 'anything'`)
    await market.owner().query(`insert into kysely_migration (name, timestamp) values ('9999_of_the_next_release', now()::text)`)
    const placed = await market.placed()
    expect((await market.snapshot(placed)).status).toBe('placed')
    expect((await market.events(placed)).map(({ status }) => status)).toEqual(['submitted', 'validating', 'seller_review', 'placed'])
    expect((await market.acme.post(`/orders/${placed}/cancel`, {})).status).toBe(202)
    expect((await market.acme.get('/sellers/cable/avails?product_id=prime&weeks=2030-W24')).status).toBe(200)
    expect((await market.cable.get('/me/orders')).status).toBe(200)
  })
})
