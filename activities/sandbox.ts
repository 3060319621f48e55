import { ApplicationFailure, activityInfo, log as activityLog, cancellationSignal, getClient, heartbeat } from '@temporalio/activity'
import { ApiError } from '../src/client/apiError.ts'
import type { Party } from '../src/sandbox/habits.ts'
import type { Players } from '../src/sandbox/players.ts'
import { classified } from './orders.ts'

export type SandboxActivities = ReturnType<typeof sandboxActivities>

/** A listening ends by itself after this time, so that its run shows that it goes on. */
const LISTENS_MS = 10 * 60_000

/** Starts the run of an order of a party, or wakes it. */
export type WakePlay = (party: Party, order_id: string) => Promise<void>

/** The parties of a sandbox, who act through /v1 as any other tenant. */
export function sandboxActivities({
  players,
  wakePlay,
}: {
  players: Players
  wakePlay: (client: ReturnType<typeof getClient>) => WakePlay
}) {
  return {
    /** Opens the party's shop, then wakes the run of each order that moves. Returns the cursor at which the next listening begins. */
    listen: (party: Party, after: string | null): Promise<string | null> =>
      refused(async () => {
        const wake = wakePlay(getClient())
        const until = Date.now() + LISTENS_MS
        const stopping = cancellationSignal()
        let cursor = (activityInfo().heartbeatDetails as string | undefined) ?? after
        await players.open(party)
        const isFirst = cursor === null
        while (Date.now() < until && !stopping.aborted) {
          const heard = await players.heard(party, cursor).catch((error) => {
            if (players.isClosed()) return undefined
            throw error
          })
          if (heard === undefined) return cursor
          for (const order_id of heard.order_ids) await wake(party, order_id)
          cursor = heard.cursor
          heartbeat(cursor)
          if (!isFirst) continue
          for (const order_id of await players.waiting(party)) await wake(party, order_id)
          return cursor
        }
        return cursor
      }),

    /** Does what is due for an order of a party. Returns when to look again, in ISO UTC; null: once the order moves. */
    play: (party: Party, order_id: string): Promise<string | null> =>
      refused(async () => {
        const next = await players.play(party, order_id)
        return next === null ? null : new Date(next).toISOString()
      }),
  }
}

/** A refusal of /v1 that no repeat changes ends a play: the log says which one. */
async function refused<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof ApiError)) return classified(() => Promise.reject(error))
    const { code, status, message } = error
    activityLog.warn('a party of the sandbox was refused', { code, status, message })
    const type = code ?? `status_${status}`
    throw ApplicationFailure.create({
      message: 'see the log of the worker',
      type,
      nonRetryable: status < 500 && status !== 429 && status !== 401,
    })
  }
}
