import type { ObjectStorage } from '../adapters/objectStorage.ts'
import { SERVICE_FILES } from '../contract/vocabulary/drops.ts'
import { resultFileOf } from '../domain/drops/dropResult.ts'
import type { Database } from '../store/connection/database.ts'
import { lockedTransaction, lockOn } from '../store/connection/lockedTransaction.ts'
import { readEndedDrop } from '../store/drops/drops.ts'
import { markLanded } from '../store/drops/landed.ts'
import { objectOf } from './dropNames.ts'

export interface LandDeps {
  readonly db: Database
  readonly drops: ObjectStorage
}

/**
 * Writes the result of a drop's newest ended run into the drop, as success.json or errors.json, and removes the other one and waiting.json.
 * Does nothing if no run has ended. Calls may overlap or repeat: they write one at a time, so a killed call never leaves an older result.
 */
export async function landResult({ db, drops }: LandDeps, seller: string, dropId: string): Promise<void> {
  await lockedTransaction(db.pool, lockOn(`result:${seller}/${dropId}`), async (client) => {
    const ended = await readEndedDrop({ pool: client }, seller, dropId)
    if (ended === undefined) return
    const file = resultFileOf(ended)
    await drops.put(objectOf(seller, dropId, file), bytesOf(ended.result))
    for (const other of SERVICE_FILES) if (other !== file) await drops.delete(objectOf(seller, dropId, other))
    await markLanded({ pool: client }, ended)
  })
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
