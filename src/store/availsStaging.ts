import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import type { Avail } from '../contract/avail.ts'
import type { Database, Tx } from './database.ts'

/** Rows of one COPY. Each is a transaction of its own, and the feed waits for the oldest open one: many short ones hold nobody back. */
const ROWS = 10_000
/** Rows between two looks at other requests. */
const CHUNK = 250

/** Lays avails down for `mergeStaged`, outside the transaction of the publish; answers under which id. */
export async function stageForMerge({ pool }: Pick<Database, 'pool'>, avails: readonly Avail[]): Promise<string> {
  // What a process that was killed left behind; an hour is longer than any publish takes.
  await pool.query(`delete from avails_staging where staged_at < now() - interval '1 hour'`)
  const publishId = randomUUID()
  for (let from = 0; from < avails.length; from += ROWS) await copy(pool, publishId, avails.slice(from, from + ROWS))
  return publishId
}

/** Merges what was laid down by (product_id, period), in one statement; what is as it was is not written again. */
export async function mergeStaged(tx: Tx, seller: string, publishId: string): Promise<void> {
  await sql`
    insert into avails (seller, product_id, grain, start, state, body)
    select ${seller}, sent.product_id, sent.grain, sent.start, sent.state, sent.body::json
    from avails_staging sent
    left join avails standing on (standing.seller, standing.product_id, standing.grain, standing.start)
      = (${seller}, sent.product_id, sent.grain, sent.start)
    where sent.publish_id = ${publishId}::uuid and standing.body::text is distinct from sent.body
    on conflict (seller, product_id, grain, start) do update
      set state = excluded.state, body = excluded.body, updated_at = now()`.execute(tx)
}

/** Clears what was laid down, merged or not; what cannot be cleared now is by a later publish. */
export async function clearStaged({ pool }: Pick<Database, 'pool'>, publishId: string): Promise<void> {
  await pool.query('delete from avails_staging where publish_id = $1', [publishId]).catch(() => undefined)
}

async function copy(pool: Database['pool'], publishId: string, avails: readonly Avail[]): Promise<void> {
  const client = await pool.connect()
  try {
    const into = client.query(copyFrom('copy avails_staging (publish_id, product_id, grain, start, state, body) from stdin'))
    await pipeline(Readable.from(lines(publishId, avails)), into)
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function* lines(publishId: string, avails: readonly Avail[]): AsyncGenerator<string> {
  for (let from = 0; from < avails.length; from += CHUNK) {
    await new Promise((resolve) => setImmediate(resolve))
    let text = ''
    for (const avail of avails.slice(from, from + CHUNK)) {
      const { product_id, period, state } = avail
      text += `${publishId}\t${[product_id, period.grain, period.start, state, JSON.stringify(avail)].map(escaped).join('\t')}\n`
    }
    yield text
  }
}

const SPECIAL: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** COPY's text format ends fields and lines with characters that a text may hold. */
function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => SPECIAL[character] ?? character)
}
