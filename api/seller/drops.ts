import type { DropList, DropListQuery, DropReceipt, DropResult, DropSummary, Manifest } from '../../src/contract/drop.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { resultsUri } from '../../src/drops/dropNames.ts'
import { registerManifest } from '../../src/drops/registerManifest.ts'
import { type DropRun, listDrops, readDrop } from '../../src/store/drops/drops.ts'
import { accepted, type Handler, ok } from '../handler.ts'
import { type Page, pageOf, positionOf } from '../page.ts'

/** How long a request waits for the files to be hashed, in milliseconds. */
const PATIENCE_MS = 25_000

/** POST /me/files/manifest: 202; a replay is marked by its header and has the original's status and results_uri (spec, File drops). */
export const postManifest: Handler<Manifest> = async (deps, { caller, body }) => {
  const { run, isReplay } = await registerManifest(deps, caller.entity, body, { patienceMs: PATIENCE_MS })
  const receipt: DropReceipt = { drop_id: body.drop_id, status: run.status, results_uri: resultsUri(run.drop_id) }
  return { ...accepted(receipt), ...(isReplay && { headers: { 'X-Idempotent-Replay': 'true' } }) }
}

/** GET /me/files. */
export const getDrops: Handler<undefined, DropListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['drops', caller.entity, query.status ?? ''], ...query }
  const [before] = positionOf(deps, page) ?? []
  const runs = await listDrops(deps.db, caller.entity, { status: query.status, before, limit: page.limit + 1 })
  const { items, next_cursor } = pageOf(deps, page, runs, ({ registration }) => [registration])
  const reply: DropList = { items: items.map((run) => ({ ...summaryOf(run), results_uri: resultsUri(run.drop_id) })), next_cursor }
  return ok(reply)
}

/** GET /me/files/{drop_id}: an ended run's result as it has landed. */
export const getDrop: Handler = async ({ db }, { caller, params }) => {
  const run = await readDrop(db, caller.entity, params.drop_id ?? '')
  if (run === undefined) throw new Refusal('NOT_FOUND', 'There is no such drop.')
  if (run.result !== null) return ok(run.result)
  const { counts, warnings } = run
  const reply: DropResult = { ...summaryOf(run), counts, errors: [], errors_truncated: false, warnings: [...warnings] }
  return ok(reply)
}

function summaryOf(run: DropRun): Omit<DropSummary, 'results_uri'> {
  const { drop_id, status, stage, rows_written, rows_rejected, registered_at, ended_at, stuck_reason, replay_of_drop_id } = run
  return {
    ...{ drop_id, status, stage, rows_written, rows_rejected, registered_at, ended_at },
    ...(stuck_reason === null ? {} : { reason: stuck_reason }),
    ...(replay_of_drop_id === null ? {} : { replay_of: replay_of_drop_id }),
  }
}
