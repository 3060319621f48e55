import { setTimeout as sleep } from 'node:timers/promises'

export interface Shipment {
  id: string
  status: string
}

/** Shipments that are booked and not delivered yet: their status by their id. */
export type Pending = ReadonlyMap<string, string>

/** A carrier that reads its list of shipments while someone waits for something in it. */
export interface Carrier {
  /** Comes back once the list is so; fails when it has not changed for a minute, or cannot be read. */
  until(isSo: (pending: Pending) => boolean): Promise<void>
}

const LOOK_MS = 25
/** The list is long where many orders wait: reading it takes a tenth of the time at most. */
const REST = 9
const TOO_LONG_MS = 60_000

export function openCarrier(list: () => Promise<readonly Shipment[]>): Carrier {
  const waiting = new Set<{ isSo: (pending: Pending) => boolean; done: () => void; fail: (error: Error) => void }>()
  let looking = false
  const look = async () => {
    let last = { text: '', at: performance.now() }
    while (waiting.size > 0) {
      const began = performance.now()
      const shipments = await list()
      const now = performance.now()
      const pending = new Map(shipments.map(({ id, status }) => [id, status]))
      for (const waiter of [...waiting].filter(({ isSo }) => isSo(pending))) {
        waiting.delete(waiter)
        waiter.done()
      }
      const text = JSON.stringify(shipments)
      if (text !== last.text) last = { text, at: now }
      else if (now - last.at > TOO_LONG_MS) throw new Error(`no shipment has moved for a minute; ${pending.size} are pending`)
      await sleep(Math.max(LOOK_MS, REST * (now - began)))
    }
    looking = false
  }
  const giveUp = (error: Error) => {
    looking = false
    for (const { fail } of waiting) fail(error)
    waiting.clear()
  }
  return {
    until: (isSo) =>
      new Promise((done, fail) => {
        waiting.add({ isSo, done, fail })
        if (looking) return
        looking = true
        look().catch(giveUp)
      }),
  }
}
