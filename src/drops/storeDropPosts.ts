import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockedTransaction, lockOn } from '../store/connection/lockedTransaction.ts'
import { type PostLine, savePosts } from '../store/drops/deliveryPosts.ts'
import { type DropName, moveRun, type OpenRun, type RunMove } from '../store/drops/dropRun.ts'
import { fillSpool } from './fetchDrop.ts'
import { holdSlices } from './heldSlices.ts'
import { readDropFiles } from './readDropFiles.ts'
import { errorsIn, linesOf, readTaskOf, warningsIn } from './readEntries.ts'
import type { Slice } from './reader/messages.ts'
import { atStage, type StageDeps } from './stage.ts'

/**
 * Keeps the delivery posts of a drop: what settlement reconciles. A file is stored slice by slice once it has been read to its end, since nothing of
 * one that breaks is.
 */
export async function storeDropPosts(deps: StageDeps, name: DropName, signal: AbortSignal): Promise<void> {
  await atStage(deps.db, name, 'posts', async (begun) => {
    const task = await readTaskOf(deps, begun, 'delivery_posts')
    let run = begun
    if (task.files.length > 0) {
      await fillSpool(
        deps,
        run,
        run.files.filter(({ type }) => type === 'delivery_posts'),
        signal,
      )
      const held = await holdSlices(join(deps.spool.folderOf(run), 'held-posts'))
      const after = { file: run.cursor_file, row: run.cursor_row }
      for await (const message of readDropFiles({ ...task, after }, signal)) {
        signal.throwIfAborted()
        const { filename } = task.files[message.file] as (typeof task.files)[number]
        if (message.kind === 'slice') await held.add(message)
        else if (message.kind === 'unreadable') {
          for (const { path } of held.take()) await rm(path, { force: true })
          run = await move(deps, run, { cursor_file: message.file + 1, cursor_row: 0, errors: errorsIn(filename, [message.error]) })
        } else if (message.kind === 'fileEnd') {
          for (const slice of held.take()) {
            signal.throwIfAborted()
            run = await storeSlice(deps, run, slice, filename)
            await rm(slice.path, { force: true })
          }
        }
      }
    }
    await move(deps, run, { stage: 'finish', cursor_file: 0, cursor_row: 0 })
  })
}

async function storeSlice(deps: StageDeps, run: OpenRun, slice: Slice, filename: string): Promise<OpenRun> {
  const lines = (await linesOf(slice)) as unknown as PostLine[]
  const { file, last_row, accepted, rejected, errors, warnings } = slice
  const moved: Partial<RunMove> = {
    ...{ cursor_file: file, cursor_row: last_row },
    counts: { delivery_posts: { rows_written: accepted, rows_rejected: rejected } },
    errors: errorsIn(filename, errors),
    error_count: Math.max(errors.length, rejected),
    warnings: warningsIn(filename, warnings),
  }
  return move(deps, run, moved, { filename, lines })
}

/** Moves the run, in the transaction that keeps the lines of a file. */
function move(
  { db }: StageDeps,
  run: OpenRun,
  to: Partial<RunMove>,
  posts?: { filename: string; lines: readonly PostLine[] },
): Promise<OpenRun> {
  return lockedTransaction(db.pool, lockOn(`drops:${run.seller}`), async (client) => {
    if (posts !== undefined && posts.lines.length > 0) await savePosts(client, run, posts.filename, posts.lines)
    return moveRun(client, run, to)
  })
}
