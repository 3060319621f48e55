import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes seeded variants of each family in a new folder, and returns it. Errors: Error if Python or what it needs is missing. */
export function madeVariants(count: number, seed: number, python = process.env.CORPUS_PYTHON ?? 'python3'): string {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'))
  const script = join(import.meta.dirname, 'make', 'variants.py')
  const made = spawnSync(python, ['-B', script, '--out', folder, '--count', String(count), '--seed', String(seed)], { stdio: 'inherit' })
  if (made.status !== 0) throw new Error(`the variants could not be made; install ${join('test', 'corpus', 'make', 'requirements.txt')}`)
  return folder
}
