import { setTimeout as sleep } from 'node:timers/promises'
import { scale } from './scale.ts'

/** The latency of a tenant's own calls, in milliseconds. */
export interface Latency {
  calls: number
  p50: number
  p99: number
  max: number
  /** The messages of calls that threw. */
  failures: string[]
}

/**
 * Makes calls one at a time until `until` resolves, with a pause between them, and at least `least` calls. This is the tenant that an
 * attack must not affect, measured once while nothing else happens and once during the attack.
 */
export async function victim(
  call: () => Promise<unknown>,
  until: Promise<unknown>,
  { least = scale(3, 20), pauseMs = 20 }: { least?: number; pauseMs?: number } = {},
): Promise<Latency> {
  let ended = false
  const end = () => {
    ended = true
  }
  void until.then(end, end)
  const taken: number[] = []
  const failures: string[] = []
  while (!ended || taken.length < least) {
    const began = performance.now()
    await call().catch((error: Error) => failures.push(error.message))
    taken.push(performance.now() - began)
    await sleep(pauseMs)
  }
  await until.catch(() => undefined) // each test checks the failures of its attack itself
  taken.sort((a, b) => a - b)
  const at = (share: number) => Math.round(taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? 0)
  return { calls: taken.length, p50: at(0.5), p99: at(0.99), max: at(1), failures }
}

/** Measures the tenant while nothing else happens. */
export function quiet(call: () => Promise<unknown>, { calls = scale(5, 300), pauseMs = 20 } = {}): Promise<Latency> {
  return victim(call, Promise.resolve(), { least: calls, pauseMs })
}

/** Returns the figures of the table, from which `npm run bench` reads them. */
export function besideQuiet(before: Latency, during: Latency): Record<`${'quiet_' | ''}p${50 | 99}_ms`, number> {
  return { quiet_p50_ms: before.p50, p50_ms: during.p50, quiet_p99_ms: before.p99, p99_ms: during.p99 }
}
