import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ROOT } from '../../src/config/root.ts'
import { type Postgres, startPostgres } from '../../src/local/embedded/postgres.ts'
import { openDatabase, openTenantDatabase } from '../../src/store/connection/database.ts'
import { isRoleLeavable } from '../../src/store/connection/leavableRole.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { ask } from '../support/engines/ask.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { succeeds } from '../support/succeeds.ts'

const hasPsql = succeeds('psql', '--version')
if (!hasPsql) process.stderr.write('roles.test.ts is left out: there is no psql here (apt-get install postgresql-client).\n')

;(hasPsql ? describe : describe.skip)('docker/postgres/roles.sh on a new server', () => {
  const passwords = { DATABASE_PASSWORD: 'of-the-owner', API_DATABASE_PASSWORD: 'of-the-api', TEMPORAL_DATABASE_PASSWORD: 'of-temporal' }
  let folder: TemporaryFolder
  let server: Postgres
  const urlOf = (username: string, password: string, database: string) =>
    Object.assign(new URL(server.url), { username, password, pathname: `/${database}` }).href
  const owner = () => urlOf('marketplace', passwords.DATABASE_PASSWORD, 'marketplace')

  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await startPostgres({ dataDir: folder.path })
    const { hostname, port, username, password } = new URL(server.url)
    // The embedded server has made the database, which that of the image has not.
    await ask(urlOf(username, password, 'postgres'), 'drop database marketplace')
    const env = { PATH: process.env.PATH, PGHOST: hostname, PGPORT: port, PGPASSWORD: password, POSTGRES_USER: username, ...passwords }
    await promisify(execFile)('sh', [join(ROOT, 'docker/postgres/roles.sh')], { env })
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    await folder.remove()
  })

  it('makes an owner who may make no roles, and migrates, and a user who can become nothing but the role of the API', async () => {
    expect(await ask(owner(), 'select rolsuper or rolcreaterole or rolcreatedb as may from pg_roles where rolname = current_user')).toEqual(
      [{ may: false }],
    )
    await migrate(owner())
    const platform = openDatabase(owner(), { max: 1 })
    const api = openTenantDatabase(urlOf('marketplace_api', passwords.API_DATABASE_PASSWORD, 'marketplace'), Buffer.alloc(32, 1), {
      max: 1,
    })
    expect([await isRoleLeavable(platform), await isRoleLeavable(api)]).toEqual([true, false])
    await Promise.all([platform.close(), api.close()])
  }, 60_000)

  it('makes the roles that docs/operate/running.md makes for Kubernetes', async () => {
    const script = await readFile(join(ROOT, 'docker/postgres/roles.sh'), 'utf8')
    const statements = script.match(/^(?:create|grant) .*marketplace.*;$/gm) ?? []
    expect(statements).toHaveLength(9)
    const running = await readFile(join(ROOT, 'docs/operate/running.md'), 'utf8')
    expect(statements.filter((statement) => !running.includes(`\n${statement}\n`))).toEqual([])
  })

  it('makes the databases of Temporal, in which its user may make what it needs, and lets it into no table of the marketplace', async () => {
    const temporal = (database: string) => urlOf('temporal', passwords.TEMPORAL_DATABASE_PASSWORD, database)
    for (const database of ['temporal', 'temporal_visibility'])
      expect(await ask(temporal(database), 'create table executions (run text)')).toEqual([])
    await expect(ask(temporal('marketplace'), 'select from orders')).rejects.toThrow(/permission denied|does not exist/)
  })
})
