import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from '@jest/globals'
import { readSshPublicKey } from '../../src/adapters/keys/sshKey.ts'
import { issueCredential, revokeCredential } from '../../src/store/tenants/credentials.ts'
import { addSftpKey, revokeSftpKey } from '../../src/store/tenants/sftpKeys.ts'
import { runProgram } from '../support/runProgram.ts'
import { type Identity, makeKey, type RunningClient, sftp, startSftp, withOpenSsh } from '../support/sftp/openSsh.ts'
import { useSftp } from '../support/sftp/useSftp.ts'
import { until } from '../support/until.ts'

// Each group has a server of its own, since it reads what its server has said.
const server = useSftp()
const enters = async (user: string, identity: Identity) => (await sftp(server, user, identity, ['ls'])).code === 0

/** `npx order-marketplace operator token ...` beside the server. */
const token = (...args: string[]) => runProgram('src/cli/token', args, { DATABASE_URL: server.app.databaseUrl })

const add = async (seller: string, file: string) => addSftpKey(server.app.deps.db, seller, readSshPublicKey(await readFile(file, 'utf8')))

const audited = async (seller: string) => {
  const { rows } = await server.app.deps.db.pool.query<{
    action: string
    via: string
    after: { reason?: string } | null
    source_ip: string | null
  }>('select action, via, after, source_ip from security_events where entity = $1 order by event_id', [seller])
  return rows
}

/** A client that has signed in and waits. */
async function waiting(user: string, identity: Identity): Promise<RunningClient> {
  const client = startSftp(server, user, identity, ['ls'])
  const before = server.server.said().split('a seller has signed in').length
  await until(() => server.server.said().split('a seller has signed in').length > before)
  return client
}

withOpenSsh('a password', () => {
  beforeAll(() => server.restart())

  it('is a token of the seller with catalog:write', async () => {
    const { db } = server.app.deps
    const ask = { entity: 'cable', side: 'seller', kind: 'test' } as const
    const reads = await issueCredential(db, { ...ask, scopes: ['catalog:read', 'orders:approve'] })
    expect(await enters('cable', server.password('cable'))).toBe(true)
    expect(await enters('cable', { password: reads.token })).toBe(false)
    await revokeCredential(db, reads.credential_id)
    const expired = await issueCredential(db, { ...ask, ttlSeconds: -1 })
    expect(await enters('cable', { password: expired.token })).toBe(false)
    expect(await enters('cable', { password: reads.token })).toBe(false)
    const refusals = async () => (await audited('cable')).filter(({ action }) => action === 'sign_in.refused')
    await until(async () => (await refusals()).length === 2)
    expect(await refusals()).toEqual(
      ['expired', 'revoked'].map((reason) => ({ action: 'sign_in.refused', via: 'sftp', after: { reason }, source_ip: '127.0.0.1' })),
    )
  })

  it.each([
    ['that is no token', 'cable', () => ({ password: 'secret' })],
    ["that is another seller's", 'cable', () => server.password('station')],
    ["that is a buyer's", 'acme', () => ({ password: server.app.tokens.buyers.acme })],
    ['under a name in another case', 'Cable', () => server.password('cable')],
    ['of a user who is nobody', 'nobody', () => server.password('cable')],
  ])('is refused: one %s', async (_, user, identity) => {
    expect(await enters(user, identity())).toBe(false)
  })

  it('is in no log', () => {
    expect(server.server.said()).not.toContain(server.app.tokens.sellers.cable.slice(9))
    expect(server.server.said()).not.toContain('"secret"')
  })
})

