import { ApplicationFailure, activityInfo, log as activityLog, cancellationSignal, getClient, heartbeat } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { MarketplaceError } from '../client/src/index.ts'
import type { SandboxRequest } from '../src/domain/sandboxRequest.ts'
import { isFinal } from '../src/local/sandbox/carryOut.ts'
import type { Party } from '../src/local/sandbox/habits.ts'
import type { Players } from '../src/local/sandbox/players.ts'
import type { Database } from '../src/store/connection/database.ts'
import { readSandboxRequest, saveSandboxOutcome } from '../src/store/tenants/sandboxRequests.ts'
import { beating } from './beating.ts'
import { classified } from './orders.ts'

export type SandboxActivities = ReturnType<typeof sandboxActivities>

/** A listening ends by itself after this time, so that its run shows that it goes on. */
const LISTENS_MS = 10 * 60_000
const BEAT_MS = 1_000

/** Starts the run of an order of a party, or wakes it. */
export type WakePlay = (party: Party, order_id: string) => Promise<void>

export interface SandboxActivityDeps {
  readonly db: Database
  readonly players: Players
  readonly wakePlay: (client: Pick<Client, 'workflow'>) => WakePlay
}

/** The parties of a sandbox, who act through /v1 as any other tenant. */
export function sandboxActivities({ db, players, wakePlay }: SandboxActivityDeps) {
  const carriedOut = async (request: SandboxRequest) => {
    const outcome = await players.carryOut(request)
    await saveSandboxOutcome(db, request.request_id, outcome)
    return outcome
  }
  return {
    /**
     * Opens the party's shop, then wakes the run of each order that moves; first of each that waits for it. Returns the cursor at which the next
     * listening begins, and tells it by heartbeats, for the one after a death.
     */
    async listen(party: Party, after: string | null): Promise<string | null> {
      let cursor = (activityInfo().heartbeatDetails as string | undefined) ?? after
      const beating = setInterval(() => heartbeat(cursor ?? undefined), BEAT_MS)
      try {
        return await refused(async () => {
          const wake = wakePlay(getClient())
          const stopping = cancellationSignal()
          const until = Date.now() + LISTENS_MS
          await players.open(party)
          if (cursor === null) {
            cursor = (await players.heard(party, null)).cursor
            for (const order_id of await players.waiting(party)) await wake(party, order_id)
          }
          while (Date.now() < until && !stopping.aborted) {
            const heard = await players.heard(party, cursor)
            for (const order_id of heard.order_ids) await wake(party, order_id)
            cursor = heard.cursor
          }
          return cursor
        })
      } catch (error) {
        // A worker that stops gives up its calls; another one goes on at the cursor.
        if (players.isClosed()) return cursor
        throw error
      } finally {
        clearInterval(beating)
      }
    },

    /** Does what is due for an order of a party. Returns when to look again, in ISO UTC; null: once the order moves. */
    play: (party: Party, order_id: string): Promise<string | null> =>
      beating(() =>
        refused(async () => {
          const next = await players.play(party, order_id)
          return next === null ? null : new Date(next).toISOString()
        }),
      ),

    /** Has the parties do what a tenant asked for, unless it is done. Returns what became of it, for the reader of the history. */
    carryOut: (request_id: string): Promise<{ readonly order_id?: string; readonly refused?: string } | null> =>
      beating(() =>
        refused(async () => {
          const request = await readSandboxRequest(db, request_id)
          if (request === undefined) return null
          const { order, error } = request.outcome ?? (await carriedOut(request))
          return { ...(order && { order_id: order.order_id }), ...(error && { refused: error.error_code }) }
        }),
      ),
  }
}

/** A refusal of /v1 that no repeat changes ends a play: the log says which one. */
async function refused<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof MarketplaceError)) return classified(() => Promise.reject(error))
    const { code, status, message } = error
    activityLog.warn('a party of the sandbox was refused', { code, status, message })
    throw ApplicationFailure.create({
      message: 'see the log of the worker',
      type: code ?? `status_${status}`,
      nonRetryable: isFinal(error),
    })
  }
}
