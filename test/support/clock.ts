/** A clock that runs as the machine's does, and is ahead of it by what it was advanced. */
interface Clock {
  readonly now: () => number
  advance(ms: number): void
}

export function aClock(): Clock {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    advance: (ms) => {
      aheadMs += ms
    },
  }
}
