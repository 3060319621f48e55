import { lockedTransaction, lockOn } from '../store/connection/lockedTransaction.ts'
import { type PostLine, savePosts } from '../store/drops/deliveryPosts.ts'
import { type DropName, moveRun, type OpenRun } from '../store/drops/dropRun.ts'
import { fillSpool } from './fetchDrop.ts'
import { readDropFiles } from './readDropFiles.ts'
import { errorsIn, linesOf, readTaskOf, warningsIn } from './readEntries.ts'
import type { Slice, UnreadableFile } from './reader/messages.ts'
import { atStage, type StageDeps } from './stage.ts'

/** Keeps the delivery posts of a drop, file by file and slice by slice: what settlement reconciles. */
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
      const after = { file: run.cursor_file, row: run.cursor_row }
      for await (const message of readDropFiles({ ...task, after }, signal)) {
        signal.throwIfAborted()
        const { filename } = task.files[message.file] as (typeof task.files)[number]
        if (message.kind === 'slice' || message.kind === 'unreadable') run = await storeSlice(deps, run, message, filename)
      }
    }
    await lockedTransaction(deps.db.pool, lockOn(`drops:${run.seller}`), (client) =>
      moveRun(client, run, { stage: 'finish', cursor_file: 0, cursor_row: 0 }),
    )
  })
}

async function storeSlice({ db }: StageDeps, run: OpenRun, message: Slice | UnreadableFile, filename: string): Promise<OpenRun> {
  const lines = message.kind === 'slice' ? ((await linesOf(message)) as unknown as PostLine[]) : []
  return lockedTransaction(db.pool, lockOn(`drops:${run.seller}`), async (client) => {
    if (message.kind === 'unreadable')
      return moveRun(client, run, { cursor_file: message.file + 1, cursor_row: 0, errors: errorsIn(filename, [message.error]) })
    const { file, last_row, accepted, rejected, errors, warnings } = message
    if (lines.length > 0) await savePosts(client, run, filename, lines)
    return moveRun(client, run, {
      ...{ cursor_file: file, cursor_row: last_row },
      counts: { delivery_posts: { rows_written: accepted, rows_rejected: rejected } },
      errors: errorsIn(filename, errors),
      error_count: Math.max(errors.length, rejected),
      warnings: warningsIn(filename, warnings),
    })
  })
}
