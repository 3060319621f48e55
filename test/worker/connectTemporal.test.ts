import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, type NativeConnection, Runtime } from '@temporalio/worker'
import { temporalOptions } from '../../src/adapters/temporal/temporalOptions.ts'
import { ConfigFault, readConfig } from '../../src/config/index.ts'
import { decided } from '../../src/domain/order/decision.ts'
import { checkTemporal } from '../../src/local/embedded/temporal.ts'
import { applyCommand } from '../../src/operations/orders/applyCommand.ts'
import { readHead } from '../../src/store/orders/orderHead.ts'
import { openOrderLog } from '../../src/store/orders/orderLog.ts'
import { connectTemporal } from '../../worker/connectTemporal.ts'
import { registerSearchAttributes } from '../../worker/searchAttributes.ts'
import { endProcess } from '../support/childProcesses.ts'
import { ask } from '../support/engines/ask.ts'
import { cloneDatabase } from '../support/engines/database.ts'
import { devServer } from '../support/engines/temporal.ts'
import { startTemporalProxy, type TemporalProxy } from '../support/engines/temporalProxy.ts'
import { workerProcesses } from '../support/engines/workerProcesses.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { command, seqOf, stored } from '../support/orders/storedOrders.ts'
import { runProgram } from '../support/runProgram.ts'
import { type Authority, makeAuthority } from '../support/tls/authority.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/useDatabase.ts'

type Settings = Record<string, string>

/** In the certificates of the servers, which are reached by their address. */
const NAME = 'temporal.marketplace.example'

const db = useDatabase()
const workers = workerProcesses()
let env: TestWorkflowEnvironment
let folder: TemporaryFolder
let authority: Authority
let stranger: Authority
/** Demands client certificates of the authority. */
let mutual: TemporalProxy
/** Speaks TLS and lets in by API key. */
let keyed: TemporalProxy
/** Its certificate has expired. */
let expired: TemporalProxy
let client: { cert: string; key: string }

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { forward: {}, filter: 'off' } } })
  ;[env, folder, authority, stranger] = await Promise.all([
    devServer(),
    temporaryFolder(),
    makeAuthority('Authority'),
    makeAuthority('Stranger'),
  ])
  client = await authority.issue('worker')
  const before = async (pair: { cert: string; key: string }, ca?: string) => {
    const [cert, key, clients] = await Promise.all([readFile(pair.cert), readFile(pair.key), ca === undefined ? undefined : readFile(ca)])
    return startTemporalProxy(env.address, { cert, key, ca: clients })
  }
  const server = await authority.issue(NAME)
  mutual = await before(server, authority.ca)
  keyed = await before(server)
  expired = await before(await authority.issue(NAME, { isExpired: true }))
}, 60_000)

afterAll(workers.kill)
db.beforeStop(async () => {
  await Promise.all([mutual.close(), keyed.close(), expired.close()])
  await env.teardown()
  await Promise.all([authority.remove(), stranger.remove(), folder.remove()])
})

const onTls = (proxy: TemporalProxy): Settings => ({
  TEMPORAL_ADDRESS: proxy.address,
  TEMPORAL_TLS: 'on',
  TEMPORAL_TLS_CA: authority.ca,
  TEMPORAL_SERVER_NAME: NAME,
})
const withCertificate = ({ cert, key } = client): Settings => ({ TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key })

function placeOf(settings: Settings) {
  const { temporalAddress = '', temporalSecurity } = readConfig({ DATABASE_URL: 'postgres://a@b/c', ...settings })
  return { address: temporalAddress, security: temporalSecurity }
}

/** Connects and closes again; gives up at the first warning, which it throws. */
async function connected(settings: Settings, use: (connection: NativeConnection) => Promise<unknown> = async () => undefined) {
  const stopping = new AbortController()
  let warned: unknown
  const warn = (_: string, meta?: Record<string, unknown>) => {
    warned = meta?.error
    stopping.abort()
  }
  const connection = await connectTemporal(placeOf(settings), {
    stopping: stopping.signal,
    logger: { warn, info: () => undefined },
  })
  if (connection === undefined) throw warned
  try {
    return await use(connection)
  } finally {
    stopping.abort()
    await connection.close()
  }
}

async function untilClosed(work: () => Promise<unknown> = async () => undefined): Promise<void> {
  const log = openOrderLog(db, () => undefined)
  const order = await stored(log)
  await applyCommand(log, order, command({ wake: true }), () => decided([{ status: 'canceled' }], seqOf))
  await work()
  await until(async () => (await readHead(db, order))?.closed === true, 60)
}

