import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Kysely, Migrator, PostgresDialect } from 'kysely'
import pg from 'pg'
import { migrations } from '../../src/store/migrations/list.ts'
import { type ClonedDatabase, emptyDatabase } from '../support/engines/database.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { type Ended, runProgram, spawnProgram } from '../support/runProgram.ts'
import { until } from '../support/until.ts'

const NAMES = Object.keys(migrations)
const UP_TO_DATE = { code: 0, out: 'The schema is up to date.\n', err: '' }
let database: ClonedDatabase
let folder: TemporaryFolder

beforeAll(async () => {
  folder = await temporaryFolder()
  database = await emptyDatabase()
})

afterAll(async () => {
  await database.drop()
  await folder.remove()
})

describe('npm run migrate', () => {
  it('--check lists everything for an empty database, and leaves it empty', async () => {
    expect(await command('--check')).toEqual({ code: 1, out: lines('pending', NAMES), err: '' })
    expect(await onDatabase((client) => client.query(`select from pg_tables where schemaname = 'public'`))).toMatchObject({ rowCount: 0 })
  })

  it('applies newer migrations to a database of an earlier version, once', async () => {
    const [earlier, later] = [NAMES.slice(0, -3), NAMES.slice(-3)]
    await migrateTo(earlier.at(-1) ?? '')
    expect(await command('--check')).toEqual({ code: 1, out: lines('pending', later), err: '' })
    expect(await command()).toEqual({ code: 0, out: lines('applied', later), err: '' })
    expect(await command('--check')).toEqual(UP_TO_DATE)
    expect(await command()).toEqual(UP_TO_DATE)
  })

  it('that is stopped in the middle leaves the schema as it was, and the next one applies it whole', async () => {
    const fresh = await emptyDatabase()
    const url = { DATABASE_URL: fresh.url }
    try {
      await migrateTo(NAMES.at(-3) ?? '', fresh.url)
      const pending = { code: 1, out: lines('pending', NAMES.slice(-2)), err: '' }
      await onDatabase(async (client) => {
        await client.query('begin; lock table kysely_migration in share mode') // so that the first migration runs and cannot be recorded
        const migrating = spawnProgram('src/cli/migrate', [], { ...url, DATA_DIR: folder.path })
        const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        // A transaction goes on seeing the connections of its first look.
        await until(() => onDatabase(async (other) => (await other.query(waits)).rowCount === 1, fresh.url), 30)
        migrating.kill('SIGTERM')
        await once(migrating, 'exit')
        await client.query('rollback')
      }, fresh.url)
      expect(await command('--check', url)).toEqual(pending)
      expect(await command(url)).toEqual({ code: 0, out: lines('applied', NAMES.slice(-2)), err: '' })
    } finally {
      await fresh.drop()
    }
  })

  it('refuses a database of a later version', async () => {
    await onDatabase((client) => client.query(`insert into kysely_migration values ('9999_tomorrow', now())`))
    const refused = {
      code: 2,
      out: '',
      err: 'The database has the migration 9999_tomorrow, which this version does not know; use the version that applied it.\n',
    }
    expect(await command()).toEqual(refused)
    expect(await command('--check')).toEqual(refused)
  })

  it.each([
    [
      'a database that does not answer',
      ['--check'],
      { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b' },
      /cannot be reached \((?!.*secret)/,
    ],
    ['a data directory without a database', [], { DATABASE_URL: '' }, /^There is no database in /],
    ['an unknown option', ['--dry-run'], {}, /^Usage: npm run -s migrate/],
  ])('ends with 2 and one sentence for %s', async (_, args, env, sentence) => {
    expect(await command(...args, env)).toEqual({ code: 2, out: '', err: expect.stringMatching(sentence) })
  })
})

function lines(word: string, names: readonly string[]): string {
  return names.map((migration) => `${word} ${migration}\n`).join('')
}

function command(...given: (string | Record<string, string>)[]): Promise<Ended> {
  const args = given.filter((one) => typeof one === 'string')
  return runProgram(
    'src/cli/migrate',
    args,
    Object.assign({ DATABASE_URL: database.url, DATA_DIR: folder.path }, ...given.slice(args.length)),
  )
}

async function migrateTo(migration: string, url = database.url): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }) })
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(migration)
  await db.destroy()
  expect(error).toBeUndefined()
}

async function onDatabase<T>(work: (client: pg.Client) => Promise<T>, url = database.url): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
