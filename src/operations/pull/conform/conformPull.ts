import { isDeepStrictEqual } from 'node:util'
import type { Outbound } from '../../../adapters/http/outboundCall.ts'
import { callSeller, type SellerAnswer, type SellerConnection } from '../callSeller.ts'
import { bodyOf, connectionFault, faultOfAvailability, faultOfDecision, isStatus, isTaken, isYesOrNo, seenOf } from './answerFaults.ts'
import { aHoldRequest, askedOrder, linesOf } from './asked.ts'

/** The result of checking one requirement of the pull API. */
export interface Finding {
  check: string
  verdict: 'ok' | 'fail' | 'skipped'
  /** The server's answer; on failure, also what to change. */
  said: string
}

export interface ConformOptions extends SellerConnection {
  outbound: Outbound
  /** Milliseconds for an answer; by default those of the contract. */
  deadlines?: { decision: number; availability: number }
  /** Milliseconds to poll for a decision after a 202. */
  patience?: number
  /** Called with each finding immediately, since a slow server can make the whole run take long. */
  onFinding?: (finding: Finding) => void
}

/**
 * Calls a seller's server as the platform does, and as an attacker or an unreliable network would, and returns the findings (choices,
 * Sellers' own APIs). The orders are fictitious, so run this against a server whose decisions book nothing.
 */
export async function conformPull({ patience = 15_000, ...options }: ConformOptions): Promise<Finding[]> {
  const probe = openProbe(options)
  const order = askedOrder()
  const first = await probe.call('POST', '/decisions', `${order.order_id}:decision`, order)
  const shut = connectionFault(first, probe.deadlines.decision)
  if (shut === undefined) {
    await checkDecision(probe, order, first, patience)
    await checkForgeries(probe, order)
    await checkAvailability(probe, order)
    await checkHold(probe)
  } else {
    probe.tell(DECISION, shut, seenOf(first))
    for (const check of FURTHER_CHECKS) probe.skip(check, 'not checked: the first request failed')
  }
  return probe.findings
}

type Order = ReturnType<typeof askedOrder>
/** The ways in which a call differs from one of the platform. */
type Forgery = Partial<SellerConnection & { at: number }>
type Probe = ReturnType<typeof openProbe>

function openProbe({ outbound, base_url, secret, deadlines = DEADLINES, onFinding }: Omit<ConformOptions, 'patience'>) {
  const findings: Finding[] = []
  const found = (finding: Finding) => {
    findings.push(finding)
    onFinding?.(finding)
  }
  return {
    findings,
    deadlines,
    tell: (check: string, fault: string | undefined, seen: string) =>
      found(fault === undefined ? { check, verdict: 'ok', said: seen } : { check, verdict: 'fail', said: `${seen}: ${fault}` }),
    skip: (check: string, said: string) => found({ check, verdict: 'skipped', said }),
    call: (method: 'GET' | 'POST' | 'DELETE', path: string, id: string, body?: object, { at, ...other }: Forgery = {}) => {
      const deadline = path === '/availability' ? deadlines.availability : deadlines.decision
      const sent = { ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...(at === undefined ? {} : { at }) }
      return callSeller(outbound, { base_url, secret, ...other }, { method, path, id, deadline, ...sent })
    },
  }
}

const DEADLINES = { decision: 10_000, availability: 3_000 }

/** Uses new orders and holds, so a server that accepts a forged request does not decide the order that later checks compare. */
async function checkForgeries({ call, tell }: Probe, order: Order): Promise<void> {
  for (const { check, what, more } of FORGED) {
    const forged = askedOrder()
    const hold = aHoldRequest()
    const calls = [
      ['POST', '/decisions', forged],
      ['GET', `/decisions/${order.order_id}`],
      ['POST', '/availability', { order_id: forged.order_id, lines: linesOf(forged) }],
      ['POST', '/holds', hold],
      ['DELETE', `/holds/${hold.hold_id}`],
    ] as const
    let taken: string | undefined
    for (const [method, path, body] of calls) {
      const answer = await call(method, path, `${forged.order_id}:forged`, body, more())
      if (isTaken(answer)) taken ??= `${method} ${path.replace(/\/(ord|hold)_\w+$/, '/{id}')} ${seenOf(answer)}`
    }
    tell(check, taken && `answer 401 to ${what}`, taken ?? 'refused by every operation')
  }
}

