import { heartbeat } from '@temporalio/activity'
import type { ObjectStorage } from '../src/adapters/objectStorage.ts'
import { forgetFiles } from '../src/drops/forgetFiles.ts'
import type { Database } from '../src/store/connection/database.ts'
import { forgetDeliveries } from '../src/store/delivery/deliveries.ts'
import { forgetSenders } from '../src/store/delivery/endpointSenders.ts'
import { forgetResends } from '../src/store/edi/queueResend.ts'
import { forgetReadings } from '../src/store/files/documentReadings.ts'
import { lapseUploads, uploadFolder, uploadsCleared, uploadsToClear } from '../src/store/files/uploads.ts'
import { forgetHoldKeys } from '../src/store/orders/openHold.ts'

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
     * its row records the end. Also deletes old document readings, keys of holds and resends, and files of drops.
     * Returns how many uploads lapsed and how many had their objects deleted.
     */
    async lapseUploads(): Promise<{ lapsed: number; cleared: number }> {
      let lapsed = 0
      for (let batch = AT_ONCE; batch === AT_ONCE; lapsed += batch) {
        batch = await lapseUploads(db, AT_ONCE)
        heartbeat()
      }
      let cleared = 0
      for (let batch = AT_ONCE; batch === AT_ONCE; cleared += batch) {
        const ids = await uploadsToClear(db, AT_ONCE)
        for (const id of ids) await objects.delete(uploadFolder(id))
        await uploadsCleared(db, ids)
        batch = ids.length
        heartbeat()
      }
      for (const forget of [forgetReadings, forgetHoldKeys, forgetResends]) {
        for (let batch = MANY; batch === MANY; ) {
          batch = await forget(db, MANY)
          heartbeat()
        }
      }
      for (let batch = AT_ONCE; batch === AT_ONCE; ) {
        batch = await forgetFiles({ db, drops }, AT_ONCE, heartbeat)
        heartbeat()
      }
      return { lapsed, cleared }
    },

    /** Deletes deliveries that ended long ago, and leases of deleted endpoints. Returns the number of deliveries. */
    async forgetDeliveries(): Promise<number> {
      let forgotten = 0
      for (let batch = MANY; batch === MANY; forgotten += batch) {
        batch = await forgetDeliveries(db, MANY)
        heartbeat()
      }
      for (let batch = MANY; batch === MANY; ) {
        batch = await forgetSenders(db, MANY)
        heartbeat()
      }
      return forgotten
    },
  }
}

const AT_ONCE = 200
const MANY = 5_000
