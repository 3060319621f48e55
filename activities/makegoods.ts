import type { MakegoodTask } from '../src/domain/makegood/tend.ts'
import { tendMakegood } from '../src/operations/settlement/tendMakegood.ts'
import { classified, type OrderActivityDeps } from './orders.ts'

export type MakegoodActivities = ReturnType<typeof makegoodActivities>

/** The work that is due for a makegood in the database. */
export function makegoodActivities({ log, db }: OrderActivityDeps) {
  return {
    /** Ends a makegood whose time has come, and does what follows from an answer. Returns what is left to wait for; null if there is no such makegood. */
    tendMakegood: (makegoodId: string): Promise<MakegoodTask | null> => classified(() => tendMakegood(log, db, makegoodId)),
  }
}
