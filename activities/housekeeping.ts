import { heartbeat } from '@temporalio/activity'
import type { ObjectStorage } from '../src/adapters/files/objectStorage/storage.ts'
import { deleteOldFiles } from '../src/operations/drops/deleteOldFiles.ts'
import type { Database } from '../src/store/connection/database.ts'
import { deleteOldDeliveries } from '../src/store/delivery/deliveries.ts'
import { deleteOldSenders } from '../src/store/delivery/endpointSenders.ts'
import { deleteOldResends } from '../src/store/edi/queueResend.ts'
import { deleteOldReadings } from '../src/store/files/documentReadings.ts'
import { lapseUploads, uploadFolder, uploadsCleared, uploadsToClear } from '../src/store/files/uploads.ts'
import { deleteOldHoldKeys } from '../src/store/orders/openHold.ts'
import { deleteOldRefused, trimRefused } from '../src/store/requests/refusedRequests.ts'
import { deleteOldRequestKeys } from '../src/store/requests/requestKeys.ts'
import { deleteOldSandboxRequests } from '../src/store/tenants/sandboxRequests.ts'
import { classified } from './orders.ts'

export interface HousekeepingDeps {
  db: Database
  objects: ObjectStorage
  drops: ObjectStorage
}
export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>

/** Periodic work. Each activity does everything that is due, in batches, and may be killed at any point: the next run does the rest. */
export function housekeepingActivities({ db, objects, drops }: HousekeepingDeps) {
  return {
    /**
     * Lapses uploads that no order references, then deletes their objects and those of rejected uploads. An object is deleted only after
     * its row records the end. Also deletes old document readings, keys of requests, holds and resends, refused requests, requests of a sandbox, and files of drops.
     * Returns how many uploads lapsed and how many had their objects deleted.
     */
    lapseUploads: (): Promise<{ lapsed: number; cleared: number }> =>
      classified(async () => {
        const lapsed = await inBatches(BATCH, (limit) => lapseUploads(db, limit))
        const cleared = await inBatches(BATCH, async (limit) => {
          const ids = await uploadsToClear(db, limit)
          for (const id of ids) await objects.delete(uploadFolder(id))
          await uploadsCleared(db, ids)
          return ids.length
        })
        for (const deleteOld of OLD) await inBatches(MANY, (limit) => deleteOld(db, limit))
        await inBatches(BATCH, (limit) => deleteOldFiles({ db, drops }, limit, heartbeat))
        return { lapsed, cleared }
      }),

    /** Deletes deliveries that ended long ago, and leases of deleted endpoints. Returns the number of deliveries. */
    deleteOldDeliveries: (): Promise<number> =>
      classified(async () => {
        const forgotten = await inBatches(MANY, (limit) => deleteOldDeliveries(db, limit))
        await inBatches(MANY, (limit) => deleteOldSenders(db, limit))
        return forgotten
      }),
  }
}

/** Each deletes up to so many rows that are old, and returns how many it has deleted. */
const OLD = [
  ...[deleteOldReadings, deleteOldHoldKeys, deleteOldResends, deleteOldRequestKeys],
  ...[deleteOldRefused, trimRefused, deleteOldSandboxRequests],
]
const BATCH = 200
const MANY = 5_000

/** Works until a batch is not full, with a heartbeat after each. Returns the sum of what the batches did. */
async function inBatches(limit: number, work: (limit: number) => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const done = await work(limit)
    heartbeat()
    sum += done
    if (done !== limit) return sum
  }
}
