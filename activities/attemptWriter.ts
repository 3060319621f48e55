import { setTimeout as sleep } from 'node:timers/promises'
import type { Written } from '../src/store/delivery/deliveries.ts'

/** Writes attempts down in batches. */
export interface AttemptWriter {
  add(written: Written): void
  isBusy(): boolean
}

export interface AttemptWriterHooks {
  write(written: readonly Written[]): Promise<void>
  /** Nothing is left to write. */
  onRest(): void
  /** A batch could not be written, tried several times: it would be sent twice. */
  onFailure(error: unknown): void
}

const WRITE_TRIES = 5
const GATHERED = 64
const GATHER_MS = 20

export function attemptWriter({ write, onRest, onFailure }: AttemptWriterHooks): AttemptWriter {
  let collected: Written[] = []
  let busy = false
  const tried = async (batch: readonly Written[]) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write(batch)
      } catch (error) {
        if (tries === WRITE_TRIES) return onFailure(error)
        await sleep(200 * 2 ** tries)
      }
    }
  }
  const writeAll = async () => {
    while (collected.length > 0) {
      // Attempts end one by one: a moment's wait makes one statement of many.
      if (collected.length < GATHERED) await sleep(GATHER_MS)
      const batch = collected
      collected = []
      await tried(batch)
    }
    busy = false
    onRest()
  }
  return {
    isBusy: () => busy,
    add: (written) => {
      collected.push(written)
      if (busy) return
      busy = true
      void writeAll()
    },
  }
}
