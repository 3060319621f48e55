import { rest } from './rest.ts'

type InTurn = <Result>(call: () => Promise<Result>, signal: AbortSignal) => Promise<Result>

/**
 * Makes calls in turns: at most `most` at once, each of which takes its turn for `ms` at least, so that a page that reads hundreds stays below the rate
 * at which a tenant may call. A call that is no longer wanted when its turn comes is not made.
 */
export function inTurns({ most, ms }: { most: number; ms: number }): InTurn {
  let taken = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) taken -= 1
    else next()
  }
  return async (call, signal) => {
    if (taken < most) taken += 1
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
