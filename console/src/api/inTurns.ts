import { rest } from './rest.ts'

type InTurn = <Result>(call: () => Promise<Result>, signal: AbortSignal) => Promise<Result>

/**
 * Limits concurrent calls to `max`, each of which occupies its turn for at least `ms`, so that a page with hundreds of reads stays below
 * the tenant's rate limit. A call that was aborted before its turn is not made.
 */
export function inTurns({ max, ms }: { max: number; ms: number }): InTurn {
  let taken = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) taken -= 1
    else next()
  }
  return async (call, signal) => {
    if (taken < max) taken += 1
    else await new Promise<void>((begin) => waiting.push(begin))
    if (signal.aborted) {
      leave()
      throw signal.reason
    }
    const reply = call()
    void Promise.allSettled([reply, rest(ms)]).then(leave)
    return reply
  }
}
