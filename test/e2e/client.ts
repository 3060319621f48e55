import { setTimeout as sleep } from 'node:timers/promises'
import { apiUrl } from '../../src/embedded/apiUrl.ts'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  text: string
  body: Body
}

/** One tenant's hands on the API. */
export interface Client {
  /** One request, one answer; fails when none comes. */
  ask<Body>(method: string, path: string, body?: object | string): Promise<Answer<Body>>
  /** The same bytes again and again, as the spec tells clients to, until an answer comes that is neither 503 nor 429. */
  insist<Body>(method: string, path: string, body?: object | string): Promise<Answer<Body>>
}

/** Longer than any part of the product takes to come back. */
const PATIENCE_MS = 60_000

export function clientOf(baseUrl: string, token: string): Client {
  const api = apiUrl(baseUrl)
  const ask = async <Body>(method: string, path: string, body?: object | string): Promise<Answer<Body>> => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(text === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(10_000),
    })
    const answer = await response.text()
    return { status: response.status, headers: response.headers, text: answer, body: JSON.parse(answer) as Body }
  }
  const insist = async <Body>(method: string, path: string, body?: object | string): Promise<Answer<Body>> => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const outcome = await ask<Body>(method, path, text).then(
        (answer) => ({ answer, why: answer.text }),
        (error: unknown) => ({ answer: undefined, why: String(error) }),
      )
      if (outcome.answer !== undefined && outcome.answer.status !== 503 && outcome.answer.status !== 429) return outcome.answer
      if (Date.now() > deadline) throw new Error(`${method} ${path}: no answer in ${PATIENCE_MS} ms; last ${outcome.why}`)
      await sleep(50 + Math.random() * 100)
    }
  }
  return { ask, insist }
}
