import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A request that is sent again as soon as it is answered. */
export interface Flooding {
  readonly method: string
  readonly url: string
  readonly token: string
  /** Absent for a GET. */
  readonly body?: string
  /** The type of the body; default application/json. */
  readonly type?: string
  /** The number of concurrent requests; default 1. */
  readonly atOnce?: number
  readonly pauseMs?: number
}

export interface Flooded {
  /** The number of answers by status or by failure. */
  readonly answers: ReadonlyMap<number | string, number>
  /** The number of 503 and 429 answers without a Retry-After. */
  readonly withoutRetryAfter: number
  /** The slowest 200 answer, in milliseconds. */
  readonly longestMs: number
}

/** Floods until the given time from a separate thread, so that the attacker's cost does not count as the victim's latency. */
export async function flood(until: number, floods: readonly Flooding[]): Promise<Flooded> {
  const worker = new Worker(FLOODER, { eval: true, workerData: { until, floods } })
  const [flooded] = (await once(worker, 'message')) as [Flooded]
  await worker.terminate()
  return flooded
}

const FLOODER = `
  const { parentPort, workerData: { until, floods } } = require('node:worker_threads')
  const { setTimeout: sleep } = require('node:timers/promises')
  const answers = new Map()
  let withoutRetryAfter = 0
  let longestMs = 0
  const one = async ({ method, url, token, body, type = 'application/json' }) => {
    const began = performance.now()
    const reply = await fetch(url, { method, headers: { authorization: 'Bearer ' + token, 'content-type': type }, body })
    await reply.arrayBuffer()
    if (reply.status === 200) longestMs = Math.max(longestMs, performance.now() - began)
    if ([429, 503].includes(reply.status) && !(Number(reply.headers.get('retry-after')) >= 1)) withoutRetryAfter += 1
    return reply.status
  }
  const again = async (each) => {
    while (Date.now() < until) {
      const status = await one(each).catch((error) => error.message)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (each.pauseMs > 0) await sleep(each.pauseMs)
    }
  }
  const sent = floods.map(({ body, ...each }) => (body === undefined ? each : { ...each, body: Buffer.from(body) }))
  Promise.all(sent.flatMap((each) => Array.from({ length: each.atOnce ?? 1 }, () => again(each))))
    .then(() => parentPort.postMessage({ answers, withoutRetryAfter, longestMs: Math.round(longestMs) }))`
