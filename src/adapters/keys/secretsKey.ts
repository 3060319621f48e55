import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigFault } from '../../config/index.ts'
import { createOnce } from '../files/createOnce.ts'

/** Returns the keys that encrypt secrets at rest, 32 bytes each. The first seals; any may open. Called on each seal or failure to open. */
export type SecretsKeys = () => readonly [Buffer, ...Buffer[]]

interface KeySettings {
  secretsKey: Buffer | undefined
  secretsKeyPrevious: Buffer | undefined
  dataDir: string
}

/**
 * Reads the keys from the settings, or from `secrets.key` in the data directory, which is created if missing. Processes that start
 * concurrently get the same key. During a rotation `secrets.key.previous` holds the previous key. Running processes notice file changes.
 */
export async function secretsKeys({ secretsKey, secretsKeyPrevious, dataDir }: KeySettings): Promise<SecretsKeys> {
  if (secretsKey !== undefined) return () => [secretsKey, ...(secretsKeyPrevious === undefined ? [] : [secretsKeyPrevious])]
  const { present, previous } = keyFiles(dataDir)
  if (readKey(present) === undefined) await createOnce(present, newKey(), 'SECRETS_KEY')
  return () => {
    const [key, before] = [readKey(present), readKey(previous)]
    if (key === undefined) throw new ConfigFault(`${present} does not exist; restore the file, or set SECRETS_KEY.`)
    return before === undefined ? [key] : [key, before]
  }
}

/** Replaces the current key, which becomes the previous one. Changes nothing if a previous key already exists. */
export async function replaceKeyFile(dataDir: string): Promise<void> {
  const { present, previous } = keyFiles(dataDir)
  if (readKey(previous) !== undefined) return
  const draft = await draftKey(present)
  try {
    await link(present, previous)
    await rename(draft, present)
  } finally {
    await rm(draft, { force: true }) // a key that is not used must not lie about
  }
}

/** Deletes the previous key. Call this only once no secret is sealed under it. */
export async function deletePreviousKeyFile(dataDir: string): Promise<void> {
  await rm(keyFiles(dataDir).previous, { force: true })
}

function keyFiles(dataDir: string): { present: string; previous: string } {
  const present = join(dataDir, 'secrets.key')
  return { present, previous: `${present}.previous` }
}

async function draftKey(file: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, newKey(), { mode: 0o600 })
  return draft
}

function newKey(): string {
  return `${randomBytes(32).toString('base64')}\n`
}

function readKey(file: string): Buffer | undefined {
  const text = textOf(file)
  if (text === undefined) return undefined
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new ConfigFault(`${file} does not hold a key of 32 bytes in base64; restore the file, or set SECRETS_KEY.`)
  return key
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new ConfigFault(`${file} cannot be read (${code}); give this process read access, or set SECRETS_KEY.`)
  }
}
