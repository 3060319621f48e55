import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import ssh2 from 'ssh2'
import { generateHostKey, readSftpHostKey } from '../../../src/adapters/keys/sftpHostKey.ts'
import { type Config, readConfig } from '../../../src/config/index.ts'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { chooseSftpEndpoint } from '../../../src/local/embedded/sftpEndpoint.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

let home: TemporaryFolder
const config = (env: NodeJS.ProcessEnv = {}): Config => readConfig({ DATA_DIR: home.path, ...env })

beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

describe('where the SFTP server listens', () => {
  it('is nowhere in production, unless SFTP_PORT is set', async () => {
    const port = await freePort()
    expect(await chooseSftpEndpoint(config({ MODE: 'production' }), '127.0.0.1')).toBeUndefined()
    expect(await chooseSftpEndpoint(config({ MODE: 'production', SFTP_PORT: String(port) }), '127.0.0.1')).toMatchObject({ port })
  })

  it('is the port of the last start in the sandbox, while it is free', async () => {
    const port = await freePort()
    await writeFile(join(home.path, 'credentials.json'), JSON.stringify({ sftp: { port } }))
    expect(await chooseSftpEndpoint(config(), '127.0.0.1')).toMatchObject({ host: '127.0.0.1', port })
    const squatter = createServer()
    await new Promise<void>((done) => squatter.listen(port, '127.0.0.1', done))
    expect((await chooseSftpEndpoint(config(), '127.0.0.1'))?.port).not.toBe(port)
    await expect(chooseSftpEndpoint(config({ SFTP_PORT: String(port) }), '127.0.0.1')).rejects.toThrow(
      `SFTP_PORT ${port} is taken by another program; choose another port or leave SFTP_PORT unset.`,
    )
    squatter.close()
  })
})

describe('the host key', () => {
  it('is made once by concurrent starts, and only its owner can read it', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => readSftpHostKey(config())))
    expect(new Set(keys.map(({ fingerprint }) => fingerprint)).size).toBe(1)
    const file = join(home.path, 'sftp_host_key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toContain('BEGIN OPENSSH PRIVATE KEY')
    expect(await readSftpHostKey(config())).toEqual(keys[0])
  })

  it('can be read, of two thousand generated ones', () => {
    const unreadable = Array.from({ length: 2_000 }, generateHostKey).filter((key) => ssh2.utils.parseKey(key) instanceof Error)
    expect(unreadable).toEqual([])
  })

  it('is that of SFTP_HOST_KEY, as text, with escaped line breaks, or in base64', async () => {
    const { privateKey, fingerprint } = await readSftpHostKey(config())
    for (const SFTP_HOST_KEY of [privateKey, privateKey.replaceAll('\n', '\\n'), Buffer.from(privateKey).toString('base64')])
      expect((await readSftpHostKey(config({ SFTP_HOST_KEY }))).fingerprint).toBe(fingerprint)
  })

  it('is refused in one sentence when it is not a key', async () => {
    expect(() => config({ SFTP_HOST_KEY: 'secret' })).toThrow(/^SFTP_HOST_KEY must be an ed25519 private key(?!.*secret)/)
    await writeFile(join(home.path, 'sftp_host_key'), 'PRIVATE KEY')
    await expect(readSftpHostKey(config())).rejects.toThrow(/sftp_host_key must hold an ed25519 private key without a passphrase/)
  })
})
