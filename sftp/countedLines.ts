import type { Logger } from 'pino'

/** Logs the malformed requests of sellers: a seller's first at once, and those that follow within a minute as a single line at its end. */
export interface MalformedRequests {
  note(seller: string, what: string): void
  /** Writes the lines that are due. Called several times a second. */
  look(): void
}

const EVERY_MS = 60_000

export function malformedRequests(log: Pick<Logger, 'warn'>, now: () => number = Date.now): MalformedRequests {
  const sellers = new Map<string, { since: number; times: number; what: string }>()
  const write = (seller: string, what: string, times: number) =>
    log.warn({ seller, what, times }, 'malformed SFTP requests, each of which ended its connection')
  const look = () => {
    for (const [seller, { since, times, what }] of sellers) {
      if (now() - since < EVERY_MS) continue
      sellers.delete(seller)
      if (times === 0) continue
      write(seller, what, times)
      sellers.set(seller, { since: now(), times: 0, what })
    }
  }
  return {
    look,
    note(seller, what) {
      look()
      const known = sellers.get(seller)
      if (known === undefined) {
        write(seller, what, 1)
        sellers.set(seller, { since: now(), times: 0, what })
        return
      }
      known.times += 1
      known.what = what
    },
  }
}
