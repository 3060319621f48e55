import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigFault } from '../config.ts'

/** What secrets are encrypted with at rest, each 32 bytes: the first seals, and each opens. Asked again whenever a secret is sealed or cannot be opened. */
export type SecretsKeys = () => readonly [Buffer, ...Buffer[]]

interface KeySettings {
  secretsKey: Buffer | undefined
  secretsKeyPrevious: Buffer | undefined
  dataDir: string
}

/**
 * The keys of the settings, or of `secrets.key` in the data directory, which is made when it is not there. Processes that come at once get the
 * same one. While keys are rotated, the one before is in `secrets.key.previous`: processes at work notice the change of the files.
 */
export async function secretsKeys({ secretsKey, secretsKeyPrevious, dataDir }: KeySettings): Promise<SecretsKeys> {
  if (secretsKey !== undefined) return () => [secretsKey, ...(secretsKeyPrevious === undefined ? [] : [secretsKeyPrevious])]
  const { present, previous } = keyFiles(dataDir)
  if (readKey(present) === undefined) await makeKey(present, dataDir)
  return () => {
    const [key, before] = [readKey(present), readKey(previous)]
    if (key === undefined) throw new ConfigFault(`${present} is gone; bring back the file that was there, or set SECRETS_KEY.`)
    return before === undefined ? [key] : [key, before]
  }
}

/** Puts a new key in place of the present one, which becomes the previous one. Changes nothing when there is a previous one already. */
export async function replaceKeyFile(dataDir: string): Promise<void> {
  const { present, previous } = keyFiles(dataDir)
  if (readKey(previous) !== undefined) return
  const draft = await draftKey(present)
  await link(present, previous)
  await rename(draft, present)
}

/** Nothing is sealed under the previous key any more. */
export async function forgetPreviousKeyFile(dataDir: string): Promise<void> {
  await rm(keyFiles(dataDir).previous, { force: true })
}

function keyFiles(dataDir: string): { present: string; previous: string } {
  const present = join(dataDir, 'secrets.key')
  return { present, previous: `${present}.previous` }
}

async function makeKey(file: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = await draftKey(file)
  // A link is made whole or not at all: nobody reads half a key, and of two makers one wins.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
}

async function draftKey(file: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return draft
}

function readKey(file: string): Buffer | undefined {
  const text = textOf(file)
  if (text === undefined) return undefined
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32)
    throw new ConfigFault(`${file} does not hold a key of 32 bytes in base64; bring back the file that was there, or set SECRETS_KEY.`)
  return key
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new ConfigFault(`${file} cannot be read (${code}); let the user of this process read it, or set SECRETS_KEY.`)
  }
}
