import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { migrations } from '../../../src/store/migrations/list.ts'
import { migrate } from '../../../src/store/migrations/migrate.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { negotiating } from '../../support/orders/storedOrders.ts'

/** Databases without any schema, on the test server. */
const names = [1, 2, 3].map(() => `test_empty_${randomBytes(6).toString('hex')}`)
const urlOf = (name = '') => Object.assign(new URL(process.env.TEST_POSTGRES_URL ?? ''), { pathname: `/${name}` }).href
let admin: pg.Client
beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL })
  await admin.connect()
  for (const name of names) await admin.query(`create database ${name}`)
})
afterAll(async () => {
  for (const name of names) await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
})

async function applied(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select name, timestamp from kysely_migration order by name')
  await client.end()
  return rows
}

it('five at once, on two empty databases of one server, leave two whole schemas', async () => {
  const urls = names.slice(0, 2).map((name) => urlOf(name))
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
  const [owner, name] = [`owner_${randomBytes(6).toString('hex')}`, names[2]]
  await admin.query(
    `create role ${owner} login password 'secret'; grant marketplace_app, marketplace_platform to ${owner}; alter database ${name} owner to ${owner}`,
  )
  try {
    await migrate(Object.assign(new URL(urlOf(name)), { username: owner, password: 'secret' }).href)
    expect((await applied(urlOf(name))).map((row) => row.name)).toEqual(Object.keys(migrations))
  } finally {
    await admin.query(`drop database ${name} with (force)`)
    await admin.query(`drop role ${owner}`)
  }
})

it('again changes nothing', async () => {
  const url = urlOf(names[0])
  const before = await applied(url)
  await migrate(url)
  expect(await applied(url)).toEqual(before)
})
