import { expect, it } from '@jest/globals'
import pg from 'pg'
import { openDatabase, openTenantDatabase } from '../../../src/store/connection/database.ts'
import { migrate } from '../../../src/store/migrations/migrate.ts'
import { useCluster } from '../../support/engines/useCluster.ts'

const cluster = useCluster()

it('an owner that may create roles but is not a superuser, as on a managed database, migrates and then works as both roles', async () => {
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
