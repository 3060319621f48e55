import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Credentials, readPartyAccess, seedSandbox } from '../../../src/local/embedded/seedSandbox.ts'
import { PARTIES } from '../../../src/local/sandbox/habits.ts'
import { type Database, openDatabase } from '../../../src/store/connection/database.ts'
import { issueCredential, revokeCredential } from '../../../src/store/tenants/credentials.ts'
import { findCredential } from '../../../src/store/tenants/findCredential.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/engines/database.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

let home: TemporaryFolder
let file: string
let cloned: ClonedDatabase
let db: Database

beforeEach(async () => {
  home = await temporaryFolder()
  file = join(home.path, 'credentials.json')
  cloned = await cloneDatabase()
  db = openDatabase(cloned.url, { max: 2 })
})

afterEach(async () => {
  await db.close()
  await cloned.drop()
  await home.remove()
})

/** One start of the sandbox on this directory; returns what the file holds then. */
async function seeded(databaseUrl = cloned.url): Promise<Credentials> {
  await seedSandbox({ databaseUrl, dataDir: home.path, baseUrl: 'http://127.0.0.1:8080', temporalUi: null })
  return JSON.parse(await readFile(file, 'utf8'))
}

const tokensOf = ({ sellers, buyers, operators }: Credentials) =>
  Object.entries({ ...sellers, ...buyers, ...operators }).map(([entity, { token }]) => ({ entity, token }))
const isHonoured = async (credentials: Credentials, by = db) => {
  for (const { entity, token } of tokensOf(credentials)) expect((await findCredential(by, token))?.entity).toBe(entity)
}

describe('credentials.json', () => {
  it('has a base_url that ends in the version segment', async () => {
    expect((await seeded()).base_url).toBe('http://127.0.0.1:8080/v1')
  })

  it('is the same after the next start', async () => {
    const first = await seeded()
    await isHonoured(first)
    expect(await seeded()).toEqual(first)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it.each(['', '{"buyers": {"northlight-media"', 'null', '{"buyers": null, "sellers": {"summit": {"token": 7}}}'])(
    'is made again when it is damaged: %s',
    async (text) => {
      await seeded()
      await writeFile(file, text)
      await isHonoured(await seeded())
    },
  )

  it('holds working tokens after each loss, and keeps a token that was issued by hand', async () => {
    await seeded()
    const byHand = await issueCredential(db, { entity: 'summit', side: 'seller', kind: 'test' })
    await rm(file)
    await isHonoured(await seeded())
    expect(await findCredential(db, byHand.token)).toMatchObject({ entity: 'summit' })
    for (let time = 0; time < 3; time++) {
      await rm(file)
      await isHonoured(await seeded())
    }
  })

  it('replaces a token that was revoked, and those of another database', async () => {
    const first = await seeded()
    for (const { entity, token } of tokensOf(first)) if (entity === 'northlight-media') await revokeCredential(db, token)
    const second = await seeded()
    await isHonoured(second)
    expect(second.sellers).toEqual(first.sellers)

    const other = await cloneDatabase()
    const otherDb = openDatabase(other.url, { max: 2 })
    try {
      await isHonoured(await seeded(other.url), otherDb)
    } finally {
      await otherDb.close()
      await other.drop()
    }
  })
})

describe('the parties of a sandbox', () => {
  const withParties = () =>
    seedSandbox({ databaseUrl: cloned.url, dataDir: home.path, baseUrl: 'http://127.0.0.1:8080', temporalUi: null, parties: true })

  it('have tokens that work and that a second start keeps, and are found by the worker', async () => {
    const { sandbox } = await withParties()
    expect(Object.keys(sandbox ?? {})).toEqual(Object.keys(PARTIES))
    for (const [party, { token }] of Object.entries(sandbox ?? {})) expect((await findCredential(db, token))?.entity).toBe(party)
    expect((await withParties()).sandbox).toEqual(sandbox)
    expect(await readPartyAccess(home.path)).toMatchObject({
      base_url: 'http://127.0.0.1:8080/v1',
      tokens: { 'sandbox-tv': expect.any(String) },
    })
  })

  it('are absent without the catalogs of the sandbox', async () => {
    expect((await seeded()).sandbox).toBeUndefined()
    expect(await readPartyAccess(home.path)).toBeUndefined()
  })

  it('act in a database that the start has marked', async () => {
    await seeded()
    expect((await db.pool.query('select from sandbox')).rowCount).toBe(1)
  })
})
