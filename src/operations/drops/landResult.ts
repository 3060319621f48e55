import { Readable } from 'node:stream'
import type { ObjectStorage } from '../../adapters/files/objectStorage/storage.ts'
import { renderCsv } from '../../adapters/tables/renderCsv.ts'
import type { DropResult } from '../../contract/drop.ts'
import { ERRORS_TABLE, SERVICE_FILES } from '../../contract/vocabulary/drops.ts'
import { ERROR_COLUMNS, errorRows, resultFileOf } from '../../domain/drops/dropResult.ts'
import type { Database } from '../../store/connection/database.ts'
import { lockedTransaction, lockOn } from '../../store/connection/lockedTransaction.ts'
import { readDrop } from '../../store/drops/drops.ts'
import { markLanded } from '../../store/drops/landed.ts'
import { objectOf } from './dropNames.ts'

export interface LandDeps {
  readonly db: Database
  readonly drops: ObjectStorage
}

/**
 * Makes the drop show the result of its newest run: success.json, or errors.json with errors.csv; nothing while that run is in progress. The
 * other files of the service are removed. Calls may overlap or repeat: they write one at a time, so a killed call never leaves an older result.
 */
export async function landResult({ db, drops }: LandDeps, seller: string, dropId: string): Promise<void> {
  await lockedTransaction(db.pool, lockOn(`result:${seller}/${dropId}`), async (client) => {
    const run = await readDrop({ pool: client }, seller, dropId)
    if (run === undefined) return
    const files = run.result === null ? new Map<string, Buffer>() : filesOf(JSON.parse(run.result) as DropResult)
    for (const [file, bytes] of files) await drops.put(objectOf(seller, dropId, file), Readable.from([bytes]))
    for (const file of SERVICE_FILES) if (!files.has(file)) await drops.delete(objectOf(seller, dropId, file))
    await markLanded({ pool: client }, run)
  })
}

/** Returns the files of a result. The table comes first, so that whoever sees errors.json finds it. */
function filesOf(result: DropResult): Map<string, Buffer> {
  const file = resultFileOf(result)
  const table: [string, Buffer][] = file === 'errors.json' ? [[ERRORS_TABLE, renderCsv(ERROR_COLUMNS, errorRows(result))]] : []
  return new Map([...table, [file, readableJson(result)]])
}

/** Renders JSON as people read it. */
export function readableJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
