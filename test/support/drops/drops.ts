import type { ObjectStorage } from '../../../src/adapters/files/objectStorage/storage.ts'
import { formatOf } from '../../../src/contract/vocabulary/dropFormats.ts'
import type { DropFileType } from '../../../src/contract/vocabulary/drops.ts'
import { fetchDrop } from '../../../src/operations/drops/fetchDrop.ts'
import { finishDrop } from '../../../src/operations/drops/finishDrop.ts'
import { mergeDropAvails } from '../../../src/operations/drops/mergeDropAvails.ts'
import { publishDrop } from '../../../src/operations/drops/publishDrop.ts'
import type { StageDeps } from '../../../src/operations/drops/stage.ts'
import { storeDropPosts } from '../../../src/operations/drops/storeDropPosts.ts'
import type { Database } from '../../../src/store/connection/database.ts'
import { type DropName, readOpenRun } from '../../../src/store/drops/dropRun.ts'
import { registerDrop } from '../../../src/store/drops/registerDrop.ts'
import { chunksOf } from '../files/objects.ts'
import { sha256Of } from '../files/uploads.ts'

export interface FileToDrop {
  readonly filename: string
  readonly type: DropFileType
  readonly text: string
  /** The mapping that the manifest names. */
  readonly mapping?: string
}

/** Puts files into a drop. */
export async function landFiles(
  { drops }: { drops: ObjectStorage },
  { seller, drop_id }: DropName,
  files: readonly FileToDrop[],
): Promise<void> {
  for (const { filename, text } of files) await drops.put(`${seller}/${drop_id}/${filename}`, chunksOf(text))
}

/** Puts files into a drop and registers it, as its manifest would. */
export async function landDrop(
  deps: { db: Database; drops: ObjectStorage },
  name: DropName,
  files: readonly FileToDrop[],
  { reprocess = false, effective }: { reprocess?: boolean; effective?: { start: string; end: string } } = {},
) {
  await landFiles(deps, name, files)
  const listed = files.map((file) => {
    const { filename, type, text, mapping } = file
    const format = formatOf(file) ?? 'csv'
    return {
      filename,
      type,
      format,
      sha256: sha256Of(text),
      tag: '1',
      size: Buffer.byteLength(text),
      ...(mapping !== undefined && { mapping }),
    }
  })
  const hashes = listed.map((file) => file.sha256).sort()
  const drop = {
    drop_id: name.drop_id,
    schema_version: '1.0',
    effective,
    files: listed,
    identity: sha256Of(hashes.join('\n')),
    reprocess,
    manifest_sha256: sha256Of(JSON.stringify(listed)),
    warnings: [],
  }
  return registerDrop(deps.db, name.seller, drop, 0)
}

const NEVER = new AbortController().signal

export const STAGES = {
  fetch: fetchDrop,
  publish: publishDrop,
  avails: mergeDropAvails,
  posts: storeDropPosts,
  finish: finishDrop,
} as const

/** Runs the stages of a drop one after another, as its workflow does, and returns those that it ran. */
export async function ingest(deps: StageDeps, name: DropName): Promise<string[]> {
  const ran: string[] = []
  for (;;) {
    const run = await readOpenRun(deps.db, name)
    if (run === undefined || run.stage === 'ended' || run.waits_for !== null) return ran
    ran.push(run.stage)
    await STAGES[run.stage](deps, name, NEVER)
  }
}
