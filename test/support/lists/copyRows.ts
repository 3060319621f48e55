import type pg from 'pg'

/** Where a column's value comes from: SQL over the copied row `s` and the number of its `copy`, from 1. */
type Changes = Readonly<Record<string, string>>

/**
 * Copies one row of a table `copies` times, with changed columns, in the order of their numbers. Triggers and foreign keys are off on this
 * connection (`session_replication_role`), so that a test can have a thousand rows without what made the first one.
 */
export async function copyRows(client: pg.ClientBase, table: string, where: string, changes: Changes, copies: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
      and attidentity = '' and attgenerated = '' order by attnum`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const { rowCount } = await client.query(
    `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
      select ${names.map((name) => changes[name] ?? `s."${name}"`).join(', ')}
      from (select * from ${table} where ${where} limit 1) s, generate_series(1, ${copies}) as copy order by copy`,
  )
  if (rowCount !== copies) throw new Error(`${table}: ${rowCount} rows were copied, not ${copies}`)
}
