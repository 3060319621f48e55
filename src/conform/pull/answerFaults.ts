import { dropAbsentNulls } from '../../contract/absentNulls.ts'
import { DecideOrder } from '../../contract/decideOrder.ts'
import { faultsOf } from '../../contract/errorEnvelope.ts'
import { AvailabilityAnswer } from '../../contract/pullApi.ts'
import { faultsOfDecision } from '../../domain/order/decisionFaults.ts'
import type { SellerAnswer } from '../../operations/pull/callSeller.ts'
import type { askedOrder } from './asked.ts'

/** Checks of a seller's answers. Each returns advice on what to change, or undefined if the answer is correct. */

type Order = ReturnType<typeof askedOrder>

/** Returns why the other checks are pointless after this first answer: the server is unreachable or rejects the signature. */
export function connectionFault(answer: SellerAnswer, deadline: number): string | undefined {
  if (isStatus(answer, 401) || isStatus(answer, 403)) {
    return 'accept the signature: use this secret, and verify "t.body" over the exact bytes of the request'
  }
  if (!('unreachable' in answer)) return undefined
  return answer.unreachable === 'timeout' ? tooLate(deadline, LATER) : SHUT[answer.unreachable]
}

const LATER = 'answer 202 immediately if a decision takes longer'

const SHUT: Readonly<Record<string, string>> = {
  connect: 'start the server: the connection was refused',
  dns: 'check the host name: it does not resolve',
  tls: 'serve a certificate that is valid for the host name',
  protocol: 'serve HTTP at this address',
  reset: 'send a response: the server closed the connection without one',
  refused_address: 'use a public address: the platform does not call this one',
}

/** Applies the rules of every gate, except for the terms of a counter, which depend on the real order. */
export function faultOfDecision(answer: SellerAnswer, order: Order, deadline: number): string | undefined {
  if (isStatus(answer, 202)) return undefined
  const common = faultOf(answer, deadline, LATER)
  if (common !== undefined) return common
  dropAbsentNulls(DecideOrder, bodyOf(answer))
  const read = DecideOrder.safeParse(bodyOf(answer))
  if (!read.success)
    return `send exactly the body of POST /v1/me/orders/{order_id}/decide: ${wrongIn(DecideOrder, read.error.issues, bodyOf(answer))}`
  const [fault] = faultsOfDecision({ lines: order.line_items, request: {} }, read.data, undefined)
  return fault && `send a decision that fits the order: ${fault.message} (${fault.field})`
}

export function faultOfAvailability(answer: SellerAnswer, order: Order, deadline: number): string | undefined {
  const common = faultOf(answer, deadline, 'answer with what is known by then; otherwise the published state applies')
  if (common !== undefined) return common
  dropAbsentNulls(AvailabilityAnswer, bodyOf(answer))
  const read = AvailabilityAnswer.safeParse(bodyOf(answer))
  if (!read.success)
    return `send {"lines": [{"unit_id", "state", "basis"?}]}: ${wrongIn(AvailabilityAnswer, read.error.issues, bodyOf(answer))}`
  const ids = read.data.lines.map(({ unit_id }) => unit_id)
  const stray = ids.find((unit_id) => !order.line_items.some((line) => line.unit_id === unit_id))
  if (stray !== undefined) return `answer only for the requested lines; ${stray} is not one of them`
  return new Set(ids).size === ids.length ? undefined : 'answer each line only once'
}

/** Returns why an answer of any kind is not a usable 200. */
function faultOf(answer: SellerAnswer, deadline: number, late: string): string | undefined {
  if ('unreachable' in answer) {
    return answer.unreachable === 'timeout'
      ? tooLate(deadline, late)
      : 'send a response below 500: the server was unreachable or answered 5xx'
  }
  if ('unusable' in answer) {
    const advice = { too_large: 'send at most 1 MiB', encoding: 'send no content encoding', json: 'send JSON in UTF-8, each key once' }
    return advice[answer.unusable]
  }
  if (answer.status >= 300 && answer.status < 400) return 'answer directly: redirects are not followed'
  return answer.status === 200 ? undefined : 'answer 200'
}

function tooLate(deadline: number, late: string): string {
  return `answer within ${deadline / 1_000} s; ${late}`
}

function wrongIn(schema: Parameters<typeof faultsOf>[0], issues: Parameters<typeof faultsOf>[1], body: unknown): string {
  return faultsOf(schema, issues, body)[0]?.message ?? 'the body is not valid'
}

/** Returns true if the server handled the request as genuine. A server that does not respond has not acted on it. */
export function isTaken(answer: SellerAnswer): boolean {
  if ('unreachable' in answer) return answer.unreachable.startsWith('status_')
  return 'unusable' in answer || answer.status < 400
}

/** Returns true for a 2xx or a 4xx. */
export function isYesOrNo(answer: SellerAnswer): boolean {
  return 'unusable' in answer || ('status' in answer && (answer.status < 300 || answer.status >= 400))
}

export function isStatus(answer: SellerAnswer, status: number): boolean {
  return 'status' in answer && answer.status === status
}

export function bodyOf(answer: SellerAnswer): unknown {
  return 'body' in answer ? answer.body : undefined
}

/** Returns the status or the failure in one word, for the report. */
export function seenOf(answer: SellerAnswer): string {
  if ('unreachable' in answer) return answer.unreachable.replace('status_', '')
  return 'unusable' in answer ? '200' : String(answer.status)
}
