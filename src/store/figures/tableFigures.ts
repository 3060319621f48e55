import type pg from 'pg'
import { statement } from '../connection/statement.ts'

/** A table as its last vacuum or analyze found it, with its indexes; rows as Postgres has counted them since. */
export interface TableFigures {
  readonly name: string
  readonly table_bytes: number
  readonly index_bytes: number
  readonly live_rows: number
  readonly dead_rows: number
}

/** Reads the twenty largest tables from Postgres's catalog and statistics, so that it opens no table and waits for no migration's lock. */
export async function readTableFigures(on: Pick<pg.ClientBase, 'query'>): Promise<TableFigures[]> {
  const { rows } = await on.query<Record<keyof TableFigures, string>>(LARGEST.bind({}))
  return rows.map(({ name, ...figures }) => ({
    name,
    table_bytes: Number(figures.table_bytes),
    index_bytes: Number(figures.index_bytes),
    live_rows: Number(figures.live_rows),
    dead_rows: Number(figures.dead_rows),
  }))
}

/** Large values are in a separate table, which counts for its main table here. A table that was never analyzed counts no pages. */
const LARGEST = statement(
  'largest-tables',
  [],
  `
  select t.relname as name, pages.own * block.size as table_bytes, pages.indexes * block.size as index_bytes,
    counts.n_live_tup as live_rows, counts.n_dead_tup as dead_rows
  from pg_stat_user_tables counts
  join pg_class t on t.oid = counts.relid
  left join pg_class large on large.oid = t.reltoastrelid
  cross join (select current_setting('block_size')::bigint as size) block
  cross join lateral (
    select t.relpages::bigint + coalesce(large.relpages, 0) as own, coalesce(sum(i.relpages), 0)::bigint as indexes
    from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = t.oid
  ) pages
  where counts.schemaname = 'public'
  order by pages.own + pages.indexes desc, t.relname limit 20`,
)
