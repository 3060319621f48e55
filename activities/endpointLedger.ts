import { afterOutcomes } from '../src/domain/webhooks/attempts.ts'
import { BATCH } from '../src/domain/webhooks/round.ts'
import type { Database } from '../src/store/connection/database.ts'
import type { Written } from '../src/store/delivery/attempts.ts'
import { claimDue, type DueDelivery, dropPending } from '../src/store/delivery/deliveries.ts'
import { type Receiver, readReceiver, saveHealth } from '../src/store/delivery/webhookEndpoints.ts'
import type { SecretBox } from '../src/store/tenants/secrets.ts'
import type { AttemptBook, AttemptWriter } from './attemptWriter.ts'

/** An endpoint and its deliveries in the database, while one sender works on them. */
export interface EndpointLedger {
  /** The endpoint as it was last read or judged; undefined before the first look and when it wants nothing any more. */
  receiver(): Receiver | undefined
  /**
   * Reads the endpoint, and claims what is due: retries alone unless it `takesNew`. `isFull` when there may be more. What waits for an endpoint that
   * is gone is dropped. Undefined when the endpoint was judged since: the reading is out of date.
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

export interface LedgerDeps {
  db: Database
  secrets: SecretBox
  /** Of all endpoints of this process. */
  writer: AttemptWriter
}

export function openLedger(
  { db, secrets, writer }: LedgerDeps,
  endpointId: string,
  { onReceiver, onRest, onFailure }: LedgerHooks,
): EndpointLedger {
  let receiver: Receiver | undefined
  /** Claimed, and not yet written down as sent. */
  const held = new Set<string>()
  /** Below this, everything that was never tried is claimed. */
  let claimedTo = FROM_THE_FIRST
  /** Attempts that are not written down yet. */
  let unwritten = 0
  /** How the endpoint was judged is being saved. */
  let saving: Promise<unknown> | undefined
  const become = (next: Receiver | undefined) => {
    receiver = next
    onReceiver(next)
  }

  const judge = (written: readonly Written[]): void => {
    if (receiver === undefined || (receiver.failingSince === null && written.every(({ status }) => status === 'delivered'))) return
    const outcomes = written.flatMap(({ attempt }) =>
      attempt === undefined ? [] : [{ statusCode: attempt.status_code, ended: Date.parse(attempt.at) + attempt.latency_ms }],
    )
    const { failingSince, disabled } = afterOutcomes(receiver.failingSince, outcomes)
    if (failingSince === receiver.failingSince && disabled === undefined) return
    become(disabled === undefined ? { ...receiver, failingSince } : undefined)
    const save = () => saveHealth(db, endpointId, { failingSince, ...(disabled === undefined ? {} : { disabled }) })
    const saved = (saving ?? Promise.resolve()).then(save).catch(onFailure)
    saving = saved
    void saved.then(() => {
      if (saving !== saved) return
      saving = undefined
      onRest()
    })
  }

  const book: AttemptBook = {
    endpointId,
    onWritten: (written) => {
      unwritten -= written.length
      for (const { due } of written) held.delete(due.delivery_no)
      judge(written)
      if (unwritten === 0) onRest()
    },
    onFailure: (written, error) => {
      unwritten -= written.length
      onFailure(error)
    },
  }

  return {
    receiver: () => receiver,
    write: (written) => {
      unwritten += 1
      writer.add(book, written)
    },
    isWriting: () => unwritten > 0 || saving !== undefined,
    look: async (takesNew) => {
      await saving
      const saved = saving
      const read = await readReceiver(db, secrets, endpointId)
      if (saving !== saved) return undefined
      become(read)
      if (read === undefined) await dropPending(db, endpointId, 'endpoint_disabled')
      if (read === undefined || read.secrets.length === 0) return { due: [], isFull: false }
      // Deliveries that are already held may be found again; they take no place of others.
      const most = BATCH + held.size
      // As of the question: what is written down before the reply comes may still be pending in the snapshot that it was read from.
      const mine = new Set(held)
      const found = await claimDue(db.pool, { endpointId, after: claimedTo, most })
      const due = found.filter(({ delivery_no, made }) => !mine.has(delivery_no) && (takesNew || made > 0))
      for (const { delivery_no } of due) held.add(delivery_no)
      if (!takesNew) return { due, isFull: false }
      // A smaller number may be committed later than a greater one: from time to time a look begins at the first.
      const isFull = found.length === most || claimedTo !== FROM_THE_FIRST
      claimedTo = found.length === most ? (found.at(-1)?.delivery_no ?? FROM_THE_FIRST) : FROM_THE_FIRST
      return { due, isFull }
    },
  }
}

const FROM_THE_FIRST = '0'
