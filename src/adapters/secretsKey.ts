import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigFault } from '../config.ts'

/**
 * What secrets are encrypted with at rest: 32 bytes, from the setting or from `secrets.key` in the data directory, which is made when it is
 * not there. Processes that come at once get the same one.
 */
export async function secretsKey({ secretsKey: set, dataDir }: { secretsKey: Buffer | undefined; dataDir: string }): Promise<Buffer> {
  if (set !== undefined) return set
  const file = join(dataDir, 'secrets.key')
  return (await readKey(file)) ?? makeKey(file, dataDir)
}

async function makeKey(file: string, dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  // A link is made whole or not at all: nobody reads half a key, and of two makers one wins.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await readKey(file)) as Buffer
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigFault(`${file} cannot be read (${error.code}); let the user of this process read it, or set SECRETS_KEY.`)
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32)
    throw new ConfigFault(`${file} does not hold a key of 32 bytes in base64; bring back the file that was there, or set SECRETS_KEY.`)
  return key
}
