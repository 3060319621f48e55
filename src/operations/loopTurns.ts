/** The milliseconds after which long work gives the event loop to other requests. */
const TURN_MS = 5

/** The time that long work, such as rendering a large reply, has had the event loop. */
export interface LoopTurn {
  /** Returns true once the work has had the loop for 5 ms. */
  isOver(): boolean
  /** Gives the loop to others, and resolves at the next turn. */
  pass(): Promise<void>
}

/** Begins a turn. `now` returns milliseconds. */
export function beginTurn(now: () => number = () => performance.now()): LoopTurn {
  let began = now()
  return {
    isOver: () => now() - began >= TURN_MS,
    async pass() {
      await nextTurn()
      began = now()
    },
  }
}

/** Runs work that yields between its steps to its end, in turns. */
export async function inTurns<T>(steps: Generator<void, T>, turn: LoopTurn = beginTurn()): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (turn.isOver()) await turn.pass()
  }
}

/** Work that waits for its next turn. One resumes per iteration of the loop, so that several take no longer together than one. */
const waiting: (() => void)[] = []

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(resumeOne)
  })
}

function resumeOne(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeOne)
}
