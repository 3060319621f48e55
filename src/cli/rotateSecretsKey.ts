import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { deletePreviousKeyFile, replaceKeyFile, secretsKeys } from '../adapters/keys/secretsKey.ts'
import { ConfigFault, readConfig } from '../config/index.ts'
import { postgresUrl } from '../local/embedded/postgres.ts'
import { openDatabase } from '../store/connection/database.ts'
import { scopeKey, setScopeKey } from '../store/connection/scopeKey.ts'
import { deleteOtherKeys, lookAtSecrets, type SealedSecrets } from '../store/tenants/resealSecrets.ts'
import { openSecrets } from '../store/tenants/secrets.ts'
import { endWith } from './endWith.ts'

/**
 * `npm run secrets:rotate-key [-- --check]`: encrypts every secret with a new key while the service runs; `--check` only counts the secrets
 * of each key and names those that no key opens (docs/operate/secrets.md). Exit code 1 when a secret must be created again.
 */
async function main(): Promise<void> {
  const config = readConfig()
  const checks = process.argv.includes('--check')
  const isFile = config.secretsKey === undefined
  if (!checks && !isFile && config.secretsKeyPrevious === undefined) throw new ConfigFault(NEEDS_BOTH)
  const databaseUrl = config.databaseUrl ?? (await postgresUrl(config.dataDir))
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  try {
    if (!checks && isFile) {
      await secretsKeys(config)
      await replaceKeyFile(config.dataDir)
    }
    const keys = await secretsKeys(config)
    if (!checks) await admitted(databaseUrl, keys)
    let found = await lookAtSecrets(pool, keys(), { reseal: !checks })
    // The next pass finds secrets that a process encrypted with keys loaded before the rotation.
    for (let looks = 1; !checks && found.previous > 0 && looks < MAX_LOOKS; looks += 1) {
      await sleep(SETTLE_MS)
      found = await lookAtSecrets(pool, keys(), { reseal: true })
    }
    if (!checks && found.previous === 0) {
      await deleteOtherKeys(pool, keys())
      if (isFile) await deletePreviousKeyFile(config.dataDir)
    }
    process.stdout.write(said(found))
    if (found.unreadable.length > 0 || (!checks && found.previous > 0)) process.exitCode = 1
  } finally {
    await pool.end()
  }
}

const SETTLE_MS = 1_000
const MAX_LOOKS = 10
const NEEDS_BOTH =
  'SECRETS_KEY_PREVIOUS must be set: give the new key as SECRETS_KEY and the one in use as SECRETS_KEY_PREVIOUS, to the workers and then the APIs, restart them, and run this with the same two.'

/** Makes the database accept both keys and refuse processes that have neither. */
async function admitted(databaseUrl: string, keys: Awaited<ReturnType<typeof secretsKeys>>): Promise<void> {
  const db = openDatabase(databaseUrl, { max: 1 })
  try {
    await openSecrets(db, keys)
    await setScopeKey(db, scopeKey(keys()[0]))
  } finally {
    await db.close()
  }
}

function said({ current, previous, unreadable }: SealedSecrets): string {
  const lines = [
    `${current} secrets are encrypted under the present key, ${previous} under the previous one, ${unreadable.length} under none that is known.`,
  ]
  if (unreadable.length > 0) lines.push('To be made again by their tenants (rotate-secret for a webhook, PUT /me/secrets for a secret):')
  for (const { tenant, what } of unreadable) lines.push(`  ${tenant}: ${what}`)
  return `${lines.join('\n')}\n`
}

main().catch(endWith)