const FORGED: readonly { check: string; what: string; more: () => Forgery }[] = [
  {
    check: 'a wrong signature is refused',
    what: 'a request signed with another secret, before parsing it',
    more: () => ({ secret: `whsec_${Buffer.from('somebody else').toString('base64')}` }),
  },
  {
    check: 'a replayed request is refused',
    what: 'a signature older than five minutes',
    more: () => ({ at: Math.floor(Date.now() / 1_000) - 3_600 }),
  },
]

async function checkDecision({ call, tell, skip, deadlines }: Probe, order: Order, first: SellerAnswer, patience: number): Promise<void> {
  const id = `${order.order_id}:decision`
  const poll = () => call('GET', `/decisions/${order.order_id}`, id)
  const unusable = faultOfDecision(first, order, deadlines.decision)
  tell(DECISION, unusable, seenOf(first))
  if (unusable !== undefined) for (const check of [ONCE, POLLED]) skip(check, 'not checked: there was no decision to compare')
  else {
    const decided = isStatus(first, 200) ? first : await laterOf(poll, patience)
    if (decided === undefined) skip(ONCE, `still 202 after ${patience / 1_000} s; run again with a server that decides faster`)
    else {
      const again = await call('POST', '/decisions', id, order)
      const same = isStatus(again, 202) || isDeepStrictEqual(bodyOf(again), bodyOf(decided))
      const unlike = same ? undefined : 'give the same order the same answer: the platform asks again if an answer is lost'
      tell(ONCE, faultOfDecision(decided, order, deadlines.decision) ?? unlike, `${seenOf(decided)}, then ${seenOf(again)}`)
    }
    const polled = await poll()
    const same = decided === undefined || isDeepStrictEqual(bodyOf(polled), bodyOf(decided))
    const unlike = same ? undefined : 'answer GET /decisions/{order_id} with the decision of the order'
    tell(POLLED, faultOfDecision(polled, order, deadlines.decision) ?? unlike, seenOf(polled))
  }
  const stranger = askedOrder().order_id
  const unknown = await call('GET', `/decisions/${stranger}`, `${stranger}:decision`)
  tell(UNKNOWN, isStatus(unknown, 404) ? undefined : 'answer 404: the platform then sends the order again', seenOf(unknown))
}

/** Polls until the answer is no longer 202; undefined if it still is at the end. */
async function laterOf(poll: () => Promise<SellerAnswer>, patience: number): Promise<SellerAnswer | undefined> {
  const until = Date.now() + patience
  for (;;) {
    const answer = await poll()
    if (!isStatus(answer, 202)) return answer
    if (Date.now() >= until) return undefined
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, patience)))
  }
}

async function checkAvailability({ call, tell, skip, deadlines }: Probe, order: Order): Promise<void> {
  const { order_id } = order
  const answer = await call('POST', '/availability', `${order_id}:availability`, { order_id, lines: linesOf(order) })
  if (isStatus(answer, 404)) skip(AVAILABILITY, '404: do not declare realtime_availability')
  else tell(AVAILABILITY, faultOfAvailability(answer, order, deadlines.availability), seenOf(answer))
}

async function checkHold({ call, tell, skip }: Probe): Promise<void> {
  const hold = aHoldRequest()
  const held = await call('POST', '/holds', `${hold.hold_id}:hold`, hold)
  if (isStatus(held, 404)) return skip(HOLD, '404: do not declare holds, or let the platform alone keep them')
  const release = () => call('DELETE', `/holds/${hold.hold_id}`, `${hold.hold_id}:release`)
  const released = await release()
  const repeated = await release()
  const answered = [held, released, repeated].every((answer) => isYesOrNo(answer) && !isStatus(answer, 401))
  tell(
    HOLD,
    answered ? undefined : 'answer 2xx (or 4xx to refuse) to a hold, and 2xx or 404 to its release, including a repeated one',
    `hold ${seenOf(held)}, release ${seenOf(released)}, repeated release ${seenOf(repeated)}`,
  )
}

const DECISION = 'a decision or a 202 comes in time'
const ONCE = 'an order is decided only once'
const POLLED = 'a decision can be polled'
const UNKNOWN = 'an unknown order is answered 404'
const AVAILABILITY = 'availability by line comes in time'
const HOLD = 'a hold is kept and released'
const FURTHER_CHECKS = [ONCE, POLLED, UNKNOWN, ...FORGED.map(({ check }) => check), AVAILABILITY, HOLD]
