import { once } from 'node:events'
import { pino } from 'pino'
import ssh2, { type Client, type SFTPWrapper } from 'ssh2'
import { LIMITS, type SftpLimits } from '../../../sftp/limits.ts'
import { madeFolders } from '../../../sftp/madeFolders.ts'
import { type SftpServer, sftpServer } from '../../../sftp/server.ts'
import { openSpool } from '../../../sftp/spool.ts'
import { generateHostKey } from '../../../src/adapters/keys/sftpHostKey.ts'
import { refusedSignIns } from '../../../src/store/tenants/refusedSignIns.ts'
import type { TestApp } from '../http/app.ts'
import type { Used } from '../useMarket.ts'

export interface Connected {
  readonly client: Client
  readonly closed: Promise<unknown>
}

/** Provides SFTP servers in this process, with special limits, and their clients. */
export function sftpServers(app: TestApp & Used) {
  const hostKey = generateHostKey()
  const servers: SftpServer[] = []
  app.beforeStop(async () => {
    for (const server of servers) await server.close(0)
  })

  /** Starts a server with other limits and another clock than the product's, so that a test need not wait for minutes. */
  async function serverWith(
    limits: Partial<SftpLimits> = {},
    spool = { perTenant: 2 ** 31, total: 2 ** 33 },
    { dropsPerDay = 0, dropBytesPerSeller = 0, now = Date.now, log = pino({ level: 'silent' }) } = {},
  ): Promise<SftpServer> {
    const { db, drops } = app.deps
    const server = sftpServer(
      {
        db,
        drops,
        log,
        refusedSignIns: refusedSignIns(db, { via: 'sftp' }),
        spool: openSpool(`${app.dataDir}/sftp/.incoming`, spool),
        folders: madeFolders(),
        dropsPerDay,
        dropBytesPerSeller,
      },
      [hostKey],
      { ...LIMITS, ...limits },
      now,
    )
    await server.listen(0, '127.0.0.1')
    servers.push(server)
    return server
  }

  /** Returns a client that has signed in; rejects with the reason if it could not. */
  function signIn(
    { port }: SftpServer,
    password = app.tokens.sellers.cable,
    username = 'cable',
    localAddress = '127.0.0.1',
  ): Promise<Connected> {
    const client = new ssh2.Client()
    const closed = once(client, 'close').catch(() => undefined)
    return new Promise((resolve, reject) => {
      client.once('ready', () => {
        client.removeAllListeners('error').on('error', () => undefined)
        resolve({ client, closed })
      })
      client.on('error', reject).once('close', () => reject(new Error('closed')))
      client.connect({ host: '127.0.0.1', port, username, password, localAddress })
    })
  }
  return { serverWith, signIn }
}

export const sftpOf = ({ client }: Connected): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))))
export const call = <T>(work: (done: (error: Error | undefined | null, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => work((error, value) => (error ? reject(error) : resolve(value))))
/** Makes a call without a result. */
export const finished = (work: (done: (error?: Error | null) => void) => void): Promise<void> =>
  call((done) => work((error) => done(error, undefined)))
export const openFile = (sftp: SFTPWrapper, path: string, flags: 'r' | 'w' = 'w') => call<Buffer>((done) => sftp.open(path, flags, done))
export const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: Error) => error.message,
  )
