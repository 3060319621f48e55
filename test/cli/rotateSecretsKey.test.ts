import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { secretsKeys } from '../../src/adapters/keys/secretsKey.ts'
import { addEndpoint, findEndpoint, readReceiver, rotateSecret } from '../../src/store/delivery/webhookEndpoints.ts'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { sealUnder } from '../../src/store/tenants/secretBox.ts'
import {
  openSecrets,
  placeOfTenantSecret,
  readSecret,
  type SecretBox,
  SecretsKeyFault,
  saveSecret,
} from '../../src/store/tenants/secrets.ts'
import type { Actor } from '../../src/store/tenants/securityEvents.ts'
import { FULL_AUTHORITY } from '../support/access/authority.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { runProgram } from '../support/runProgram.ts'
import { useDatabase } from '../support/useDatabase.ts'

const CABLE: Actor = { entity: 'cable', side: 'seller', via: 'api', credential_id: null, source_ip: null }

const db = useDatabase()
let folder: Awaited<ReturnType<typeof temporaryFolder>>
/** The secrets of a process that was started before the rotation and keeps running. */
let running: SecretBox
const settings = () => ({ secretsKey: undefined, secretsKeyPrevious: undefined, dataDir: folder.path })
beforeAll(async () => {
  folder = await temporaryFolder()
  await issueCredential(db, { entity: 'cable', side: 'seller', kind: 'test' })
  running = await openSecrets(db, await secretsKeys(settings()))
})
db.beforeStop(() => folder.remove())

const command = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  runProgram('src/cli/rotateSecretsKey', args, { DATABASE_URL: db.url, DATA_DIR: folder.path, ...env })
const keyFile = (name = 'secrets.key') => readFile(join(folder.path, name), 'utf8')
const signing = async (id: string) => (await readReceiver(db, running, id))?.secrets
const held = (current: number, previous: number, lost: number) =>
  `${current} secrets are encrypted under the present key, ${previous} under the previous one, ${lost} under none that is known.\n`

describe('npm run secrets:rotate-key', () => {
  it('encrypts every secret under a new key while processes read and write secrets, without a restart', async () => {
    const { endpoint, secret } = await addEndpoint(db, running, CABLE, FULL_AUTHORITY, { url: 'https://hooks.example.com/' })
    const rotated = await rotateSecret(db, running, CABLE, endpoint.endpoint_id)
    const before = await keyFile()
    const over = new AbortController()
    let saved = 0
    const writing = (async () => {
      while (!over.signal.aborted) {
        await saveSecret(db, running, CABLE, `name-${saved % 20}`, `value-${saved}`)
        expect(await readSecret(db, running, 'cable', `name-${saved % 20}`)).toBe(`value-${saved}`)
        expect(await signing(endpoint.endpoint_id)).toEqual([rotated?.secret, secret])
        saved += 1
        await sleep(5)
      }
    })()
    const { code, out } = await command([])
    over.abort()
    await writing
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+ secrets are .* 0 under the previous one, 0 under none/)])
    expect(saved).toBeGreaterThan(20)

    expect(await keyFile()).not.toBe(before)
    await expect(keyFile('secrets.key.previous')).rejects.toThrow('ENOENT')
    const started = await openSecrets(db, await secretsKeys(settings()))
    expect((await readReceiver(db, started, endpoint.endpoint_id))?.secrets).toEqual([rotated?.secret, secret])
    const old = Buffer.from(before, 'base64')
    await expect(openSecrets(db, () => [old])).rejects.toThrow(SecretsKeyFault)
    expect(await command(['--check'])).toMatchObject({ code: 0, out: held(22, 0, 0) })
  }, 60_000)

  it('lists what no key opens, and shows it on the endpoint until its secret is rotated', async () => {
    const { endpoint } = await addEndpoint(db, running, CABLE, FULL_AUTHORITY, { url: 'https://hooks.example.com/lost' })
    const lost = randomBytes(32)
    await db.pool.query(`update tenant_secrets set sealed = $1 where name = 'name-3'`, [
      sealUnder([lost], 'x', placeOfTenantSecret('cable', 'name-3')),
    ])
    await db.pool.query('update webhook_endpoints set secret = $2 where endpoint_id = $1', [endpoint.endpoint_id, randomBytes(80)])
    const { code, out } = await command(['--check'])
    expect([code, out.split('\n').slice(2, -1)]).toEqual([1, ['  cable: secret name-3', `  cable: webhook ${endpoint.endpoint_id}`]])
    expect(await readSecret(db, running, 'cable', 'name-3')).toBeUndefined()
    expect(await findEndpoint(db, running, 'cable', endpoint.endpoint_id)).toMatchObject({ unreadable_secrets: ['current'] })
    await rotateSecret(db, running, CABLE, endpoint.endpoint_id)
    expect(await findEndpoint(db, running, 'cable', endpoint.endpoint_id)).toMatchObject({ unreadable_secrets: ['previous'] })
    expect(await signing(endpoint.endpoint_id)).toHaveLength(1)
  }, 60_000)

  it('requires both keys when they come from the settings, and uses the new one', async () => {
    const [next, present] = [randomBytes(32).toString('base64'), (await keyFile()).trim()]
    expect(await command([], { SECRETS_KEY: next })).toMatchObject({
      code: 1,
      err: expect.stringContaining('SECRETS_KEY_PREVIOUS must be set'),
    })
    const both = { SECRETS_KEY: next, SECRETS_KEY_PREVIOUS: present }
    expect((await command(['--check'], both)).out).toContain(held(0, 22, 2))
    expect((await command([], both)).out).toContain(held(22, 0, 2))
    const keys = [Buffer.from(next, 'base64')] as const
    expect(await readSecret(db, await openSecrets(db, () => keys), 'cable', 'name-1')).toMatch(/^value-/)
    await expect(openSecrets(db, await secretsKeys(settings()))).rejects.toThrow(SecretsKeyFault)
  }, 60_000)
})
