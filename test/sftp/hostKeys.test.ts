import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { pino } from 'pino'
import ssh2, { type ServerHostKeyAlgorithm } from 'ssh2'
import { LIMITS } from '../../sftp/limits.ts'
import { madeFolders } from '../../sftp/madeFolders.ts'
import { type SftpServer, sftpServer } from '../../sftp/server.ts'
import { openSpool } from '../../sftp/spool.ts'
import { readSftpHostKeys, type SftpHostKey } from '../../src/adapters/keys/sftpHostKey.ts'
import { sshFingerprint } from '../../src/adapters/keys/sshKey.ts'
import { refusedSignIns } from '../../src/store/tenants/refusedSignIns.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
const dataDir = () => join(app.dataDir, 'host-keys')
const read = (sftpHostKey?: string) => readSftpHostKeys({ dataDir: dataDir(), sftpHostKey })
let keys: SftpHostKey[]
let server: SftpServer
beforeAll(async () => {
  await mkdir(dataDir())
  keys = await read()
  const { db, drops } = app.deps
  const deps = { db, drops, log: pino({ level: 'silent' }), refusedSignIns: refusedSignIns(db, { via: 'sftp' }), folders: madeFolders() }
  const spool = openSpool(join(dataDir(), '.incoming'), { perTenant: 1_000, total: 1_000 })
  server = sftpServer(
    { ...deps, spool, dropsPerDay: 0, dropBytesPerSeller: 0 },
    keys.map(({ privateKey }) => privateKey),
    LIMITS,
  )
  await server.listen(0, '127.0.0.1')
})
afterAll(() => server.close(0))

/** Signs in by one algorithm of host keys; returns the fingerprint that the server has shown, or why it could not. */
function shownBy(algorithm: ServerHostKeyAlgorithm): Promise<string> {
  const client = new ssh2.Client()
  let shown = ''
  return new Promise((resolve) => {
    client.once('ready', () => {
      client.end()
      resolve(shown)
    })
    client.once('error', ({ message }) => resolve(message))
    client.connect({
      ...{ host: '127.0.0.1', port: server.port, username: 'cable', password: app.tokens.sellers.cable },
      algorithms: { serverHostKey: [algorithm] },
      hostVerifier: (key: Buffer) => {
        shown = sshFingerprint(key)
        return true
      },
    })
  })
}

it.each([
  ['ssh-ed25519', 0],
  ['ecdsa-sha2-nistp256', 1],
  ['rsa-sha2-512', 2],
  ['rsa-sha2-256', 2],
] as const)('a client that knows only %s signs in', async (algorithm, key) => {
  expect(await shownBy(algorithm)).toBe(keys[key]?.fingerprint)
})

it('signatures with SHA-1 are not offered', async () => {
  expect(await shownBy('ssh-rsa')).toMatch(/no matching host key format/)
})

it('are made once, and only their owner can read them', async () => {
  expect(await read()).toEqual(keys)
  expect(keys.map(({ type }) => type)).toEqual(['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'])
  for (const name of ['sftp_host_key', 'sftp_host_key_ecdsa', 'sftp_host_key_rsa'])
    expect((await stat(join(dataDir(), name))).mode & 0o777).toBe(0o600)
})

it('are those of SFTP_HOST_KEY where it is set, one or several in any order', async () => {
  const [ed25519 = '', ecdsa = '', rsa = ''] = await Promise.all(
    ['sftp_host_key', 'sftp_host_key_ecdsa', 'sftp_host_key_rsa'].map((name) => readFile(join(dataDir(), name), 'utf8')),
  )
  expect(await read(ed25519)).toEqual(keys.slice(0, 1))
  expect(await read(ecdsa + ed25519 + rsa)).toEqual(keys)
  await expect(read(ecdsa + rsa)).rejects.toThrow('SFTP_HOST_KEY must hold an ed25519 private key')
})