withOpenSsh('a key', () => {
  beforeAll(() => server.restart())

  it.each(['ed25519', 'ecdsa', 'rsa'] as const)('signs its seller in, and nobody else, until it is revoked: %s', async (type) => {
    const keyFile = makeKey(server.home, type)
    expect(await enters('cable', { keyFile })).toBe(false)
    const id = await add('cable', `${keyFile}.pub`)
    expect(await enters('cable', { keyFile })).toBe(true)
    expect(await enters('station', { keyFile })).toBe(false)
    await revokeSftpKey(server.app.deps.db, id)
    expect(await enters('cable', { keyFile })).toBe(false)
  })

  it('is added, listed and revoked at the command line, and may be added again', async () => {
    const keyFile = makeKey(server.home, 'ed25519', { name: 'again' })
    const id = (await token('sftp-key', 'add', '--tenant', 'station', '--file', `${keyFile}.pub`)).out.trim()
    expect(id).toMatch(/^sfk_\w+$/)
    expect((await token('sftp-key', 'revoke', id)).out).toBe('revoked\n')
    expect((await token('sftp-key', 'list')).out).toMatch(
      new RegExp(`^${id}\tstation\tssh-ed25519\tSHA256:\\S{43}\trevoked\tagain of a test$`, 'm'),
    )
    await add('station', `${keyFile}.pub`)
    expect(await enters('station', { keyFile })).toBe(true)
    const acts = (await audited('station')).map(({ action, via }) => `${action} ${via}`).filter((act) => act.startsWith('sftp_key'))
    expect(acts).toEqual(['sftp_key.added command_line', 'sftp_key.revoked command_line', 'sftp_key.added command_line'])
  })

  it('is refused with its reason when it cannot be added', async () => {
    const [weak, kept] = [makeKey(server.home, 'rsa', { bits: 1_024, name: 'weak' }), makeKey(server.home, 'ed25519', { name: 'kept' })]
    await writeFile(join(server.home, 'text.pub'), 'hello\n')
    await add('cable', `${kept}.pub`)
    const refused: [string, string, string][] = [
      ['cable', `${weak}.pub`, 'An RSA key must have at least 2048 bits; this one has 1024.'],
      ['cable', kept, 'This is a private key, which must stay with its owner: send the .pub file.'],
      ['cable', join(server.home, 'text.pub'), 'This is not a public key of one line'],
      ['cable', `${kept}.pub`, 'cable already has this key: sfk_'],
      ['acme', `${kept}.pub`, 'acme is a buyer; only sellers upload by SFTP.'],
      ['nobody', `${kept}.pub`, 'There is no tenant nobody: issue a token first, which creates it.'],
    ]
    for (const [seller, file, sentence] of refused) await expect(add(seller, file)).rejects.toThrow(sentence)
    expect(await token('sftp-key', 'add', '--tenant', 'cable', '--file', `${weak}.pub`)).toMatchObject({
      code: 1,
      err: 'An RSA key must have at least 2048 bits; this one has 1024.\n',
    })
  })

  it('is one of ten at most', async () => {
    const keys = Array.from({ length: 11 }, (_, key) => makeKey(server.home, 'ed25519', { name: `ten${key}` }))
    const { db } = server.app.deps
    await issueCredential(db, { entity: 'many-keys', side: 'seller', kind: 'test' })
    for (const key of keys.slice(0, 10)) await add('many-keys', `${key}.pub`)
    await expect(add('many-keys', `${keys[10]}.pub`)).rejects.toThrow('many-keys already has 10 keys; revoke one first.')
  })
})

withOpenSsh('an open connection', () => {
  beforeAll(() => server.restart())

  it('ends when its token, or its key, is revoked', async () => {
    const { db } = server.app.deps
    const byHand = await issueCredential(db, { entity: 'station', side: 'seller', kind: 'test' })
    const keyFile = makeKey(server.home, 'ed25519', { name: 'open' })
    const key = await add('station', `${keyFile}.pub`)
    const [byToken, byKey, other] = [
      await waiting('station', { password: byHand.token }),
      await waiting('station', { keyFile }),
      await waiting('station', server.password('station')),
    ]
    await Promise.all([revokeCredential(db, byHand.credential_id), revokeSftpKey(db, key)])
    await until(() => server.server.said().split('the credential was revoked').length === 3)
    for (const client of [byToken, byKey]) {
      client.process.stdin?.end('ls\n')
      expect((await client.ended).code).not.toBe(0)
    }
    other.process.stdin?.end('ls\n')
    expect(await other.ended).toMatchObject({ code: 0 })
  })
})
