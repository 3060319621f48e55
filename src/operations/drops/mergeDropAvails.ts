import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readSoldPages } from '../../store/catalog/productTerms.ts'
import { withPublishLock } from '../../store/catalog/publishLock.ts'
import { lockedTransaction, lockOn } from '../../store/connection/lockedTransaction.ts'
import { mergeAvails, prepareSlices, SliceOutdated } from '../../store/drops/dropAvails.ts'
import { type DropName, moveRun, type OpenRun, type RunMove } from '../../store/drops/dropRun.ts'
import { fillSpool } from './fetchDrop.ts'
import { noteMapped } from './noteMapped.ts'
import { readDropFiles } from './readDropFiles.ts'
import { errorsIn, mappedBy, readTaskOf, warningsIn } from './readEntries.ts'
import type { Cursor, ReadTask, Slice, SoldProduct } from './reader/messages.ts'
import { atStage, type StageDeps, StageStuck } from './stage.ts'

/**
 * Merges the avails of a drop slice by slice. Each slice has a short transaction under the publish lock, which also moves the cursor. So a
 * stage that was killed continues after the last slice, and publishes over the API can run in between.
 */
export async function mergeDropAvails(deps: StageDeps, name: DropName, signal: AbortSignal): Promise<void> {
  await atStage(deps.db, name, 'avails', async (begun) => {
    const task = await readTaskOf(deps, begun, 'avails')
    let run = begun
    if (task.files.length > 0) {
      await fillSpool(
        deps,
        run,
        run.files.filter(({ type }) => type === 'avails'),
        signal,
      )
      for (let outdated = 0, isWhole = false; !isWhole; ) {
        const from = run
        ;[run, isWhole] = await mergeFrom(deps, run, task, signal)
        outdated = run.cursor_file === from.cursor_file && run.cursor_row === from.cursor_row ? outdated + 1 : 0
        if (outdated > MAX_OUTDATED) throw new StageStuck('catalog_unsteady')
      }
    }
    await lockedTransaction(deps.db.pool, lockOn(`drops:${run.seller}`), (client) =>
      moveRun(client, run, { stage: 'posts', cursor_file: 0, cursor_row: 0 }),
    )
  })
}

/** How often a slice is read again because the catalog has changed. */
const MAX_OUTDATED = 20

/** Merges from the run's current position until all files are read or a slice is outdated. */
async function mergeFrom(deps: StageDeps, begun: OpenRun, task: ReadTask, signal: AbortSignal): Promise<[run: OpenRun, isWhole: boolean]> {
  const products = join(task.folder, 'products.jsonl')
  await pipeline(Readable.from(soldProducts(deps, begun.seller)), createWriteStream(products, { mode: 0o600 }))
  const after: Cursor = { file: begun.cursor_file, row: begun.cursor_row }
  let run = begun
  for await (const message of readDropFiles({ ...task, products, after }, signal)) {
    signal.throwIfAborted()
    const { filename } = task.files[message.file] as ReadTask['files'][number]
    if (message.kind === 'mapped') run = await noteMapped(deps, run, mappedBy(filename, message))
    else if (message.kind === 'slice') {
      const merged = await mergeSlice(deps, run, message, filename)
      if (merged === 'outdated') return [run, false]
      run = merged
    } else if (message.kind === 'unreadable') {
      const { seller } = run
      const move: Partial<RunMove> = { cursor_file: message.file + 1, cursor_row: 0, errors: errorsIn(filename, [message.error]) }
      run = await lockedTransaction(deps.db.pool, lockOn(`drops:${seller}`), (client) => moveRun(client, run, move))
    }
  }
  return [run, true]
}

function mergeSlice(deps: StageDeps, run: OpenRun, slice: Slice, filename: string): Promise<OpenRun | 'outdated'> {
  const { file, last_row, path, accepted, rejected, errors, warnings } = slice
  return withPublishLock(deps.db, run.seller, async (publishing) => {
    await prepareSlices(publishing)
    try {
      return await publishing.commit(async () => {
        const moved = await moveRun(publishing.client, run, {
          ...{ cursor_file: file, cursor_row: last_row },
          counts: { avails: { rows_written: accepted, rows_rejected: rejected } },
          errors: errorsIn(filename, errors),
          error_count: Math.max(errors.length, rejected),
          warnings: warningsIn(filename, warnings),
        })
        if (accepted > 0) await mergeAvails(publishing, run, createReadStream(path))
        return moved
      })
    } catch (error) {
      if (error instanceof SliceOutdated) return 'outdated'
      throw error
    }
  })
}

/** Yields the seller's products in the form that the reader takes. */
async function* soldProducts({ db }: StageDeps, seller: string): AsyncGenerator<string> {
  for await (const page of readSoldPages(db, seller)) yield page.map((sold: SoldProduct) => `${JSON.stringify(sold)}\n`).join('')
}
