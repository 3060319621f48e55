import { expect } from '@jest/globals'
import { type Flooded, type Flooding, flood } from './flood.ts'
import { scale } from './scale.ts'
import { report } from './table.ts'
import { expectWithin } from './timing.ts'
import { besideQuiet, type Latency, quiet, victim } from './victim.ts'

/** The requests that one tenant sends without a pause, and the calls that another makes meanwhile. */
export interface Beside {
  readonly name: string
  readonly baseUrl: string
  /** Makes one call of the other tenant. */
  call(): Promise<unknown>
  readonly floods: readonly Flood[]
  /** The duration of the flood, in milliseconds. */
  readonly ms: number
  /** Milliseconds that the other tenant's 99th percentile may take in any case; default 250. */
  readonly floorMs?: number
  /** What `quiet` has measured of the other tenant's calls; default: it is measured first. */
  readonly calm?: Latency
  /** Milliseconds between two calls of the other tenant; default 20. */
  readonly pauseMs?: number
}
export type Flood = Omit<Flooding, 'url'> & { readonly path: string }

/**
 * Floods, and expects that the other tenant's calls succeed in time, that each 503 and 429 has a Retry-After, and that no answer shows
 * another fault of the service.
 */
export async function besideFlood({ name, baseUrl, call, floods, ms, calm, floorMs = 250, pauseMs = 20 }: Beside): Promise<Flooded> {
  await call() // warms up code and opens connections
  const before = calm ?? (await quiet(call, { calls: scale(5, 150), pauseMs }))
  const flooding = flood(
    Date.now() + ms,
    floods.map(({ path, ...each }) => ({ ...each, url: `${baseUrl}${path}` })),
  )
  const during = await victim(call, flooding, { pauseMs })
  const flooded = await flooding
  const { answers, withoutRetryAfter, longestMs } = flooded
  const counts = [...answers].map(([status, count]) => `${count} x ${status}`).join(', ')
  report(name, { ...besideQuiet(before, during), answers: counts, 'longest 200 ms': longestMs })
  expect(during.failures).toEqual([])
  expectWithin(during.p99, Math.max(5 * before.p99, floorMs))
  expect(withoutRetryAfter).toBe(0)
  expect(statusesOf(flooded).filter((status) => typeof status === 'string' || (status >= 500 && status !== 503))).toEqual([])
  return flooded
}

/** Returns each distinct answer: a status, or the message of a request that failed without one. */
export function statusesOf({ answers }: Flooded): (number | string)[] {
  return [...answers.keys()].sort()
}
