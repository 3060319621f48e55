import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageFault } from '../exits.ts'
import { keepPrivate, keptFolder } from '../profiles.ts'

/** How long a secret signs beside the one that has replaced it, as that of an endpoint does. */
const OVERLAP_MS = 24 * 60 * 60 * 1_000

interface Kept {
  readonly secret: string
  /** The ISO UTC time at which it was replaced. */
  readonly replaced_at?: string
}

/**
 * Returns the secrets that sign for a tenant on this machine, newest first. They are kept, so that a receiver's configuration survives
 * restarts; `rotates` makes a new one, beside which the one before signs for a day.
 */
export async function listenSecrets(of: string, rotates: boolean, now = new Date()): Promise<readonly [string, ...string[]]> {
  const file = join(keptFolder(), 'listen.json')
  const all = await readKept(file)
  const own = Object.hasOwn(all, of) ? (all[of] ?? []) : []
  const [newest, ...earlier] = own
  const replaced = newest === undefined || !rotates ? [] : [{ ...newest, replaced_at: now.toISOString() }]
  const first = newest === undefined || rotates ? { secret: `whsec_${randomBytes(32).toString('base64')}` } : newest
  const still = [...replaced, ...earlier].filter(({ replaced_at = '' }) => now.getTime() - Date.parse(replaced_at) < OVERLAP_MS)
  if (first !== newest || still.length !== earlier.length)
    await keepPrivate(file, `${JSON.stringify({ ...all, [of]: [first, ...still] }, null, 2)}\n`)
  return [first.secret, ...still.map(({ secret }) => secret)]
}

async function readKept(file: string): Promise<Record<string, readonly Kept[]>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, readonly Kept[]>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new UsageFault(`${file} is damaged: remove it, and a new secret is made.`)
  }
}
