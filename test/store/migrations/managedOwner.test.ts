import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { type Postgres, startPostgres } from '../../../src/embedded/postgres.ts'
import { openDatabase, openTenantDatabase } from '../../../src/store/connection/database.ts'
import { migrate } from '../../../src/store/migrations/migrate.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

let folder: TemporaryFolder
let cluster: Postgres
beforeAll(async () => {
  folder = await temporaryFolder()
  cluster = await startPostgres({ dataDir: folder.path })
})
afterAll(async () => {
  await cluster.stop()
  await folder.remove()
})

it('a user who may make roles and is no superuser, as a managed database has it, migrates and then works as both roles', async () => {
  const admin = new pg.Client({ connectionString: cluster.url })
  await admin.connect()
  await admin.query(`create role managed login createrole nosuperuser password 'secret'; alter database marketplace owner to managed`)
  await admin.end()
  const url = Object.assign(new URL(cluster.url), { username: 'managed', password: 'secret' }).href
  await migrate(url)
  for (const db of [openDatabase(url, { max: 1 }), openTenantDatabase(url, Buffer.alloc(32, 1), { max: 1 })]) {
    expect((await db.pool.query('select 1 as served')).rows).toEqual([{ served: 1 }])
    await db.close()
  }
})
