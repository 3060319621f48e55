import { expect } from '@jest/globals'
import { type Flooded, type Flooding, flood } from './flood.ts'
import { scale } from './scale.ts'
import { report } from './table.ts'
import { expectWithin } from './timing.ts'
import { besideQuiet, quiet, victim } from './victim.ts'

/** What one tenant sends without a pause, and what another does at the same time. */
export interface Beside {
  readonly name: string
  readonly baseUrl: string
  /** What the other tenant does. */
  call(): Promise<unknown>
  readonly floods: readonly Flood[]
  /** How long the flood is, in milliseconds. */
  readonly ms: number
  /** Milliseconds that the other tenant's 99th percentile may always take; default 250. */
  readonly floorMs?: number
  /** Milliseconds between two calls of the other tenant; default 20. */
  readonly pauseMs?: number
}
export type Flood = Omit<Flooding, 'url'> & { readonly path: string }

/**
 * Floods, and expects that the other tenant's calls succeed on time, that each 503 and 429 has a Retry-After, and that no answer shows any other
 * fault of the service.
 */
export async function besideFlood({ name, baseUrl, call, floods, ms, floorMs = 250, pauseMs = 20 }: Beside): Promise<Flooded> {
  await call() // warms code up and opens connections
  const before = await quiet(call, { calls: scale(10, 150), pauseMs })
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

/** Each distinct answer: a status, or the message of a request that failed without one. */
export function statusesOf({ answers }: Flooded): (number | string)[] {
  return [...answers.keys()].sort()
}
