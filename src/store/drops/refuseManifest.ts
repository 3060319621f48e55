import type { DropError } from '../../contract/drop.ts'
import { dropResult } from '../../domain/drops/dropResult.ts'
import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { endManifest, isManifestOpen, type LandedManifest } from './landedManifests.ts'
import { secondsToWait } from './registerDrop.ts'

/** Ends a landed manifest as a rejected run with these errors. Returns the seconds to wait if the seller has used up its runs of a day. */
export async function refuseManifest(
  { pool }: Pick<Database, 'pool'>,
  manifest: LandedManifest,
  errors: readonly DropError[],
  perDay: number,
): Promise<number | undefined> {
  const { seller, drop_id } = manifest
  return lockedTransaction(pool, lockOn(`drops:${seller}`), async (client) => {
    if (!(await isManifestOpen(client, manifest))) return undefined
    const retryAfter = await secondsToWait(client, seller, perDay)
    if (retryAfter !== undefined) return retryAfter
    const now = new Date().toISOString()
    const run = { drop_id, registered_at: now, ended_at: now, rows_written: 0, rows_rejected: 0, counts: {}, warnings: [] }
    const result = JSON.stringify(dropResult({ ...run, error_count: errors.length }, errors))
    await client.query(REFUSE.bind({ seller, drop_id, now, error_count: errors.length, result }))
    await endManifest({ pool: client }, manifest)
    return undefined
  })
}

/** Inserts an ended run after the other runs of the drop. */
const REFUSE = statement(
  'refuse-manifest',
  ['seller', 'drop_id', 'now', 'error_count', 'result'],
  `insert into drops (seller, drop_id, run_no, registered_at, ended_at, schema_version, files, status, stage, error_count, result)
    select :seller, :drop_id, coalesce((select max(run_no) from drops where seller = :seller and drop_id = :drop_id), 0) + 1,
      :now::timestamptz, :now::timestamptz, '', '[]', 'rejected', 'ended', :error_count, :result`,
)
