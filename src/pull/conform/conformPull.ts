import { isDeepStrictEqual } from 'node:util'
import type { Outbound } from '../../adapters/outboundCall.ts'
import { DecideOrder } from '../../contract/decideOrder.ts'
import { faultsOf } from '../../contract/errorEnvelope.ts'
import { AvailabilityAnswer } from '../../contract/pullApi.ts'
import { callSeller, type SellerAnswer, type SellerConnection } from '../callSeller.ts'
import { aHoldAsk, askedOrder, linesOf } from './asked.ts'

/** One thing that the contract of the pull API asks of a seller's server. */
export interface Finding {
  check: string
  verdict: 'ok' | 'fail' | 'skipped'
  /** What was seen; on a failure, and what to change. */
  said: string
}

export interface ConformOptions extends SellerConnection {
  outbound: Outbound
  /** Milliseconds for an answer; the contract's unless a test says otherwise. */
  deadlines?: { decision: number; availability: number }
  /** Milliseconds for a decision that comes later. */
  patience?: number
}

/**
 * Calls a seller's server as the platform does, and as an attacker and an unlucky network would, and answers what it found (choices, Pull
 * connection). The order that it asks about is made up: run it against a server whose decisions book nothing.
 */
export async function conformPull({
  outbound,
  base_url,
  secret,
  deadlines = DEADLINES,
  patience = 15_000,
}: ConformOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  const tell = (check: string, fault: string | undefined, seen: string) =>
    findings.push(fault === undefined ? { check, verdict: 'ok', said: seen } : { check, verdict: 'fail', said: `${seen}: ${fault}` })
  const skip = (check: string, said: string) => findings.push({ check, verdict: 'skipped', said })
  const call = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    id: string,
    body?: object,
    more: Partial<SellerConnection & { at: number }> = {},
  ) =>
    callSeller(
      outbound,
      { base_url, secret, ...more },
      {
        method,
        path,
        id,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        deadline: path === '/availability' ? deadlines.availability : deadlines.decision,
        ...(more.at === undefined ? {} : { at: more.at }),
      },
    )

  // Who is asking? Each with an order of its own, so that a server which answers nevertheless has not decided the one below.
  for (const [check, what, more] of FORGED) {
    const forged = askedOrder()
    const answer = await call('POST', '/decisions', `${forged.order_id}:decision`, forged, more())
    tell(check, refusal(answer) ? undefined : `answer 401 to ${what}`, seenOf(answer))
  }

  const order = askedOrder()
  const id = `${order.order_id}:decision`
  const ask = () => call('POST', '/decisions', id, order)
  const poll = () => call('GET', `/decisions/${order.order_id}`, id)
  const first = await ask()
  tell('a decision, or "later", in time', faultOfDecision(first, deadlines.decision), seenOf(first))
  if (faultOfDecision(first, deadlines.decision) !== undefined) {
    for (const check of ['the same order is decided once', 'a decision can be polled for']) skip(check, 'there was no decision to compare')
  } else {
    const decided = 'status' in first && first.status === 200 ? first : await laterOf(poll, patience)
    if (decided === undefined)
      skip('the same order is decided once', `still 202 after ${patience / 1_000} s; run again with a shorter decision`)
    else {
      const again = await ask()
      const fault =
        isStatus(again, 202) || isDeepStrictEqual(bodyOf(again), bodyOf(decided))
          ? undefined
          : 'answer the same order as before: an answer may be lost on its way'
      tell(
        'the same order is decided once',
        faultOfDecision(decided, deadlines.decision) ?? fault,
        `${seenOf(decided)}, then ${seenOf(again)}`,
      )
    }
    const polled = await poll()
    const same = decided === undefined || isDeepStrictEqual(bodyOf(polled), bodyOf(decided))
    const unlike = same ? undefined : 'answer GET /decisions/{order_id} as the order was decided'
    tell('a decision can be polled for', faultOfDecision(polled, deadlines.decision) ?? unlike, seenOf(polled))
  }
  const unknown = await call('GET', `/decisions/${askedOrder().order_id}`, 'ord_unknown:decision')
  tell('an order that is not known is 404', isStatus(unknown, 404) ? undefined : 'answer 404: the platform asks anew then', seenOf(unknown))

  const available = await call('POST', '/availability', `${order.order_id}:availability`, {
    order_id: order.order_id,
    lines: linesOf(order),
  })
  if (isStatus(available, 404)) skip('availability, line by line, in time', '404: leave realtime_availability undeclared')
  else tell('availability, line by line, in time', faultOfAvailability(available, order, deadlines.availability), seenOf(available))

  const asked = aHoldAsk()
  const held = await call('POST', '/holds', `${asked.hold_id}:hold`, asked)
  if (isStatus(held, 404)) skip('a hold is kept and released', '404: leave holds undeclared, or have the platform alone keep them')
  else {
    const released = await call('DELETE', `/holds/${asked.hold_id}`, `${asked.hold_id}:release`)
    const repeated = await call('DELETE', `/holds/${asked.hold_id}`, `${asked.hold_id}:release`)
    const said = `${seenOf(held)}, released with ${seenOf(released)}, and again with ${seenOf(repeated)}`
    const answers = [held, released, repeated].every((answer) => !('unreachable' in answer) && !isStatus(answer, 401))
    tell(
      'a hold is kept and released',
      answers ? undefined : 'answer 2xx (or 4xx to refuse) to a hold, and 2xx or 404 to its end, also the second time',
      said,
    )
  }
  return findings
}

