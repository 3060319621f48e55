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
  await owner.query(`delete from kysely_migration where name in ('0131_sessions', '0151_manifest_hashes')`)
  await expect(requireSchema(db)).rejects.toThrow(/^The database lacks 2 migrations, the first of which is 0131_sessions: /)
})

it('a database whose migrations may not be read yet is refused too', async () => {
  await owner.query('revoke select on kysely_migration from marketplace_app')
  await expect(requireSchema(db)).rejects.toThrow(/^The database lacks .*0176_readable_schema: /)
})
