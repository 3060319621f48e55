import { createServer } from 'node:net'
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { cloneDatabase, emptyDatabase } from '../support/engines/database.ts'
import { memoryDisk } from '../support/files/memoryDisk.ts'
import { s3Environment } from '../support/files/s3Credential.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { freePorts } from '../support/freePorts.ts'
import { runProgram } from '../support/runProgram.ts'

/** A Temporal that cannot be used, which a start finds without waiting for an answer. What it says of the database comes first. */
const NO_TEMPORAL = { TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_TLS: 'on', TEMPORAL_TLS_CA: '/nowhere/ca.pem' }

let home: TemporaryFolder

beforeEach(async () => {
  home = await temporaryFolder()
})

afterEach(() => home.remove())

describe('npm start: broken configuration', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535; it is "abc".\n'],
    [{ HOST: 'nowhere.invalid' }, /^HOST nowhere\.invalid is not an address of this machine \(\w+\); correct HOST or leave it unset\.\n$/],
    [
      { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b', ...NO_TEMPORAL },
      /^The database of DATABASE_URL cannot be reached \((?!.*secret).*\n$/,
    ],
    [
      { DROPS_URL: 's3://bucket?region=eu-west-1', ...s3Environment('none') },
      /^No credential for the file store of DROPS_URL was found; .+\.\n$/,
    ],
    [{ OBJECTS_URL: 'file:///dev/null/uploads' }, /^The directory of OBJECTS_URL cannot be used \(ENOTDIR\); .+\.\n$/],
  ])('%j stops it with one sentence', async (settings, sentence) => {
    const run = await start(settings)
    expect(run).toMatchObject({ code: 1, out: '' })
    expect(run.err).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence))
  })

  it('stops with one sentence when the port of PORT is in use', async () => {
    const occupant = createServer()
    await new Promise<void>((done) => occupant.listen(0, '127.0.0.1', done))
    const { port } = occupant.address() as { port: number }
    const run = await start({ PORT: String(port) })
    occupant.close()
    expect(run).toMatchObject({
      code: 1,
      out: '',
      err: `PORT ${port} is taken by another program; choose another port or leave PORT unset.\n`,
    })
  })
})

describe('the API alone: broken configuration', () => {
  it('stops it with one sentence when it cannot listen', async () => {
    const [occupant, database] = [createServer(), await cloneDatabase()]
    await new Promise<void>((done) => occupant.listen(0, '127.0.0.1', done))
    const { port } = occupant.address() as { port: number }
    const run = await start({ PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: database.url }, 'api/main')
    occupant.close()
    await database.drop()
    expect(run).toMatchObject({
      code: 1,
      err: `The API cannot listen at 127.0.0.1, port ${port} (EADDRINUSE); correct HOST or PORT.\n`,
    })
  })

  it('stops it with one sentence when its file store cannot be used', async () => {
    const database = await cloneDatabase()
    const run = await start({ DATABASE_URL: database.url, DROPS_URL: 's3://bucket?region=eu-west-1', ...s3Environment('none') }, 'api/main')
    await database.drop()
    expect(run).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No credential for the file store of DROPS_URL was found; .+\.\n$/),
    })
  })

  it('stops it with one sentence when the database is not set up', async () => {
    const database = await emptyDatabase()
    const run = await start({ DATABASE_URL: database.url }, 'api/main')
    await database.drop()
    expect(run).toMatchObject({ code: 1, err: expect.stringMatching(/^The database has no schema of this service yet: .+\.\n$/) })
  })
})

describe('a database that the server does not have', () => {
  it.each(['src/cli/start', 'src/cli/migrate', 'api/main', 'sftp/main', 'bounces/main'])('stops %s with one sentence', async (program) => {
    const database = await emptyDatabase()
    await database.drop()
    const run = await start(
      {
        ...{ DATABASE_URL: database.url, ...NO_TEMPORAL },
        ...{ SFTP_PORT: '2022', MAIL_INBOUND_PORT: '2525', MAIL_BOUNCE_DOMAIN: 'bounces.example' },
      },
      program,
    )
    expect(run).toMatchObject({
      code: expect.any(Number),
      err: expect.stringMatching(/^The database .*"[^"]+" does not exist\).* correct DATABASE_URL\.\n$/),
    })
    expect(run.code).toBeGreaterThan(0)
  })
})

