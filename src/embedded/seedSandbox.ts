import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Side } from '../contract/vocabulary.ts'
import { issueCredential } from '../store/credentials.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { nameTenant } from '../store/sellers.ts'

/** The tenants of a sandbox: a cable network and a station, and two agencies that buy from them. */
const SELLERS = { summit: 'Summit Networks', 'ktvl-10': 'KTVL Channel 10' } as const
const BUYERS = { 'northlight-media': 'Northlight Media', 'harbor-and-vale': 'Harbor & Vale' } as const

/** `DATA_DIR/credentials.json`: how a newcomer gets in. */
export interface Credentials {
  base_url: string
  temporal_ui: string | null
  sellers: Record<string, { token: string }>
  buyers: Record<string, { token: string }>
}

export interface SeedSandbox {
  databaseUrl: string
  dataDir: string
  baseUrl: string
  temporalUi: string | null
}

/** Seeds the sandbox tenants with every scope of their side. Only hashes of tokens are stored, so a second start keeps the file's. */
export async function seedSandbox({ databaseUrl, dataDir, baseUrl, temporalUi }: SeedSandbox): Promise<void> {
  const file = join(dataDir, 'credentials.json')
  const known = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Partial<Credentials>,
    () => ({}) as Partial<Credentials>,
  )
  const db = openDatabase(databaseUrl, { max: 2 })
  try {
    const credentials: Credentials = {
      base_url: baseUrl,
      temporal_ui: temporalUi,
      sellers: await seedSide(db, 'seller', SELLERS, known.sellers),
      buyers: await seedSide(db, 'buyer', BUYERS, known.buyers),
    }
    await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
    await chmod(`${file}.new`, 0o600)
    await rename(`${file}.new`, file)
  } finally {
    await db.close()
  }
}

async function seedSide(db: Database, side: Side, tenants: Record<string, string>, known: Record<string, { token: string }> = {}) {
  const seeded: Record<string, { token: string }> = {}
  for (const [entity, name] of Object.entries(tenants)) {
    seeded[entity] = known[entity] ?? { token: (await issueCredential(db, { entity, side, kind: 'test' })).token }
    await nameTenant(db, entity, name)
  }
  return seeded
}
