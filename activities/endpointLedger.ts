import { afterOutcomes } from '../src/domain/webhooks/attempts.ts'
import { BATCH } from '../src/domain/webhooks/round.ts'
import type { Database } from '../src/store/connection/database.ts'
import { claimDue, type DueDelivery, dropPending, type Written, writeAttempts } from '../src/store/delivery/deliveries.ts'
import { type Receiver, readReceiver, saveHealth } from '../src/store/delivery/webhookEndpoints.ts'
import type { SecretBox } from '../src/store/tenants/secrets.ts'
import { attemptWriter } from './attemptWriter.ts'

/** An endpoint and its deliveries in the database, while one sender works on them. */
export interface EndpointLedger {
  /** The endpoint as it was last read or judged; undefined before the first look and when it wants nothing any more. */
  receiver(): Receiver | undefined
  /**
   * Reads the endpoint, and claims what is due: retries alone unless it `takesNew`. `isFull` when there may be more. What waits for an endpoint that
   * is gone is dropped. Undefined when the endpoint was judged meanwhile: what was read is out of date.
   */
  look(takesNew: boolean): Promise<{ due: readonly DueDelivery[]; isFull: boolean } | undefined>
  /** Writes an attempt down, with others, and judges the endpoint by it. */
  write(written: Written): void
  isWriting(): boolean
}

export interface LedgerHooks {
  /** The endpoint was read or judged. */
  onReceiver(receiver: Receiver | undefined): void
  /** Nothing is left to write. */
  onRest(): void
  onFailure(error: unknown): void
}

interface LedgerDeps {
  db: Database
  secrets: SecretBox
}

export function openLedger({ db, secrets }: LedgerDeps, endpointId: string, { onReceiver, ...hooks }: LedgerHooks): EndpointLedger {
  let receiver: Receiver | undefined
  /** Claimed, and not yet written down as sent. */
  const held = new Set<string>()
  /** How the endpoint was judged is being saved. */
  let saving: Promise<unknown> = Promise.resolve()
  const become = (next: Receiver | undefined) => {
    receiver = next
    onReceiver(next)
  }

  const judge = async (written: readonly Written[]): Promise<void> => {
    if (receiver === undefined) return
    const outcomes = written.flatMap(({ attempt }) =>
      attempt === undefined ? [] : [{ statusCode: attempt.status_code, ended: Date.parse(attempt.at) + attempt.latency_ms }],
    )
    const { failingSince, disabled } = afterOutcomes(receiver.failingSince, outcomes)
    if (failingSince === receiver.failingSince && disabled === undefined) return
    become(disabled === undefined ? { ...receiver, failingSince } : undefined)
    const saved = saveHealth(db, endpointId, { failingSince, ...(disabled === undefined ? {} : { disabled }) })
    saving = saved.catch(() => undefined)
    await saved
  }

  const writer = attemptWriter({
    ...hooks,
    write: async (written) => {
      await writeAttempts(db, endpointId, written)
      for (const { due } of written) held.delete(due.delivery_no)
      await judge(written)
    },
  })

  return {
    receiver: () => receiver,
    write: writer.add,
    isWriting: writer.isBusy,
    look: async (takesNew) => {
      await saving
      const saved = saving
      const read = await readReceiver(db, secrets, endpointId)
      if (saving !== saved) return undefined
      become(read)
      if (read === undefined) await dropPending(db, endpointId, 'endpoint_disabled')
      if (read === undefined || read.secrets.length === 0) return { due: [], isFull: false }
      const found = await claimDue(db, endpointId, [...held], BATCH)
      const due = takesNew ? found : found.filter(({ made }) => made > 0)
      for (const { delivery_no } of due) held.add(delivery_no)
      return { due, isFull: takesNew && found.length === BATCH }
    },
  }
}
