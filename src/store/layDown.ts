import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from './database.ts'

/** Rows of one COPY. Each is a transaction of its own, and the feed waits for the oldest open one: many short ones hold nobody back. */
const ROWS = 10_000
/** Rows between two looks at other requests. */
const CHUNK = 250

type Pool = Pick<Database, 'pool'>
export type Column = string | number | null

/** Where a large publish is laid down before its transaction: an unlogged table whose first columns are publish_id and staged_at. */
export interface StagingTable {
  readonly table: 'avails_staging' | 'rates_staging'
  readonly columns: readonly string[]
}

/** Lays rows down by COPY, outside the transaction of the publish; answers under which id. */
export async function layDown({ pool }: Pool, { table, columns }: StagingTable, rows: Iterable<readonly Column[]>): Promise<string> {
  // What a process that was killed left behind; an hour is longer than any publish takes.
  await pool.query(`delete from ${table} where staged_at < now() - interval '1 hour'`)
  const publishId = randomUUID()
  const copy = `copy ${table} (${['publish_id', ...columns].join(', ')}) from stdin`
  for (const some of batches(rows, ROWS)) await copyOnce(pool, copy, lines(publishId, some))
  return publishId
}

/** Clears what was laid down, merged or not; what cannot be cleared now is by a later publish. */
export async function clearLaidDown({ pool }: Pool, { table }: StagingTable, publishId: string): Promise<void> {
  await pool.query(`delete from ${table} where publish_id = $1`, [publishId]).catch(() => undefined)
}

async function copyOnce(pool: Database['pool'], copy: string, text: AsyncIterable<string>): Promise<void> {
  const client = await pool.connect()
  try {
    await pipeline(Readable.from(text), client.query(copyFrom(copy)))
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

function* batches<T>(rows: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function* lines(publishId: string, rows: readonly (readonly Column[])[]): AsyncGenerator<string> {
  for (const some of batches(rows, CHUNK)) {
    await new Promise((resolve) => setImmediate(resolve))
    yield some.map((row) => `${[publishId, ...row].map(field).join('\t')}\n`).join('')
  }
}

const SPECIAL: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** COPY's text format ends fields and lines with characters that a text may hold. */
function field(value: Column): string {
  if (value === null) return '\\N'
  return typeof value === 'number' ? String(value) : value.replace(/[\\\t\n\r]/g, (character) => SPECIAL[character] ?? character)
}