describe('a database that does not answer, or that refuses the password', () => {
  it.each(['api/main', 'sftp/main', 'bounces/main'])('stops %s with one sentence, without the password', async (program) => {
    const database = await emptyDatabase()
    const stopped = async (about: Partial<URL>) =>
      start(
        {
          ...{ DATABASE_URL: Object.assign(new URL(database.url), { password: 'guess', ...about }).href },
          ...{ SFTP_PORT: '2022', MAIL_INBOUND_PORT: '2525', MAIL_BOUNCE_DOMAIN: 'bounces.example' },
        },
        program,
      )
    const [unserved, refused] = await Promise.all([stopped({ port: '1' }), stopped({})])
    await database.drop()
    expect([unserved.code, refused.code]).toEqual([1, 1])
    expect(unserved.err).toMatch(/^The database does not answer \((?!.*guess).*ECONNREFUSED.*\): .+ correct DATABASE_URL\.\n$/)
    expect(refused.err).toMatch(/^The database does not answer \((?!.*guess)password .*\): .+ correct DATABASE_URL\.\n$/)
  })
})

describe('a process whose data directory is read-only', () => {
  const disk = memoryDisk('size=1m,ro', 'The test of a process whose data directory is read-only')
  afterAll(() => disk?.remove())
  const withDisk = disk === undefined ? it.skip : it
  const unwritten = (file: string, setting: string) =>
    `${disk?.path}/${file} cannot be written (EROFS); let this process write its directory, or set ${setting}.\n`

  withDisk.each([
    ['api/main', unwritten('secrets.key', 'SECRETS_KEY')],
    ['sftp/main', unwritten('sftp_host_key', 'SFTP_HOST_KEY')],
    ['bounces/main', unwritten('secrets.key', 'SECRETS_KEY')],
    ['worker/main', expect.stringMatching(/^The directory of DATA_DIR cannot be written \(EROFS\); let this process write it, .+\.\n$/)],
  ])('%s ends with 1 and one sentence', async (program, sentence) => {
    const settings = { SFTP_PORT: '2022', MAIL_INBOUND_PORT: '2525', MAIL_BOUNCE_DOMAIN: 'bounces.example' }
    const run = await start({ ...settings, DATABASE_URL: 'postgres://127.0.0.1:1/b', DATA_DIR: disk?.path ?? '' }, program)
    expect(run).toEqual({ code: 1, out: '', err: sentence })
  })
})

describe('a process whose metrics port is in use', () => {
  const end = async (program: string, offset = 0) => {
    const [occupant, port] = [createServer(), await freePorts(2)]
    await new Promise<void>((done) => occupant.listen(port + offset, '127.0.0.1', done))
    const settings = { METRICS_PORT: String(port), METRICS_HOST: '127.0.0.1', SFTP_PORT: '2022', MAIL_INBOUND_PORT: '2525' }
    const run = await start({ ...settings, MAIL_BOUNCE_DOMAIN: 'bounces.example', DATABASE_URL: 'postgres://127.0.0.1:1/b' }, program)
    occupant.close()
    return { ...run, err: run.err.replaceAll(`port ${port + offset} `, 'port N ') }
  }
  const sentence = 'Metrics cannot be served at 127.0.0.1, port N (EADDRINUSE); correct METRICS_HOST or METRICS_PORT.\n'

  it.each(['api/main', 'worker/main', 'sftp/main', 'bounces/main'])('%s ends with 1 and one sentence', async (program) => {
    expect(await end(program)).toEqual({ code: 1, out: '', err: sentence })
  })

  it('a worker also reports the next port, at which Temporal’s library serves its own metrics', async () => {
    expect(await end('worker/main', 1)).toEqual({ code: 1, out: '', err: sentence })
  })
})

describe('a process on a database of another version', () => {
  const startOn = async (program: string, change: string) => {
    const database = await cloneDatabase()
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    await owner.query(change)
    const run = await start(
      { DATABASE_URL: database.url, SFTP_PORT: '2022', MAIL_INBOUND_PORT: '2525', MAIL_BOUNCE_DOMAIN: 'bounces.example' },
      program,
    )
    await owner.end()
    await database.drop()
    return run
  }

  it.each(['api/main', 'sftp/main', 'bounces/main'])(
    '%s stops with one sentence if the database is of an earlier version',
    async (program) => {
      expect(await startOn(program, `delete from kysely_migration where name = '0008_drops'`)).toMatchObject({
        code: 1,
        err: 'The database lacks the migration 0008_drops: migrate it first (npm run migrate), or correct DATABASE_URL.\n',
      })
    },
  )

  it('stops with one sentence if the database is of before the first release', async () => {
    expect(await startOn('api/main', `update kysely_migration set name = '0001_foundation' where name = '0001_roles'`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The database was made before the first release .* DATABASE_URL\.\n$/),
    })
  })
})

function start(settings: Record<string, string>, program = 'src/cli/start') {
  return runProgram(program, [], { DATA_DIR: home.path, ...settings })
}
