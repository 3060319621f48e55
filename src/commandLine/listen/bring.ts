import { pause } from '../../../client/src/index.ts'
import { signatureHeaders } from '../../adapters/http/requestSignature.ts'
import { ATTEMPT_TIMES, type AttemptTimes, afterAttempt, attemptTime } from '../../domain/webhooks/attempts.ts'

/** An event on its way to the receiver. */
export interface Post {
  readonly event_id: string
  /** The exact text that is signed and sent. */
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Takes the first answers to each event for this status. */
  readonly fail?: { status: number; times: number } | undefined
  readonly signal: AbortSignal
  readonly times?: AttemptTimes
  /** Called after each attempt with what came of it. */
  readonly onAttempt?: (post: Post, attempt: Attempt) => void
}

export interface Attempt {
  /** 1, 2 or 3. */
  readonly number: number
  readonly status?: number
  /** Why there was no answer. */
  readonly error?: string
  readonly latency_ms: number
  /** What follows: nothing more, another attempt, or none although it failed. */
  readonly outcome: 'delivered' | 'again' | 'dropped'
}

/**
 * Brings an event to a receiver as the marketplace does: signed, five seconds for an answer, again after two and eight seconds. Returns once
 * the first attempt has ended, with the end of all of them, so that events begin in their order and a failure holds none up.
 */
export async function bring(post: Post, receiver: Receiver): Promise<{ all: Promise<void> }> {
  const firstAt = Date.now()
  const wait = await attempt(post, receiver, 1, firstAt)
  return { all: wait === undefined ? Promise.resolve() : furtherAttempts(post, receiver, firstAt, wait) }
}

async function furtherAttempts(post: Post, receiver: Receiver, firstAt: number, firstWait: number): Promise<void> {
  let wait: number | undefined = firstWait
  for (let number = 2; wait !== undefined; number += 1) {
    await pause(wait, receiver.signal)
    wait = await attempt(post, receiver, number, firstAt)
  }
}

/** Makes an attempt; returns the milliseconds until the next one, or undefined if it was the last. */
async function attempt(post: Post, receiver: Receiver, number: number, firstAt: number): Promise<number | undefined> {
  const { times = ATTEMPT_TIMES, onAttempt, fail } = receiver
  const began = Date.now()
  const withinMs = attemptTime(firstAt, began, times)
  const answer: Answer = withinMs === undefined ? { error: 'too_late' } : await answered(post, receiver, withinMs)
  const status = fail !== undefined && number <= fail.times ? fail.status : answer.status
  const ended = Date.now()
  const next = afterAttempt(number, status, ended, times)
  const outcome = next.status === 'pending' ? 'again' : next.status === 'delivered' ? 'delivered' : 'dropped'
  const why = status === undefined ? { error: answer.error ?? 'unknown' } : { status }
  onAttempt?.(post, { number, ...why, latency_ms: ended - began, outcome })
  return outcome === 'again' ? next.due - ended : undefined
}

interface Answer {
  readonly status?: number
  readonly error?: string
}

async function answered({ event_id, body }: Post, { url, secrets, headers, signal }: Receiver, withinMs: number): Promise<Answer> {
  const signed = signatureHeaders({ id: event_id, body, timestamp: Math.floor(Date.now() / 1_000), secrets })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...signed, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
    })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    signal.throwIfAborted()
    return { error: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const { name, cause, message } = error as Error & { cause?: { code?: string } }
  return name === 'TimeoutError' ? 'timeout' : (cause?.code ?? message)
}
