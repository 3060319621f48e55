import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { type Database, openTenantDatabase } from '../../../src/store/connection/database.ts'
import { requireSchema } from '../../../src/store/migrations/requireSchema.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/engines/database.ts'

let clone: ClonedDatabase
let owner: pg.Client
let db: Database
beforeAll(async () => {
  clone = await cloneDatabase()
  owner = new pg.Client({ connectionString: clone.url })
  await owner.connect()
  db = openTenantDatabase(clone.url, Buffer.alloc(32, 1), { max: 1 })
})
afterAll(async () => {
  await db.close()
  await owner.end()
  await clone.drop()
})

it('a database of this version, and one that the next version has migrated, are served', async () => {
  await requireSchema(db)
  await owner.query(`insert into kysely_migration (name, timestamp) values ('9999_of_the_next_version', now()::text)`)
  await requireSchema(db)
})

it('a database without a migration of this version is refused, and the first that it lacks is named', async () => {
  await owner.query(`delete from kysely_migration where name in ('0008_drops', '0011_aired_and_billed')`)
  await expect(requireSchema(db)).rejects.toThrow(/^The database lacks 2 migrations, the first of which is 0008_drops: /)
})

it('a database of before the first release is refused, with what to do', async () => {
  await owner.query(`update kysely_migration set name = '0001_foundation' where name = '0001_roles'`)
  await expect(requireSchema(db)).rejects.toThrow(/^The database was made before the first release .* DATABASE_URL\.$/)
})

it('a database whose first migration was stopped, so that its migrations may not be read, is refused too', async () => {
  await owner.query('revoke select on kysely_migration from marketplace_app')
  await expect(requireSchema(db)).rejects.toThrow(/^The database lacks \d+ migrations, the first of which is 0001_roles: /)
})
