import type { DropList, DropListQuery, DropReceipt, DropResult, DropSummary, Manifest } from '../../../src/contract/drop.ts'
import { type WaitingManifest, waitingResult } from '../../../src/domain/drops/dropResult.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { resultsUri } from '../../../src/operations/drops/dropNames.ts'
import { registerManifest } from '../../../src/operations/drops/registerManifest.ts'
import { type DropRun, listDrops, readDrop } from '../../../src/store/drops/drops.ts'
import { waitingManifests } from '../../../src/store/drops/landedManifests.ts'
import type { Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { accepted, ok, REPLAYED } from '../../http/reply.ts'

/** How long a request waits for the files to be hashed, in milliseconds. */
const PATIENCE_MS = 25_000

/** POST /me/files/manifest: 202; a replay has its header and the original's status and results_uri (contract, File drops). */
export const postManifest: Handler<Manifest> = async (deps, { caller, body }) => {
  const { run, isReplay } = await registerManifest(deps, caller.entity, body, { patienceMs: PATIENCE_MS })
  const receipt: DropReceipt = { drop_id: body.drop_id, status: run.status, results_uri: resultsUri(run.drop_id) }
  return { ...accepted(receipt), ...(isReplay && { headers: REPLAYED }) }
}

/** GET /me/files. */
export const getDrops: Handler<undefined, DropListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['drops', caller.entity, query.status ?? ''], ...query }
  const [before] = positionOf(deps, page) ?? []
  const runs = await listDrops(deps.db, caller.entity, { status: query.status, before, limit: page.limit + 1 })
  const { items, next_cursor } = pageOf(deps, page, runs, ({ registration }) => [registration])
  const showsWaiting = before === undefined && (query.status ?? 'processing') === 'processing'
  const waiting = showsWaiting ? await waitingManifests(deps.db, caller.entity, { limit: WAITING_SHOWN }) : []
  const listed = (summary: ReturnType<typeof summaryOf>): DropSummary => ({ ...summary, results_uri: resultsUri(summary.drop_id) })
  const reply: DropList = {
    items: items.map((run) => listed(summaryOf(run))),
    waiting: waiting.map((manifest) => listed(summaryOfWaiting(manifest))),
    next_cursor,
  }
  return ok(reply)
}

/** The most waiting manifests in a list; the others can still be found by their drop_id. */
const WAITING_SHOWN = 100

/** GET /me/files/{drop_id}: an ended run's result as it was written, unless a newer manifest.json is waiting. */
export const getDrop: Handler = async ({ db }, { caller, params }) => {
  const dropId = params.drop_id ?? ''
  const run = await readDrop(db, caller.entity, dropId)
  const [waiting] = run?.ended_at === null ? [] : await waitingManifests(db, caller.entity, { dropId, limit: 1 })
  if (waiting !== undefined) return ok(waitingResult(waiting))
  if (run === undefined) throw new Refusal('NOT_FOUND', 'There is no such drop.')
  if (run.result !== null) return ok(run.result)
  return ok(openResult(run))
}

type Summary = Omit<DropSummary, 'results_uri'>

function openResult(run: DropRun): DropResult {
  return {
    ...summaryOf(run),
    counts: run.counts,
    errors: [],
    errors_truncated: false,
    warnings: [...run.warnings],
    ...(run.mapped.length > 0 && { mappings: [...run.mapped] }),
  }
}

function summaryOfWaiting(manifest: WaitingManifest): Summary {
  const {
    counts: _,
    errors: _errors,
    errors_truncated: _truncated,
    warnings: _warnings,
    mappings: _mappings,
    ...summary
  } = waitingResult(manifest)
  return summary
}

function summaryOf(run: DropRun): Summary {
  const { drop_id, status, stage, rows_written, rows_rejected, registered_at, ended_at, stuck_reason, replay_of_drop_id } = run
  return {
    ...{ drop_id, status, stage, rows_written, rows_rejected, registered_at, ended_at },
    ...(stuck_reason === null ? {} : { reason: stuck_reason }),
    ...(replay_of_drop_id === null ? {} : { replay_of: replay_of_drop_id }),
  }
}
