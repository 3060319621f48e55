import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiUrl } from '../client/apiUrl.ts'
import type { Side } from '../contract/vocabulary.ts'
import { type Database, openDatabase } from '../store/connection/database.ts'
import { issueCredential } from '../store/tenants/credentials.ts'
import { findCredential } from '../store/tenants/findCredential.ts'
import { nameTenant } from '../store/tenants/sellers.ts'

/** The tenants of a sandbox: a cable network and a station, and two agencies that buy from them. */
const SELLERS = { summit: 'Summit Networks', 'ktvl-10': 'KTVL Channel 10' } as const
const BUYERS = { 'northlight-media': 'Northlight Media', 'harbor-and-vale': 'Harbor & Vale' } as const

/** `DATA_DIR/credentials.json`: how a newcomer gets in. */
export interface Credentials {
  /** Ends in the version segment. */
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

/**
 * Seeds the sandbox tenants with every scope of their side. The database stores only token hashes, so a second start keeps the tokens of
 * the file. A token that the file has lost, or that this database does not accept, is replaced. Returns the file's contents.
 */
export async function seedSandbox({ databaseUrl, dataDir, baseUrl, temporalUi }: SeedSandbox): Promise<Credentials> {
  const file = join(dataDir, 'credentials.json')
  const known = await readKnown(file)
  const db = openDatabase(databaseUrl, { max: 2 })
  try {
    const credentials: Credentials = {
      base_url: apiUrl(baseUrl),
      temporal_ui: temporalUi,
      sellers: await seedSide(db, 'seller', SELLERS, known.sellers),
      buyers: await seedSide(db, 'buyer', BUYERS, known.buyers),
    }
    await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
    await chmod(`${file}.new`, 0o600)
    await rename(`${file}.new`, file)
    return credentials
  } finally {
    await db.close()
  }
}

/** Whatever lies there by now: it may be damaged, or of another database. */
async function readKnown(file: string): Promise<Partial<Credentials>> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as Credentials | null) ?? {}
  } catch {
    return {}
  }
}

async function seedSide(
  db: Database,
  side: Side,
  tenants: Record<string, string>,
  known: Record<string, { token?: unknown }> | null | undefined,
) {
  const seeded: Record<string, { token: string }> = {}
  for (const [entity, name] of Object.entries(tenants)) {
    const kept = known?.[entity]?.token
    const isHonoured = typeof kept === 'string' && (await isLivingTokenOf(db, entity, kept))
    seeded[entity] = { token: isHonoured ? kept : (await issueCredential(db, { entity, side, kind: 'test', replacesOldest: true })).token }
    await nameTenant(db, entity, name)
  }
  return seeded
}

async function isLivingTokenOf(db: Database, entity: string, token: string): Promise<boolean> {
  const credential = await findCredential(db, token)
  return credential?.entity === entity && !credential.revoked && (credential.expires_at === null || credential.expires_at > Date.now())
}
