/** Logs what may happen often: of each sender the first at once, and those that follow within a minute as a single line at its end. */
export interface CountedLines {
  note(sender: string, what: string): void
  /** Writes the lines that are due. Called several times a second. */
  look(): void
}

const EVERY_MS = 60_000
/** Beyond this number, further senders share a line, so that a flood from many addresses makes few lines. */
const MAX_SENDERS = 1_000
const OTHERS = 'others'

/** `write` gets the sender, the last thing that it did, and how often it did it. `now` is the clock, in epoch milliseconds. */
export function countedLines(write: (sender: string, what: string, times: number) => void, now: () => number = Date.now): CountedLines {
  const senders = new Map<string, { since: number; times: number; what: string }>()
  const look = () => {
    for (const [sender, { since, times, what }] of senders) {
      if (now() - since < EVERY_MS) continue
      senders.delete(sender)
      if (times === 0) continue
      write(sender, what, times)
      senders.set(sender, { since: now(), times: 0, what })
    }
  }
  return {
    look,
    note(named, what) {
      look()
      const sender = senders.has(named) || senders.size < MAX_SENDERS ? named : OTHERS
      const known = senders.get(sender)
      if (known === undefined) {
        write(sender, what, 1)
        senders.set(sender, { since: now(), times: 0, what })
        return
      }
      known.times += 1
      known.what = what
    },
  }
}
