import { Pool } from 'undici'

export interface Load {
  baseUrl: string
  token: string
  method: 'GET' | 'POST'
  /** Of each request by its number, where they differ. */
  path: string | ((index: number) => string)
  /** Made for each request, before the clock starts. */
  body?: (index: number) => string
  traceparent?: string
  requests: number
  atOnce: number
  status: number
}

export interface Measured {
  perSecond: number
  p50Ms: number
}

/** Sends so many requests, so many at once, over connections that stay open; fails on the first answer that is not as wished. */
export async function sendLoad({ baseUrl, token, method, path, body, traceparent, requests, atOnce, status }: Load): Promise<Measured> {
  const pool = new Pool(baseUrl, { connections: atOnce, pipelining: 1 })
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(traceparent === undefined ? {} : { traceparent }),
  }
  const bodies = body === undefined ? undefined : Array.from({ length: requests }, (_, index) => body(index))
  const times: number[] = []
  let next = 0
  const work = async () => {
    while (next < requests) {
      const index = next
      next += 1
      const where = typeof path === 'string' ? path : path(index)
      const began = performance.now()
      const answer = await pool.request({ method, path: where, headers, body: bodies?.[index] ?? null })
      const text = await answer.body.text()
      times.push(performance.now() - began)
      if (answer.statusCode !== status) throw new Error(`${method} ${where}: ${answer.statusCode} ${text}`)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce }, work))
  const seconds = (performance.now() - began) / 1_000
  await pool.close()
  times.sort((a, b) => a - b)
  return { perSecond: requests / seconds, p50Ms: times[Math.floor(times.length / 2)] ?? Number.NaN }
}
