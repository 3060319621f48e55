import { afterOutcomes } from '../../domain/webhooks/attempts.ts'
import { BATCH } from '../../domain/webhooks/round.ts'
import type { Database } from '../../store/connection/database.ts'
import type { Written } from '../../store/delivery/attempts.ts'
import { claimDue, type DueDelivery, dropPending } from '../../store/delivery/deliveries.ts'
import { type Receiver, readReceiver, saveHealth } from '../../store/delivery/webhookEndpoints.ts'
import type { SecretBox } from '../../store/tenants/secrets.ts'
import type { AttemptSink, AttemptWriter } from './attemptWriter.ts'

/** An endpoint and its deliveries in the database, while one sender works on them. */
export interface EndpointLedger {
  /** Returns the endpoint as last read or judged; undefined before the first look and once it wants no more deliveries. */
  receiver(): Receiver | undefined
  /**
   * Reads the endpoint and claims due deliveries: only retries unless it `takesNew`. `isFull` means that there may be more. Drops the
   * waiting deliveries of an endpoint that is gone. Undefined when the endpoint was judged meanwhile, so that the reading is outdated.
   */
  look(takesNew: boolean): Promise<{ due: readonly DueDelivery[]; isFull: boolean } | undefined>
  /** Records an attempt together with others, and judges the endpoint by it. */
  write(written: Written): void
  isWriting(): boolean
}

export interface LedgerHooks {
  /** Called when the endpoint was read or judged. */
  onReceiver(receiver: Receiver | undefined): void
  /** Called when nothing is left to write. */
  onRest(): void
  onFailure(error: unknown): void
}

export interface LedgerDeps {
  db: Database
  secrets: SecretBox
  /** The writer that all endpoints of this process share. */
  writer: AttemptWriter
}

export function openLedger(
  { db, secrets, writer }: LedgerDeps,
  endpointId: string,
  { onReceiver, onRest, onFailure }: LedgerHooks,
): EndpointLedger {
  let receiver: Receiver | undefined
  /** Deliveries that are claimed and whose attempts are not recorded yet. */
  const held = new Set<string>()
  /** All untried deliveries up to this number are claimed. */
  let claimedTo = FROM_THE_FIRST
  /** The number of attempts that are not recorded yet. */
  let unwritten = 0
  /** The save of the latest judgment, while it is in progress. */
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

  const sink: AttemptSink = {
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
      writer.add(sink, written)
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
      // The claim may find deliveries again that are already held; they must not displace others.
      const max = BATCH + held.size
      // This copy precedes the query: what is recorded before the reply arrives may still be pending in the snapshot that the query reads.
      const mine = new Set(held)
      const found = await claimDue(db.pool, { endpointId, after: claimedTo, max })
      const due = found.filter(({ delivery_no, made }) => !mine.has(delivery_no) && (takesNew || made > 0))
      for (const { delivery_no } of due) held.add(delivery_no)
      if (!takesNew) return { due, isFull: false }
      // A smaller number may be committed after a greater one, so from time to time a look starts at the first number.
      const isFull = found.length === max || claimedTo !== FROM_THE_FIRST
      claimedTo = found.length === max ? (found.at(-1)?.delivery_no ?? FROM_THE_FIRST) : FROM_THE_FIRST
      return { due, isFull }
    },
  }
}

const FROM_THE_FIRST = '0'
