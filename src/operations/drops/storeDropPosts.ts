import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DropWarning } from '../../contract/drop.ts'
import { ERRORS_PER_DROP, WARNINGS_PER_DROP } from '../../contract/vocabulary/drops.ts'
import { lockedTransaction, lockOn } from '../../store/connection/lockedTransaction.ts'
import { type DropName, moveRun, type OpenRun, type RunMove } from '../../store/drops/dropRun.ts'
import { openOrderLog } from '../../store/orders/orderLog.ts'
import { listOrdersToBook } from '../../store/settlement/bookSpots.ts'
import { closeReplaced, outrankedWholes } from '../../store/settlement/closeReplaced.ts'
import { keepRefused, keepUnreadable } from '../../store/settlement/keepRefused.ts'
import { deleteSupersededRows, replacePosts } from '../../store/settlement/replacePosts.ts'
import {
  type PostFault,
  preparePosts,
  type RefusedPost,
  refusedPosts,
  type StagedPosts,
  stagePosts,
} from '../../store/settlement/stagePosts.ts'
import { markUndecided, setUndecidedAside } from '../../store/settlement/undecidedRows.ts'
import { bookOrder } from '../settlement/bookOrder.ts'
import { fillSpool } from './fetchDrop.ts'
import { holdSlices } from './heldSlices.ts'
import { noteMapped } from './noteMapped.ts'
import { outrankedWarning, replacedWarnings, uncountedWarnings } from './postWarnings.ts'
import { readDropFiles } from './readDropFiles.ts'
import { errorsIn, mappedBy, readTaskOf, warningsIn } from './readEntries.ts'
import type { RowError, Slice, UnreadableFile } from './reader/messages.ts'
import { atStage, type StageDeps } from './stage.ts'

/**
 * Stores the delivery posts of a drop, which settlement reconciles. A file is stored slice by slice once it has been read to its end,
 * since nothing is stored of a file that breaks.
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
      await listOrdersToBook(deps.db, run.seller)
      const held = await holdSlices(join(deps.spool.folderOf(run), 'held-posts'))
      const after = { file: run.cursor_file, row: run.cursor_row }
      for await (const message of readDropFiles({ ...task, after }, signal)) {
        signal.throwIfAborted()
        const { filename } = task.files[message.file] as (typeof task.files)[number]
        if (message.kind === 'mapped') run = await noteMapped(deps, run, mappedBy(filename, message))
        else if (message.kind === 'slice') await held.add(message)
        else if (message.kind === 'unreadable') {
          for (const { path } of held.take()) await rm(path, { force: true })
          run = await skipFile(deps, run, message, filename)
        } else if (message.kind === 'fileEnd') {
          for (const slice of held.take()) {
            signal.throwIfAborted()
            run = await storeSlice(deps, run, slice, filename)
            await rm(slice.path, { force: true })
          }
        }
      }
    }
    run = await close(deps, run, signal)
    await deleteSupersededRows(deps.db, run)
    await move(deps, run, { stage: 'finish', cursor_file: 0, cursor_row: 0 })
  })
}

/** Passes over a file that cannot be read: it may have had any rows. */
function skipFile({ db }: StageDeps, run: OpenRun, { file, error }: UnreadableFile, filename: string): Promise<OpenRun> {
  return lockedTransaction(db.pool, lockOn(`drops:${run.seller}`), async (client) => {
    await keepUnreadable(client, { seller: run.seller, registration: run.registration, file: filename })
    return moveRun(client, run, { cursor_file: file + 1, cursor_row: 0, errors: errorsIn(filename, [error]) })
  })
}

/** Decides on the rows that the drop has replaced, and warns of what it replaced, what stays and what does not count. */
async function close({ db }: StageDeps, begun: OpenRun, signal: AbortSignal): Promise<OpenRun> {
  const lock = lockOn(`drops:${begun.seller}`)
  let run = begun
  for (let isDone = false; !isDone; ) {
    signal.throwIfAborted()
    run = await lockedTransaction(db.pool, lock, async (client) => {
      const replaced = await closeReplaced(client, run)
      isDone = replaced.length === 0
      return isDone ? run : moveRun(client, run, { warnings: replaced.flatMap(replacedWarnings) })
    })
  }
  return lockedTransaction(db.pool, lock, async (client) => {
    const outranked = await outrankedWholes(client, run, WARNINGS_PER_DROP)
    return outranked.length === 0 ? run : moveRun(client, run, { warnings: outranked.map(outrankedWarning) })
  })
}