describe('a Temporal that demands client certificates', () => {
  it('is served by a worker that has one, from the outbox to the end of an order', async () => {
    const settings = { ...onTls(mutual), TEMPORAL_TLS_CERT: client.cert, TEMPORAL_TLS_KEY: await readFile(client.key, 'utf8') }
    const worker = await workers.start({ DATABASE_URL: db.url, DATA_DIR: folder.path, ...settings })
    await untilClosed()
    expect(await endProcess(worker, 'SIGTERM')).toBe(0)
  }, 120_000)

  it('is checked by a start', async () => {
    const { address, security } = placeOf({ ...onTls(mutual), ...withCertificate() })
    await checkTemporal(await temporalOptions(address, security), 'default')
    const { address: other, security: without } = placeOf(onTls(mutual))
    await expect(checkTemporal(await temporalOptions(other, without), 'default', 500)).rejects.toThrow('demands a client certificate')
  })
})

describe('a database that the server does not have', () => {
  it('ends a worker with one sentence', async () => {
    const absent = Object.assign(new URL(db.url), { pathname: '/nowhere' }).href
    const settings = { DATABASE_URL: absent, DATA_DIR: folder.path, TEMPORAL_ADDRESS: env.address, LOG_LEVEL: 'error' }
    expect(await runProgram('worker/main', [], settings)).toEqual({
      ...{ code: 1, out: '' },
      err: 'The database does not answer (database "nowhere" does not exist): start the marketplace first (npm start), or correct DATABASE_URL.\n',
    })
  }, 60_000)
})

describe('a database that refuses the password, or lacks a migration', () => {
  const ended = (databaseUrl: string) =>
    runProgram('worker/main', [], {
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: folder.path, TEMPORAL_ADDRESS: env.address, LOG_LEVEL: 'error' },
    })

  it('ends a worker with one sentence, without the password', async () => {
    const { code, err } = await ended(Object.assign(new URL(db.url), { password: 'guess' }).href)
    expect(code).toBe(1)
    expect(err).toMatch(/^The database does not answer \((?!.*guess)password .*\): .+ correct DATABASE_URL\.\n$/)
  }, 60_000)

  it('ends a worker with one sentence that names the migration', async () => {
    const earlier = await cloneDatabase()
    await ask(earlier.url, `delete from kysely_migration where name = '0008_drops'`)
    const { code, err } = await ended(earlier.url)
    await earlier.drop()
    expect([code, err]).toEqual([
      1,
      'The database lacks the migration 0008_drops: migrate it first (npm run migrate), or correct DATABASE_URL.\n',
    ])
  }, 60_000)
})

describe('settings that cannot be used end a worker with one sentence', () => {
  it.each<[string, () => Promise<Settings>, () => string]>([
    [
      'no client certificate',
      async () => onTls(mutual),
      () => `The Temporal of TEMPORAL_ADDRESS ${mutual.address} demands a client certificate; set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY`,
    ],
    [
      'an authority that the server is not of',
      async () => ({ ...onTls(mutual), ...withCertificate(), TEMPORAL_TLS_CA: stranger.ca }),
      () =>
        `The Temporal of TEMPORAL_ADDRESS ${mutual.address} has a certificate of an authority that is not trusted; set TEMPORAL_TLS_CA.`,
    ],
    [
      'another name',
      async () => ({ ...onTls(keyed), TEMPORAL_SERVER_NAME: 'localhost' }),
      () =>
        `The Temporal of TEMPORAL_ADDRESS ${keyed.address} has a certificate for another name; set TEMPORAL_SERVER_NAME to the name in it.`,
    ],
    [
      "a server's certificate that has expired",
      async () => onTls(expired),
      () => `The Temporal of TEMPORAL_ADDRESS ${expired.address} has a certificate that has expired; it must be renewed there.`,
    ],
    [
      'TLS where the server has none',
      async () => ({ ...onTls(mutual), TEMPORAL_ADDRESS: env.address }),
      () => `The Temporal of TEMPORAL_ADDRESS ${env.address} speaks no TLS; set TEMPORAL_TLS=off.`,
    ],
    [
      'no TLS where the server has it',
      async () => ({ TEMPORAL_ADDRESS: mutual.address }),
      () => `The Temporal of TEMPORAL_ADDRESS ${mutual.address} speaks TLS; set TEMPORAL_TLS=on.`,
    ],
    [
      'an expired certificate of its own',
      async () => ({ ...onTls(mutual), ...withCertificate(await authority.issue('worker', { isExpired: true })) }),
      () => 'The certificate of TEMPORAL_TLS_CERT expired on ',
    ],
    [
      'a certificate of its own of X.509 version 1',
      async () => ({ ...onTls(mutual), ...withCertificate(await authority.issue('worker', { isVersion1: true })) }),
      () =>
        'The certificate of TEMPORAL_TLS_CERT is of X.509 version 1, which a worker cannot present; issue one of version 3, with the extension extendedKeyUsage=clientAuth.',
    ],
    [
      'a key of its own that no worker uses',
      async () => ({ ...onTls(mutual), ...withCertificate(await authority.issue('worker', { newKey: ['-newkey', 'ed448', '-nodes'] })) }),
      () => 'TEMPORAL_TLS_KEY must be an RSA key of 2048 bits or more, an ECDSA key on P-256 or P-384, or an Ed25519 key; it is ed448.',
    ],
    [
      'the key of another certificate',
      async () => ({ ...onTls(mutual), ...withCertificate({ cert: client.cert, key: (await authority.issue('other')).key }) }),
      () => 'TEMPORAL_TLS_KEY must be the key of TEMPORAL_TLS_CERT; it is the key of another certificate.',
    ],
    [
      'a file that is not there',
      async () => ({ ...onTls(mutual), TEMPORAL_TLS_CA: '/nowhere/ca.pem' }),
      () => 'TEMPORAL_TLS_CA /nowhere/ca.pem cannot be read (ENOENT); give this process read access, or name another file.',
    ],
    [
      'a key for a certificate',
      async () => ({ ...onTls(mutual), TEMPORAL_TLS_CA: client.key }),
      () => 'TEMPORAL_TLS_CA must hold a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.',
    ],
  ])('%s', async (_, settings, sentence) => {
    const fault = await connected(await settings()).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(ConfigFault)
    expect((fault as Error).message).toContain(sentence())
  })

  it('waits, and says what it may be, where the server ends the connection without a word', async () => {
    const settings = { ...onTls(mutual), ...withCertificate(await stranger.issue('worker')) }
    await expect(connected(settings)).rejects.toThrow('refuses the certificate of TEMPORAL_TLS_CERT')
  })

  it('waits for a server that is away', async () => {
    const fault = await connected({ ...onTls(mutual), TEMPORAL_ADDRESS: '127.0.0.1:1' }).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Error)
    expect(fault).not.toBeInstanceOf(ConfigFault)
  })
})