const DEADLINES = { decision: 10_000, availability: 3_000 }
const AN_HOUR = 3_600

type Forgery = [check: string, what: string, more: () => Partial<SellerConnection & { at: number }>]
const FORGED: readonly Forgery[] = [
  [
    'a wrong signature is refused',
    'a request that another secret signed, before anything is parsed',
    () => ({ secret: `whsec_${Buffer.from('somebody else').toString('base64')}` }),
  ],
  ['a replayed request is refused', 'a signature older than five minutes', () => ({ at: Math.floor(Date.now() / 1_000) - AN_HOUR })],
]

function refusal(answer: SellerAnswer): boolean {
  return 'status' in answer && answer.status >= 400
}

function isStatus(answer: SellerAnswer, status: number): boolean {
  return 'status' in answer && answer.status === status
}

function bodyOf(answer: SellerAnswer): unknown {
  return 'body' in answer ? answer.body : undefined
}

/** The answer to a poll once it is no longer 202; undefined when it stays so. */
async function laterOf(poll: () => Promise<SellerAnswer>, patience: number): Promise<SellerAnswer | undefined> {
  const until = Date.now() + patience
  for (;;) {
    const answer = await poll()
    if (!isStatus(answer, 202)) return answer
    if (Date.now() >= until) return undefined
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, patience)))
  }
}

function faultOfDecision(answer: SellerAnswer, deadline: number): string | undefined {
  if (isStatus(answer, 202)) return undefined
  const common = faultOf(answer, deadline, 'answer 202 at once when a decision takes longer')
  if (common !== undefined) return common
  const read = DecideOrder.safeParse(bodyOf(answer))
  if (!read.success) return `send exactly the body of POST /v1/me/orders/{order_id}/decide: ${wrongIn(read.error.issues, bodyOf(answer))}`
  const lines = new Map(askedOrder().line_items.map(({ unit_id, units }) => [unit_id, units]))
  for (const { unit_id, num_accepted } of read.data.units ?? []) {
    const units = lines.get(unit_id)
    if (units === undefined) return `decide on the lines of the order: ${unit_id} is none of them`
    if (num_accepted !== undefined && (num_accepted < 1 || num_accepted > units)) return `accept 1 to ${units} units of ${unit_id}`
  }
  return undefined
}

function faultOfAvailability(answer: SellerAnswer, order: ReturnType<typeof askedOrder>, deadline: number): string | undefined {
  const common = faultOf(answer, deadline, 'answer what is known by then: the published state stands otherwise')
  if (common !== undefined) return common
  const read = AvailabilityAnswer.safeParse(bodyOf(answer))
  if (!read.success) return `send {"lines": [{"unit_id", "state", "basis"?}]}: ${wrongIn(read.error.issues, bodyOf(answer))}`
  const ids = read.data.lines.map(({ unit_id }) => unit_id)
  const stray = ids.find((unit_id) => !order.line_items.some((line) => line.unit_id === unit_id))
  if (stray !== undefined) return `answer for the lines that were asked about: ${stray} is none of them`
  return new Set(ids).size === ids.length ? undefined : 'answer once for each line'
}

/** What keeps a 200 of any kind from being used. */
function faultOf(answer: SellerAnswer, deadline: number, late: string): string | undefined {
  if ('unreachable' in answer) {
    return answer.unreachable === 'timeout' ? `answer within ${deadline / 1_000} s; ${late}` : 'answer: nobody was reached, or a 5xx came'
  }
  if ('unusable' in answer) {
    const advice = { too_large: 'send at most 1 MiB', encoding: 'send no content encoding', json: 'send JSON in UTF-8, each key once' }
    return advice[answer.unusable]
  }
  return answer.status === 200 ? undefined : 'answer 200'
}

function wrongIn(issues: Parameters<typeof faultsOf>[0], body: unknown): string {
  return faultsOf(issues, body)[0]?.message ?? 'it is not'
}

function seenOf(answer: SellerAnswer): string {
  if ('unreachable' in answer) return answer.unreachable.replace('status_', '')
  return 'unusable' in answer ? '200' : String(answer.status)
}