/** A slice names orders whose spots are not written yet, so its lines cannot be checked. */
class Unbooked extends Error {
  override name = 'Unbooked'
  readonly orderIds: readonly string[]

  constructor(orderIds: readonly string[]) {
    super(`${orderIds.length} orders are to be booked first`)
    this.orderIds = orderIds
  }
}

/** Stores the rows of a slice that belong to the seller's orders. First books the orders whose spots are not written yet. */
async function storeSlice(deps: StageDeps, run: OpenRun, slice: Slice, filename: string): Promise<OpenRun> {
  try {
    return await tryToStoreSlice(deps, run, slice, filename)
  } catch (error) {
    if (!(error instanceof Unbooked)) throw error
    const log = openOrderLog(deps.db, () => undefined)
    for (const orderId of error.orderIds) await bookOrder(log, deps.db, orderId)
    return tryToStoreSlice(deps, run, slice, filename, true)
  }
}

/** Stores a slice. Throws Unbooked if orders are not booked yet, unless `isBooked` says that this has been tried. */
function tryToStoreSlice({ db }: StageDeps, run: OpenRun, slice: Slice, filename: string, isBooked = false): Promise<OpenRun> {
  const { file, last_row, accepted, rejected, path } = slice
  return lockedTransaction(db.pool, lockOn(`drops:${run.seller}`), async (client) => {
    let staged: StagedPosts = { refused_count: 0, unattached: 0, unbooked: [] }
    let refused: RowError[] = []
    const sent = { seller: run.seller, registration: run.registration, file: filename }
    let uncounted: DropWarning[] = []
    let undecided = 0
    if (slice.bytes > 0) {
      await preparePosts(client)
      staged = await stagePosts(client, run.seller, createReadStream(path))
      if (staged.unbooked.length > 0 && !isBooked) throw new Unbooked(staged.unbooked)
      if (staged.refused_count > 0) refused = (await refusedPosts(client, ERRORS_PER_DROP)).map(errorOf)
      undecided = await setUndecidedAside(client, sent)
      await keepRefused(client, sent, rejected)
      uncounted = uncountedWarnings(filename, last_row, await replacePosts(client, sent))
      await markUndecided(client, sent)
    } else if (slice.errors.length > 0 || rejected > 0) await keepUnreadable(client, sent)
    const { refused_count, unattached } = staged
    return moveRun(client, run, {
      ...{ cursor_file: file, cursor_row: last_row },
      counts: {
        delivery_posts: {
          rows_written: accepted - refused_count - unattached - undecided,
          rows_rejected: rejected + refused_count,
          rows_unattached: unattached,
          ...(undecided === 0 ? {} : { rows_undecided: undecided }),
        },
      },
      errors: errorsIn(
        filename,
        [...slice.errors, ...refused].sort((a, b) => a.row - b.row),
      ),
      error_count: Math.max(slice.errors.length, rejected) + refused_count,
      warnings: [...warningsIn(filename, slice.warnings), ...uncounted],
    })
  })
}

function errorOf({ row, fault, field, value }: RefusedPost): RowError {
  return { row, error_code: 'INVALID_ENTRY', field, value, message: `${field} ${FAULTS[fault]}; ${JSON.stringify(value)} was sent` }
}

const FAULTS: Readonly<Record<PostFault, string>> = {
  unknown_order: 'must name an order of this seller that was placed',
  several_orders: 'must name one order, and names several',
  other_order: 'must be of the same order as the other references of its row',
  currency: 'must be the currency of the order',
  unit_id: 'must be an accepted line of the order',
  makegood_for_unit_id: 'must be an accepted line of the order',
}

/** Moves the run to a stage or a position. */
function move({ db }: StageDeps, run: OpenRun, to: Partial<RunMove>): Promise<OpenRun> {
  return lockedTransaction(db.pool, lockOn(`drops:${run.seller}`), (client) => moveRun(client, run, to))
}
