import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { secretsKeys } from '../../../src/adapters/keys/secretsKey.ts'
import { ConfigFault } from '../../../src/config/index.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { openSecrets, readSecret, type SecretBox, SecretsKeyFault, saveSecret } from '../../../src/store/tenants/secrets.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import { temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
let box: SecretBox
const key = randomBytes(32)
beforeAll(async () => {
  await issueCredential(db, { entity: 'cable', side: 'seller', kind: 'test' })
  box = await openSecrets(db, () => [key])
})

describe("a tenant's secret", () => {
  it('reads back as it was stored, the newest under its name', async () => {
    await saveSecret(db, box, operator('cable', 'seller', 'platform'), 'api', 'old')
    await saveSecret(db, box, operator('cable', 'seller', 'platform'), 'api', 'whsec_Zoë')
    expect(await readSecret(db, box, 'cable', 'api')).toBe('whsec_Zoë')
    expect(await readSecret(db, box, 'cable', 'other')).toBeUndefined()
  })

  it('is nowhere in the database', async () => {
    await saveSecret(db, box, operator('cable', 'seller', 'platform'), 'api', 'the-plain-words')
    const { rows } = await db.pool.query<{ sealed: Buffer }>('select sealed from tenant_secrets')
    for (const { sealed } of rows) expect(sealed.includes('plain-words')).toBe(false)
    expect(rows).toHaveLength(1)
  })

  it('is sealed differently each time, and opens in no other place, under no other key, and not with a changed bit', async () => {
    const [first, second] = [box.seal('same', 'here'), box.seal('same', 'here')]
    expect(first.equals(second)).toBe(false)
    expect(box.open(first, 'here')).toBe('same')
    expect(box.open(first, 'there')).toBeUndefined()
    for (let at = 0; at < first.length; at += 1) {
      const changed = Buffer.from(first)
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at)
      expect(box.open(changed, 'here')).toBeUndefined()
    }
    expect(box.open(first.subarray(0, 20), 'here')).toBeUndefined()
  })
})

describe('the key', () => {
  it('that comes first is the right one; another is refused before anything is read', async () => {
    const other = randomBytes(32)
    await expect(openSecrets(db, () => [other])).rejects.toThrow(SecretsKeyFault)
    await saveSecret(db, box, operator('cable', 'seller', 'platform'), 'kept', 'still')
    expect(await readSecret(db, await openSecrets(db, () => [key]), 'cable', 'kept')).toBe('still')
  })

  it('is made once in the data directory, for its owner alone, even by concurrent starts', async () => {
    const folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    const made = await Promise.all(
      Array.from({ length: 8 }, () => secretsKeys({ secretsKey: undefined, secretsKeyPrevious: undefined, dataDir })),
    )
    const keys = made.map((read) => read()[0])
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(keys[0]).toHaveLength(32)
    expect((await stat(join(dataDir, 'secrets.key'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(dataDir, 'secrets.key'), 'utf8')).toBe(`${keys[0]?.toString('base64')}\n`)
    await folder.remove()
  })

  it('stops the start in one sentence when its file is damaged', async () => {
    const { path: dataDir, remove } = await temporaryFolder()
    await writeFile(join(dataDir, 'secrets.key'), 'half a key')
    await expect(secretsKeys({ secretsKey: undefined, secretsKeyPrevious: undefined, dataDir })).rejects.toThrow(
      new ConfigFault(`${join(dataDir, 'secrets.key')} does not hold a key of 32 bytes in base64; restore the file, or set SECRETS_KEY.`),
    )
    await remove()
  })

  it('is the setting where there is one', async () => {
    const other = randomBytes(32)
    expect((await secretsKeys({ secretsKey: key, secretsKeyPrevious: undefined, dataDir: '/nowhere' }))()).toEqual([key])
    expect((await secretsKeys({ secretsKey: key, secretsKeyPrevious: other, dataDir: '/nowhere' }))()).toEqual([key, other])
  })
})
