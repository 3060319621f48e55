import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TemporaryFolder = { path: string; remove(): Promise<void> }

/** Creates a folder of mode 0700, as a home may have. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'marketplace-folder-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
