import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiUrl } from '../../../client/src/index.ts'
import type { CredentialSide } from '../../contract/vocabulary/access.ts'
import { type Database, openDatabase } from '../../store/connection/database.ts'
import { issueCredential } from '../../store/tenants/credentials.ts'
import { findCredential } from '../../store/tenants/findCredential.ts'
import { markSandbox } from '../../store/tenants/freshTenants.ts'
import { nameTenant } from '../../store/tenants/sellers.ts'
import { PARTIES, type Party } from '../sandbox/habits.ts'
import type { PartyAccess } from '../sandbox/players.ts'

interface Tenant {
  readonly name: string
  /** The gate through which its token decides; the API by default. */
  readonly gate?: 'console'
}

/** A sandbox's tenants: a cable network, two stations, one of which sells only by files, two agencies that buy from them, and operators. */
const SELLERS: Readonly<Record<string, Tenant>> = {
  summit: { name: 'Summit Networks' },
  'ktvl-10': { name: 'KTVL Channel 10' },
  'lakeshore-28': { name: 'Lakeshore 28', gate: 'console' },
}
const BUYERS: Readonly<Record<string, Tenant>> = {
  'northlight-media': { name: 'Northlight Media' },
  'harbor-and-vale': { name: 'Harbor & Vale' },
}
const OPERATORS: Readonly<Record<string, Tenant>> = { operations: { name: 'Marketplace operations' } }

/** The contents of `DATA_DIR/credentials.json`, with which a newcomer gets access. */
export interface Credentials {
  /** The URL ends in the version segment. */
  base_url: string
  temporal_ui: string | null
  /** Absent if no SFTP server runs. */
  sftp?: SftpEndpoint
  sellers: Record<string, { token: string }>
  buyers: Record<string, { token: string }>
  operators: Record<string, { token: string }>
  /** The tenants that act by themselves; absent without the catalogs of the sandbox. */
  sandbox?: Record<string, { token: string }>
}

export interface SeedSandbox {
  databaseUrl: string
  dataDir: string
  baseUrl: string
  temporalUi: string | null
  sftp?: SftpEndpoint | undefined
  /** Whether there are parties that act by themselves. */
  parties?: boolean
}

/**
 * Seeds the sandbox tenants with every scope of their side. The database stores only token hashes, so a second start keeps the tokens of
 * the file. A token that the file has lost or that this database does not accept is replaced. Returns the file's contents.
 */
export async function seedSandbox({ databaseUrl, dataDir, baseUrl, temporalUi, sftp, parties = false }: SeedSandbox): Promise<Credentials> {
  const file = fileIn(dataDir)
  const known = await readCredentials(dataDir)
  const db = openDatabase(databaseUrl, { max: 2 })
  try {
    await markSandbox(db)
    const credentials: Credentials = {
      base_url: apiUrl(baseUrl),
      temporal_ui: temporalUi,
      ...(sftp && { sftp }),
      sellers: await seedSide(db, 'seller', SELLERS, known.sellers),
      buyers: await seedSide(db, 'buyer', BUYERS, known.buyers),
      operators: await seedSide(db, 'operator', OPERATORS, known.operators),
      ...(parties && { sandbox: await seedParties(db, known.sandbox) }),
    }
    await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
    await chmod(`${file}.new`, 0o600)
    await rename(`${file}.new`, file)
    return credentials
  } finally {
    await db.close()
  }
}

/** Reads the file of the last start, which may be damaged or belong to another database. */
export async function readCredentials(dataDir: string): Promise<Partial<Credentials>> {
  try {
    return (JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as Credentials | null) ?? {}
  } catch {
    return {}
  }
}

/** Returns how the parties reach /v1, from the file of this start; undefined if there are none. */
export async function readPartyAccess(dataDir: string): Promise<PartyAccess | undefined> {
  const { base_url, sandbox } = await readCredentials(dataDir)
  if (base_url === undefined || sandbox === undefined) return undefined
  const tokens = Object.fromEntries(Object.entries(sandbox).map(([party, { token }]) => [party, token]))
  return { base_url, tokens: tokens as Record<Party, string> }
}

async function seedParties(db: Database, known: Credentials['sandbox']): Promise<Record<string, { token: string }>> {
  const of = (wanted: CredentialSide) => Object.fromEntries(Object.entries(PARTIES).filter(([, { side }]) => side === wanted))
  return { ...(await seedSide(db, 'seller', of('seller'), known)), ...(await seedSide(db, 'buyer', of('buyer'), known)) }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'credentials.json')
}

async function seedSide(
  db: Database,
  side: CredentialSide,
  tenants: Readonly<Record<string, Tenant>>,
  known: Record<string, { token?: unknown }> | null | undefined,
) {
  const seeded: Record<string, { token: string }> = {}
  for (const [entity, { name, ...how }] of Object.entries(tenants)) {
    const kept = known?.[entity]?.token
    const isHonoured = typeof kept === 'string' && (await isLivingTokenOf(db, entity, kept))
    seeded[entity] = {
      token: isHonoured ? kept : (await issueCredential(db, { entity, side, kind: 'test', replacesOldest: true, ...how })).token,
    }
    await nameTenant(db, entity, name)
  }
  return seeded
}

async function isLivingTokenOf(db: Database, entity: string, token: string): Promise<boolean> {
  const credential = await findCredential(db, token)
  return credential?.entity === entity && !credential.revoked && (credential.expires_at === null || credential.expires_at > Date.now())
}

/** The address at which sellers reach the SFTP server, and the fingerprint by which their clients recognize it. */
export interface SftpEndpoint {
  host: string
  port: number
  fingerprint: string
}
