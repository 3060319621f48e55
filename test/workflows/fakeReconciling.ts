import type { ReconciliationActivities } from '../../activities/reconciliations.ts'
import type { ReconcileState } from '../../src/domain/settlement/reconcileState.ts'

type Left = (now: number) => ReconcileState

/** The orders of one seller as the database would have them. */
export interface FakeReconciling {
  readonly activities: ReconciliationActivities
  /** When each turn began, by the clock of the server. */
  readonly turns: number[]
  /** What the next turns leave; after them nothing is due. */
  leave(...states: Left[]): void
}

/** Orders of which the next is due in so long. */
export function due(milliseconds: number, failing = 0): Left {
  return (now) => ({ seller: 'station', at: new Date(now + milliseconds).toISOString(), waiting: 2, failing })
}

/** `now` is the clock of the server, which may skip time. */
export function fakeReconciling(now: () => Promise<number>): FakeReconciling {
  const turns: number[] = []
  let states: Left[] = []
  return {
    turns,
    activities: {
      async reconcileOrders(seller) {
        const began = await now()
        turns.push(began)
        return states.shift()?.(began) ?? { seller, at: null, waiting: 0, failing: 0 }
      },
    },
    leave(...next) {
      turns.length = 0
      states = next
    },
  }
}
