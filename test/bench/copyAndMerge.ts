import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Stage } from './stage.ts'

/**
 * The limit of everything that publishes avails: COPY and one upsert of them in a transaction, into a table like the product's. `rows` is COPY text with
 * product_id, grain, start, state and body. Returns the milliseconds that it took.
 */
export async function copyAndMerge({ pool }: Pick<Stage, 'pool'>, rows: Readable): Promise<number> {
  const began = performance.now()
  const client = await pool.connect()
  try {
    await client.query('begin')
    await pipeline(rows, client.query(copyFrom('copy bench_staging from stdin')))
    await client.query(`
      insert into bench_avails (seller, product_id, grain, start, state, body)
      select 'summit', product_id, grain, start, state, body::json from bench_staging
      on conflict (seller, product_id, grain, start) do update set state = excluded.state, body = excluded.body, updated_at = now()
        where bench_avails.body::text is distinct from excluded.body::text`)
    await client.query('truncate bench_staging')
    await client.query('commit')
  } finally {
    client.release()
  }
  return performance.now() - began
}

/** Makes the tables of `copyAndMerge`. */
export async function makeLimitTables(pool: pg.Pool): Promise<void> {
  await pool.query('create table bench_avails (like avails including all)')
  await pool.query('create unlogged table bench_staging (product_id text, grain text, start text, state text, body text)')
}
