import { isDeepStrictEqual } from 'node:util'
import type { Outbound } from '../../adapters/outboundCall.ts'
import { callSeller, type SellerAnswer, type SellerConnection } from '../callSeller.ts'
import { bodyOf, faultOfAvailability, faultOfDecision, faultOfDoor, isStatus, isTaken, isYesOrNo, seenOf } from './answerFaults.ts'
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
  /** Told of each finding as it comes: a server that takes its time is no reason to be silent. */
  onFinding?: (finding: Finding) => void
}

/**
 * Calls a seller's server as the platform does, and as an attacker and an unlucky network would, and answers what it found (choices,
 * Sellers' own APIs). The order that it asks about is made up: run it against a server whose decisions book nothing.
 */
export async function conformPull({ patience = 15_000, ...options }: ConformOptions): Promise<Finding[]> {
  const probe = openProbe(options)
  const order = askedOrder()
  const first = await probe.call('POST', '/decisions', `${order.order_id}:decision`, order)
  const shut = faultOfDoor(first, probe.deadlines.decision)
  if (shut === undefined) {
    await checkDecision(probe, order, first, patience)
    await checkForgeries(probe, order)
    await checkAvailability(probe, order)
    await checkHold(probe)
  } else {
    probe.tell(DECISION, shut, seenOf(first))
    for (const check of AFTER_THE_DOOR) probe.skip(check, 'not asked')
  }
  return probe.findings
}

type Order = ReturnType<typeof askedOrder>
/** How a call differs from the platform's own. */
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

/** Who is asking? With orders and holds of their own, so that a server which answers nevertheless has not decided the one that is compared. */
async function checkForgeries({ call, tell }: Probe, order: Order): Promise<void> {
  for (const { check, what, more } of FORGED) {
    const forged = askedOrder()
    const hold = aHoldAsk()
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
    tell(check, taken && `answer 401 to ${what}`, taken ?? 'refused everywhere')
  }
}

const FORGED: readonly { check: string; what: string; more: () => Forgery }[] = [
  {
    check: 'a wrong signature is refused',
    what: 'a request that another secret signed, before anything is parsed',
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
  if (unusable !== undefined) for (const check of [ONCE, POLLED]) skip(check, 'there was no decision to compare')
  else {
    const decided = isStatus(first, 200) ? first : await laterOf(poll, patience)
    if (decided === undefined) skip(ONCE, `still 202 after ${patience / 1_000} s; run again with a shorter decision`)
    else {
      const again = await call('POST', '/decisions', id, order)
      const same = isStatus(again, 202) || isDeepStrictEqual(bodyOf(again), bodyOf(decided))
      const anew = same ? undefined : 'answer the same order as before: an answer may be lost on its way'
      tell(ONCE, faultOfDecision(decided, order, deadlines.decision) ?? anew, `${seenOf(decided)}, then ${seenOf(again)}`)
    }
    const polled = await poll()
    const same = decided === undefined || isDeepStrictEqual(bodyOf(polled), bodyOf(decided))
    const unlike = same ? undefined : 'answer GET /decisions/{order_id} as the order was decided'
    tell(POLLED, faultOfDecision(polled, order, deadlines.decision) ?? unlike, seenOf(polled))
  }
  const stranger = askedOrder().order_id
  const unknown = await call('GET', `/decisions/${stranger}`, `${stranger}:decision`)
  tell(UNKNOWN, isStatus(unknown, 404) ? undefined : 'answer 404: the platform asks anew then', seenOf(unknown))
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

async function checkAvailability({ call, tell, skip, deadlines }: Probe, order: Order): Promise<void> {
  const { order_id } = order
  const answer = await call('POST', '/availability', `${order_id}:availability`, { order_id, lines: linesOf(order) })
  if (isStatus(answer, 404)) skip(AVAILABILITY, '404: leave realtime_availability undeclared')
  else tell(AVAILABILITY, faultOfAvailability(answer, order, deadlines.availability), seenOf(answer))
}

async function checkHold({ call, tell, skip }: Probe): Promise<void> {
  const hold = aHoldAsk()
  const held = await call('POST', '/holds', `${hold.hold_id}:hold`, hold)
  if (isStatus(held, 404)) return skip(HOLD, '404: leave holds undeclared, or have the platform alone keep them')
  const release = () => call('DELETE', `/holds/${hold.hold_id}`, `${hold.hold_id}:release`)
  const released = await release()
  const repeated = await release()
  const answered = [held, released, repeated].every((answer) => isYesOrNo(answer) && !isStatus(answer, 401))
  tell(
    HOLD,
    answered ? undefined : 'answer 2xx (or 4xx to refuse) to a hold, and 2xx or 404 to its end, also the second time',
    `${seenOf(held)}, released with ${seenOf(released)}, and again with ${seenOf(repeated)}`,
  )
}

const DECISION = 'a decision, or "later", in time'
const ONCE = 'the same order is decided once'
const POLLED = 'a decision can be polled for'
const UNKNOWN = 'an order that is not known is 404'
const AVAILABILITY = 'availability, line by line, in time'
const HOLD = 'a hold is kept and released'
const AFTER_THE_DOOR = [ONCE, POLLED, UNKNOWN, ...FORGED.map(({ check }) => check), AVAILABILITY, HOLD]
