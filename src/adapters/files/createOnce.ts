import { randomUUID } from 'node:crypto'
import { link, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigFault } from '../../config/index.ts'
import { makeFolder } from './makeFolder.ts'

/**
 * Creates a file that only its owner can read, unless it exists. If several processes call this concurrently, one of them creates the file.
 * Fails with a ConfigFault if the file cannot be written; the fault names the setting that would replace it.
 */
export async function createOnce(file: string, text: string, setting: string): Promise<void> {
  try {
    await create(file, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new ConfigFault(`${file} cannot be written (${code}); let this process write its directory, or set ${setting}.`)
  }
}

async function create(file: string, text: string): Promise<void> {
  await makeFolder(dirname(file), 0o700)
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, text, { mode: 0o600 })
  // Linking is atomic: no process reads a partial file, and only one of two concurrent writers succeeds.
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
}
