import { once } from 'node:events'
import { text } from 'node:stream/consumers'
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

  it('that is stopped in the middle leaves complete migrations, and the next run continues', () =>
    atTheSecond(async ({ held, url, names: [first = '', ...others] }) => {
      const migrating = spawnProgram('src/cli/migrate', [], { ...url, DATA_DIR: folder.path })
      const printed = text(migrating.stdout)
      await held.arrived(1)
      expect(await command('--check', url)).toEqual({ code: 1, out: lines('pending', others), err: '' }) // the first is committed
      migrating.kill('SIGTERM')
      await once(migrating, 'exit')
      expect(await printed).toBe(lines('applied', [first]))
      await held.release()
      expect(await command('--check', url)).toEqual({ code: 1, out: lines('pending', others), err: '' })
      expect(await command(url)).toEqual({ code: 0, out: lines('applied', others), err: '' })
      expect(await command(url)).toEqual(UP_TO_DATE)
    }))

  it('waits for another run, and then finds nothing to do', () =>
    atTheSecond(async ({ held, url, names }) => {
      const one = command(url)
      await held.arrived(1)
      const other = command(url)
      await held.arrived(2)
      await held.release()
      expect(await one).toEqual({ code: 0, out: lines('applied', names), err: '' })
      expect(await other).toEqual(UP_TO_DATE)
    }))

  it('continues where another run was stopped', () =>
    atTheSecond(async ({ held, url, names: [, ...others] }) => {
      const one = spawnProgram('src/cli/migrate', [], { ...url, DATA_DIR: folder.path })
      await held.arrived(1)
      const other = command(url)
      await held.arrived(2)
      one.kill('SIGTERM')
      await once(one, 'exit')
      await held.release()
      expect(await other).toEqual({ code: 0, out: lines('applied', others), err: '' })
    }))

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

  it('refuses a database of before the first release, with what to do', async () => {
    const old = await emptyDatabase()
    await onDatabase(
      (client) =>
        client.query(
          `create table kysely_migration (name text, timestamp text); insert into kysely_migration values ('0001_foundation', now())`,
        ),
      old.url,
    )
    const refused = { code: 2, out: '', err: expect.stringMatching(/^The database was made before the first release .* DATABASE_URL\.\n$/) }
    expect(await command({ DATABASE_URL: old.url })).toEqual(refused)
    expect(await command('--check', { DATABASE_URL: old.url })).toEqual(refused)
    await old.drop()
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

interface Held {
  /** Resolves when `count` connections to the database wait for a lock. */
  arrived(count: number): Promise<void>
  release(): Promise<unknown>
}

/** Works on a database that lacks three migrations, of which the second is recorded only after `release`. */
async function atTheSecond(work: (test: { held: Held; url: { DATABASE_URL: string }; names: string[] }) => Promise<void>): Promise<void> {
  const fresh = await emptyDatabase()
  const names = NAMES.slice(-3)
  try {
    await migrateTo(NAMES.at(-4) ?? '', fresh.url)
    await onDatabase(async (holder) => {
      await holder.query(`
        create function wait_for_holder() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
        create trigger wait_for_holder before insert on kysely_migration for each row
          when (new.name = '${names[1]}') execute function wait_for_holder();
        select pg_advisory_lock(1)`)
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      const arrived = (count: number) =>
        // A new connection each time, since a transaction keeps seeing the connections of its first query.
        until(() => onDatabase(async (client) => (await client.query(waiting)).rowCount === count, fresh.url), 30)
      const held = { arrived, release: () => holder.query('select pg_advisory_unlock(1)') }
      await work({ held, url: { DATABASE_URL: fresh.url }, names })
    }, fresh.url)
  } finally {
    await fresh.drop()
  }
}

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
