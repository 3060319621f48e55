import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Kysely, Migrator, PostgresDialect } from 'kysely'
import pg from 'pg'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { migrations } from '../../../src/store/migrations/list.ts'
import { migrate } from '../../../src/store/migrations/migrate.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { type ClonedDatabase, emptyDatabase } from '../../support/engines/database.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { negotiating } from '../../support/orders/storedOrders.ts'

let first: ClonedDatabase
let second: ClonedDatabase
let third: ClonedDatabase
beforeAll(async () => {
  ;[first, second, third] = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()]
})
afterAll(() => Promise.all([first, second, third].map((database) => database.drop())))

async function applied(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select name, timestamp from kysely_migration order by name')
  await client.end()
  return rows
}

it('five at once, on two empty databases of one server, leave two whole schemas', async () => {
  const urls = [first.url, second.url]
  await Promise.all(urls.flatMap((url) => [1, 2, 3, 4, 5].map(() => migrate(url))))
  for (const url of urls) {
    expect((await applied(url)).map(({ name }) => name)).toEqual(Object.keys(migrations))
    const db = openDatabase(url, { max: 2 })
    const log = openOrderLog(db, () => undefined)
    expect((await log.load(await negotiating(log)))?.last_seq).toBe(4)
    await db.close()
    expect(await checkInvariants(url)).toEqual([])
  }
})

it('needs no right to make roles where the roles were made and granted beforehand', async () => {
  const owner = `owner_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: first.url })
  await admin.connect()
  await admin.query(
    `create role ${owner} login password 'secret'; grant marketplace_app, marketplace_platform to ${owner};
     alter database ${new URL(third.url).pathname.slice(1)} owner to ${owner}`,
  )
  try {
    await migrate(Object.assign(new URL(third.url), { username: owner, password: 'secret' }).href)
    expect((await applied(third.url)).map((row) => row.name)).toEqual(Object.keys(migrations))
  } finally {
    await third.drop()
    await admin.query(`drop role ${owner}`)
    await admin.end()
  }
})

it('again changes nothing', async () => {
  const url = first.url
  const before = await applied(url)
  await migrate(url)
  expect(await applied(url)).toEqual(before)
})

it('applies a migration whose number lies below those that a database has', async () => {
  const earlier = await emptyDatabase()
  // One that others build on, and those.
  const has = (name: string) => !['0009_edi', '0013_operators', '0019_makegood_mails'].includes(name)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: earlier.url, max: 1 }) }) })
  const provider = { getMigrations: async () => Object.fromEntries(Object.entries(migrations).filter(([name]) => has(name))) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  await db.destroy()
  expect(error).toBeUndefined()
  expect(await migrate(earlier.url)).toEqual(Object.keys(migrations).filter((name) => !has(name)))
  await earlier.drop()
})
