import { execFile } from 'node:child_process'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { openDatabase } from '../../src/store/connection/database.ts'
import { FEED_START, type FeedPosition, readFeed } from '../../src/store/delivery/feed.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { openOrderLog } from '../../src/store/orders/orderLog.ts'
import { ask } from '../support/engines/ask.ts'
import { cloneDatabase } from '../support/engines/database.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { useCluster } from '../support/engines/useCluster.ts'
import { checkInvariants } from '../support/invariants/invariants.ts'
import { negotiating, stored } from '../support/orders/storedOrders.ts'

const BUYER = 'buyer_restored'
const cluster = useCluster()

/** A reader's cursor, and what it has read so far, as `order:seq`. It outlives the database that it reads. */
function aReader() {
  const reader = { seen: [] as string[], at: FEED_START as FeedPosition, read }
  async function read(url: string, limit = 500) {
    await withDatabase(url, async ({ db }) => {
      await feedSettled(db)
      const { events, last } = await readFeed(db, BUYER, reader.at, {}, limit)
      reader.seen.push(...events.map((body) => JSON.parse(body)).map(({ order_id, seq }) => `${order_id}:${seq}`))
      reader.at = last
    })
  }
  return reader
}

async function withDatabase<T>(
  url: string,
  work: (on: { db: ReturnType<typeof openDatabase>; log: ReturnType<typeof openOrderLog> }) => T,
) {
  const db = openDatabase(url, { max: 2 })
  try {
    return await work({ db, log: openOrderLog(db, () => undefined) })
  } finally {
    await db.close()
  }
}

const anOrder = (url: string) => withDatabase(url, ({ log }) => stored(log, { buyer: BUYER }))
const fourEvents = (orderId: string) => [1, 2, 3, 4].map((seq) => `${orderId}:${seq}`)

/** What a dump and its restore do, with any tool: the schema, then every row as it is, in a cluster of other transaction ids. */
async function restoreInto(target: string, source: string): Promise<void> {
  await migrate(target)
  const [from, to] = [new pg.Client({ connectionString: source }), new pg.Client({ connectionString: target })]
  await Promise.all([from.connect(), to.connect()])
  await to.query('set session_replication_role = replica')
  const { rows } = await from.query(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename !~ '^kysely'`,
  )
  for (const { name } of rows) {
    await to.query(`truncate ${name} cascade`)
    await pipeline(from.query(copyTo(`copy ${name} to stdout`)), to.query(copyFrom(`copy ${name} from stdin`)))
  }
  for (const { sequencename, last_value } of (await from.query('select sequencename, last_value from pg_sequences where last_value > 0'))
    .rows)
    await to.query('select setval(quote_ident($1)::regclass, $2)', [sequencename, last_value])
  await Promise.all([from.end(), to.end()])
}

it('a dump in another cluster: every cursor stays valid after the migration', async () => {
  const source = await cloneDatabase()
  await ask(source.url, 'do $$ begin for i in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$')
  const orderId = await withDatabase(source.url, ({ log }) => negotiating(log, { buyer: BUYER }))
  const [fresh, halfway, ahead] = [aReader(), aReader(), aReader()]
  await halfway.read(source.url, 2)
  await restoreInto(cluster.url, source.url)
  const lost = await anOrder(source.url) // after the dump: one reader has it, the restored record has not
  await ahead.read(source.url)
  await source.drop()

  await migrate(cluster.url)
  const [one, two] = [await anOrder(cluster.url), await anOrder(cluster.url)]
  await migrate(cluster.url) // at the same place: no further era
  for (const reader of [fresh, halfway, ahead]) await reader.read(cluster.url)
  const expected = [...fourEvents(orderId), `${one}:1`, `${two}:1`]
  expect(fresh.seen).toEqual(expected)
  expect(halfway.seen).toEqual(expected)
  expect(ahead.seen).toEqual([...fourEvents(orderId), `${lost}:1`, `${one}:1`, `${two}:1`])
  expect(await ask(cluster.url, 'select count(*)::int as eras from feed_eras')).toEqual([{ eras: 2 }])
  expect(await checkInvariants(cluster.url)).toEqual([])
})

it('an older copy of the same cluster: every cursor stays valid after npm run restored', async () => {
  const reader = aReader()
  await reader.read(cluster.url)
  const before = reader.seen.length
  const [data, copy] = ['data', 'copy'].map((name) => join(cluster.path, 'postgres', name)) as [string, string]
  await cluster.stop()
  await cp(data, copy, { recursive: true, preserveTimestamps: true })
  await owned(data, copy)
  await cluster.start()
  const lost: string[] = []
  for (let made = 0; made < 20; made += 1) lost.push(await anOrder(cluster.url))
  await reader.read(cluster.url)
  expect(reader.seen.slice(before)).toEqual(lost.map((id) => `${id}:1`))

  await cluster.stop()
  await rm(data, { recursive: true })
  await cp(copy, data, { recursive: true })
  await owned(copy, data)
  await cluster.start()
  const { NODE_OPTIONS: _, ...env } = process.env
  const rebase = promisify(execFile)('npm', ['run', '-s', 'restored'], { env: { ...env, DATABASE_URL: cluster.url } })
  await expect(rebase).resolves.toMatchObject({ stdout: expect.stringContaining('A new era of the feed has begun') })
  const again = await anOrder(cluster.url)
  await reader.read(cluster.url)
  expect(reader.seen.slice(before)).toEqual([...lost, again].map((id) => `${id}:1`))
  expect(await checkInvariants(cluster.url)).toEqual([])
})

/** A copy that belongs to whom the original belongs to, as a backup would. */
async function owned(original: string, copy: string): Promise<void> {
  await promisify(execFile)('chown', ['-R', `--reference=${original}`, copy])
  await promisify(execFile)('chmod', ['-R', 'u=rwX,go=', copy])
}
