import { DecideOrder } from '../../contract/decideOrder.ts'
import { faultsOf } from '../../contract/errorEnvelope.ts'
import { AvailabilityAnswer } from '../../contract/pullApi.ts'
import { faultsOfDecision } from '../../domain/order/decisionFaults.ts'
import type { SellerAnswer } from '../callSeller.ts'
import type { askedOrder } from './asked.ts'

/** What is wrong with a seller's answers, in words that say what to change; undefined when nothing is. */

type Order = ReturnType<typeof askedOrder>

/** Why nothing can be learned of a server whose first answer this is: nobody is there, or nobody lets us in. */
export function faultOfDoor(answer: SellerAnswer, deadline: number): string | undefined {
  if (isStatus(answer, 401) || isStatus(answer, 403)) {
    return 'it does not take our signature: is this its secret, and does it verify "t.body" over the bytes as they came?'
  }
  if (!('unreachable' in answer)) return undefined
  return answer.unreachable === 'timeout' ? tooLate(deadline, LATER) : SHUT[answer.unreachable]
}

const LATER = 'answer 202 at once when a decision takes longer'

const SHUT: Readonly<Record<string, string>> = {
  connect: 'start the server: nobody listens there',
  dns: 'nobody has that name',
  tls: 'serve a certificate that is valid for that name',
  protocol: 'speak HTTP there',
  reset: 'answer: the connection was closed without a word',
  refused_address: 'the platform does not call this address',
}

/** By the rules of every gate; what a counter offers is left to the real order. */
export function faultOfDecision(answer: SellerAnswer, order: Order, deadline: number): string | undefined {
  if (isStatus(answer, 202)) return undefined
  const common = faultOf(answer, deadline, LATER)
  if (common !== undefined) return common
  const read = DecideOrder.safeParse(bodyOf(answer))
  if (!read.success)
    return `send exactly the body of POST /v1/me/orders/{order_id}/decide: ${wrongIn(DecideOrder, read.error.issues, bodyOf(answer))}`
  const [fault] = faultsOfDecision({ lines: order.line_items, request: {} }, read.data, undefined)
  return fault && `decide as the order can be decided: ${fault.field} ${fault.message}`
}

export function faultOfAvailability(answer: SellerAnswer, order: Order, deadline: number): string | undefined {
  const common = faultOf(answer, deadline, 'answer what is known by then: the published state stands otherwise')
  if (common !== undefined) return common
  const read = AvailabilityAnswer.safeParse(bodyOf(answer))
  if (!read.success)
    return `send {"lines": [{"unit_id", "state", "basis"?}]}: ${wrongIn(AvailabilityAnswer, read.error.issues, bodyOf(answer))}`
  const ids = read.data.lines.map(({ unit_id }) => unit_id)
  const stray = ids.find((unit_id) => !order.line_items.some((line) => line.unit_id === unit_id))
  if (stray !== undefined) return `answer for the lines that were asked about: ${stray} is none of them`
  return new Set(ids).size === ids.length ? undefined : 'answer once for each line'
}

/** What keeps a 200 of any kind from being used. */
function faultOf(answer: SellerAnswer, deadline: number, late: string): string | undefined {
  if ('unreachable' in answer) {
    return answer.unreachable === 'timeout' ? tooLate(deadline, late) : 'answer: nobody was reached, or a 5xx came'
  }
  if ('unusable' in answer) {
    const advice = { too_large: 'send at most 1 MiB', encoding: 'send no content encoding', json: 'send JSON in UTF-8, each key once' }
    return advice[answer.unusable]
  }
  if (answer.status >= 300 && answer.status < 400) return 'answer there: redirects are not followed'
  return answer.status === 200 ? undefined : 'answer 200'
}

function tooLate(deadline: number, late: string): string {
  return `answer within ${deadline / 1_000} s; ${late}`
}

function wrongIn(schema: Parameters<typeof faultsOf>[0], issues: Parameters<typeof faultsOf>[1], body: unknown): string {
  return faultsOf(schema, issues, body)[0]?.message ?? 'it is not'
}

/** Answered as if it were ours. A server that does not answer at all has done nothing for a stranger. */
export function isTaken(answer: SellerAnswer): boolean {
  if ('unreachable' in answer) return answer.unreachable.startsWith('status_')
  return 'unusable' in answer || answer.status < 400
}

/** A 2xx or a 4xx. */
export function isYesOrNo(answer: SellerAnswer): boolean {
  return 'unusable' in answer || ('status' in answer && (answer.status < 300 || answer.status >= 400))
}

export function isStatus(answer: SellerAnswer, status: number): boolean {
  return 'status' in answer && answer.status === status
}

export function bodyOf(answer: SellerAnswer): unknown {
  return 'body' in answer ? answer.body : undefined
}

/** In a word for the report. */
export function seenOf(answer: SellerAnswer): string {
  if ('unreachable' in answer) return answer.unreachable.replace('status_', '')
  return 'unusable' in answer ? '200' : String(answer.status)
}
