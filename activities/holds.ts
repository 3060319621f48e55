import type { Database } from '../src/store/database.ts'
import { closeHold, type HoldTask, tendHold } from '../src/store/holds.ts'

export type HoldActivities = ReturnType<typeof holdActivities>

/** What is due for a hold, in the database. */
export function holdActivities({ db }: { db: Database }) {
  return {
    /** Ends a hold whose time is over; answers what is left to be done for it. */
    async tendHold(holdId: string): Promise<Exclude<HoldTask, 'tell_seller'>> {
      const task = await tendHold(db, holdId)
      if (task !== 'tell_seller') return task
      await closeHold(db, holdId)
      return 'nothing'
    },
  }
}