describe('a Temporal with API keys', () => {
  it('refuses a wrong key, and none, with one sentence', async () => {
    keyed.keys = ['right']
    await connected({ ...onTls(keyed), TEMPORAL_API_KEY: 'right' })
    const refused = `The Temporal of TEMPORAL_ADDRESS ${keyed.address} refuses`
    const set = 'TEMPORAL_API_KEY or TEMPORAL_API_KEY_FILE.'
    const wrong = connected({ ...onTls(keyed), TEMPORAL_API_KEY: 'wrong' })
    await expect(wrong).rejects.toThrow(new ConfigFault(`${refused} the API key; correct ${set}`))
    await expect(connected(onTls(keyed))).rejects.toThrow(new ConfigFault(`${refused} callers without an API key; set ${set}`))
  })

  it('is served on when the key in the file is replaced, and goes on when a revoked one is valid again', async () => {
    const file = join(folder.path, 'api-key')
    await writeFile(file, 'first\n')
    keyed.keys = ['first']
    const said: unknown[] = []
    const worker = await workers.start(
      { DATABASE_URL: db.url, DATA_DIR: folder.path, LOG_LEVEL: 'info', ...onTls(keyed), TEMPORAL_API_KEY_FILE: file },
      ({ msg }) => said.push(msg),
    )
    await untilClosed()

    keyed.keys = ['first', 'second']
    await writeFile(file, 'second\n')
    await until(() => said.includes('the API key of Temporal has been replaced'))
    keyed.keys = ['second']
    await untilClosed()

    keyed.keys = []
    await untilClosed(async () => {
      await until(() => said.some((line) => /could not be woken/.test(String(line))))
      keyed.keys = ['second']
    })
    expect(worker.exitCode).toBeNull()
    expect(await endProcess(worker, 'SIGTERM')).toBe(0)
  }, 180_000)

  it('that forbids its operator service is asked which search attributes it lacks, and the command that makes them is named', async () => {
    await registerSearchAttributes(env.nativeConnection, 'default')
    keyed.keys = undefined
    keyed.forbidden = ['/temporal.api.operatorservice']
    try {
      await connected(onTls(keyed), async (connection) => {
        expect(await registerSearchAttributes(connection, 'default')).toBeUndefined()
        const { workflowService, operatorService } = connection
        await env.connection.operatorService.removeSearchAttributes({ namespace: 'default', searchAttributes: ['DropStage'] })
        await until(async () => {
          const advice = await registerSearchAttributes({ workflowService, operatorService }, 'default')
          return advice?.includes('search-attribute create --namespace default --name DropStage --type Keyword"') === true
        })
      })
    } finally {
      keyed.forbidden = []
      await registerSearchAttributes(env.nativeConnection, 'default')
    }
  }, 120_000)
})
