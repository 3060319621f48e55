import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../store/connection/database.ts'
import { type Written, writeAttempts } from '../../store/delivery/attempts.ts'

/** Records the attempts of all endpoints of this process, many in one statement. */
export interface AttemptWriter {
  /** Adds an attempt. The book is called once it is written, together with other attempts of its endpoint. */
  add(sink: AttemptSink, written: Written): void
}

/** The attempts of one endpoint. */
export interface AttemptSink {
  readonly endpointId: string
  onWritten(written: readonly Written[]): void
  /** Called when several tries to write the attempts have failed, so that they would be sent twice. */
  onFailure(written: readonly Written[], error: unknown): void
}

type Entry = readonly [AttemptSink, Written]

const WRITE_TRIES = 5
const RETRY_MS = 200
const GATHERED = 64
const GATHER_MS = 20
const MAX = 512

/** `retryMs` is half of the pause before the second try; each further pause is twice as long. */
export function attemptWriter(db: Pick<Database, 'pool'>, retryMs = RETRY_MS): AttemptWriter {
  const collected: Entry[] = []
  let busy = false
  const write = (batch: readonly Entry[]) =>
    writeAttempts(
      db,
      batch.map(([{ endpointId }, written]) => ({ endpointId, ...written })),
    )
  const tried = async (batch: readonly Entry[]): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await write(batch)
        for (const [sink, written] of bySink(batch)) sink.onWritten(written)
        return
      } catch (error) {
        if (tries === WRITE_TRIES) return fail(batch, error)
        await sleep(retryMs * 2 ** tries)
      }
    }
  }
  /** Writes each endpoint's attempts separately once more, so that one endpoint cannot make another fail. */
  const fail = async (batch: readonly Entry[], error: unknown): Promise<void> => {
    const sinks = bySink(batch)
    for (const [sink, written] of sinks) {
      const alone = sinks.size === 1 ? Promise.reject(error) : write(written.map((one) => [sink, one]))
      await alone.then(
        () => sink.onWritten(written),
        (reason) => sink.onFailure(written, reason),
      )
    }
  }
  const writeAll = async () => {
    while (collected.length > 0) {
      // Attempts end one by one, so a short wait combines many of them in one statement.
      if (collected.length < GATHERED) await sleep(GATHER_MS)
      await tried(collected.splice(0, MAX))
    }
    busy = false
  }
  return {
    add: (sink, written) => {
      collected.push([sink, written])
      if (busy) return
      busy = true
      void writeAll()
    },
  }
}

function bySink(batch: readonly Entry[]): Map<AttemptSink, Written[]> {
  const sinks = new Map<AttemptSink, Written[]>()
  for (const [sink, written] of batch) {
    const same = sinks.get(sink)
    if (same === undefined) sinks.set(sink, [written])
    else same.push(written)
  }
  return sinks
}
