import type { Database } from '../src/store/connection/database.ts'
import { type HoldTask, tendHold } from '../src/store/orders/holds.ts'
import { classified } from './orders.ts'

export type HoldActivities = ReturnType<typeof holdActivities>

/** The work that is due for a hold in the database. */
export function holdActivities({ db }: { db: Database }) {
  return {
    /** Ends a hold that has expired. Returns what remains to be done for it. */
    tendHold: (holdId: string): Promise<HoldTask> => classified(() => tendHold(db, holdId)),
  }
}
