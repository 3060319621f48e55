import { isDeepStrictEqual } from 'node:util'
import type { SellerAnswer } from '../../operations/pull/callSeller.ts'
import type { Suite } from '../runSuite.ts'
import { type Holds, NotApplicable, NotHeld, type Story } from '../story.ts'
import { bodyOf, connectionFault, faultOfAvailability, faultOfDecision, isStatus, isTaken, isYesOrNo, seenOf } from './answerFaults.ts'
import { aHoldRequest, askedOrder, linesOf } from './asked.ts'
import { type Forgery, openProbe, type Probe, type PullTarget } from './probe.ts'

/**
 * Calls a seller's server as the platform does, and as an attacker or an unreliable network would (choices, Sellers' own APIs). The orders are
 * fictitious, so run this against a server whose decisions book nothing.
 */
export function pullSuite(target: PullTarget): Suite<Probe> {
  return { name: 'pull', target: target.base_url, stories: STORIES, world: openProbe(target) }
}

const LINK = 'docs/contract/levels.md#pull-connection'

const STORIES: readonly Story<Probe>[] = [
  { id: 'pull.decides', title: 'A decision or a 202 comes in time.', link: LINK, run: decides },
  { id: 'pull.once', title: 'An order is decided only once.', link: LINK, run: reachedFirst(decidesOnce) },
  { id: 'pull.polled', title: 'A decision can be polled.', link: LINK, run: reachedFirst(isPolled) },
  { id: 'pull.unknown', title: 'An unknown order is answered 404.', link: LINK, run: reachedFirst(knowsNoStranger) },
  {
    id: 'pull.signature',
    title: 'Deliveries are authenticated by signature: a wrong one is refused.',
    link: LINK,
    run: reachedFirst((probe, holds) =>
      refusesForged(probe, holds, 'a request signed with another secret, before parsing it', () => ({
        secret: `whsec_${Buffer.from('somebody else').toString('base64')}`,
      })),
    ),
  },
  {
    id: 'pull.replayed',
    title: 'The receiver must reject stale timestamps.',
    link: LINK,
    run: reachedFirst((probe, holds) =>
      refusesForged(probe, holds, 'a signature older than five minutes', () => ({ at: Math.floor(Date.now() / 1_000) - 3_600 })),
    ),
  },
  { id: 'pull.availability', title: 'Availability by line comes in time.', link: LINK, run: reachedFirst(answersAvailability) },
  { id: 'pull.holds', title: 'A hold is kept and released.', link: LINK, run: reachedFirst(keepsHolds) },
]

function reachedFirst(run: Story<Probe>['run']): Story<Probe>['run'] {
  return async (probe, holds) => {
    await probe.reached()
    return run(probe, holds)
  }
}

/** Fails with what was seen and what to change, if anything is wrong. */
function refuse(seen: string, fault: string | undefined): void {
  if (fault !== undefined) throw new NotHeld(seen, fault)
}

async function decides(probe: Probe, holds: Holds): Promise<void> {
  const { order, deadlines } = probe
  await holds('POST /decisions is answered with the body of a decision, or 202', async () => {
    const answer = await probe.first()
    refuse(seenOf(answer), connectionFault(answer, deadlines.decision) ?? faultOfDecision(answer, order, deadlines.decision))
  })
}

/** The decision of the first order, once it is made; undefined if it takes longer than the patience. Not applicable without a usable answer. */
async function decisionOf(probe: Probe): Promise<SellerAnswer | undefined> {
  const { order, deadlines } = probe
  const answer = await probe.first()
  if (faultOfDecision(answer, order, deadlines.decision) !== undefined) {
    throw new NotApplicable('not checked: there was no decision to compare')
  }
  return isStatus(answer, 200) ? answer : laterOf(() => polled(probe), probe.patience)
}

function polled({ order, call }: Probe): Promise<SellerAnswer> {
  return call('GET', `/decisions/${order.order_id}`, `${order.order_id}:decision`)
}

async function decidesOnce(probe: Probe, holds: Holds): Promise<void> {
  const { order, deadlines, patience, call } = probe
  const decided = await decisionOf(probe)
  if (decided === undefined) {
    throw new NotApplicable(`still 202 after ${patience / 1_000} s; run again with a server that decides faster`)
  }
  await holds('the same order again gets the same answer', async () => {
    const again = await call('POST', '/decisions', `${order.order_id}:decision`, order)
    const same = isStatus(again, 202) || isDeepStrictEqual(bodyOf(again), bodyOf(decided))
    const unlike = same ? undefined : 'give the same order the same answer: the platform asks again if an answer is lost'
    refuse(`${seenOf(decided)}, then ${seenOf(again)}`, faultOfDecision(decided, order, deadlines.decision) ?? unlike)
  })
}

async function isPolled(probe: Probe, holds: Holds): Promise<void> {
  const { order, deadlines } = probe
  const decided = await decisionOf(probe)
  await holds('GET /decisions/{order_id} is answered with the decision of the order', async () => {
    const answer = await polled(probe)
    const same = decided === undefined || isDeepStrictEqual(bodyOf(answer), bodyOf(decided))
    const unlike = same ? undefined : 'answer GET /decisions/{order_id} with the decision of the order'
    refuse(seenOf(answer), faultOfDecision(answer, order, deadlines.decision) ?? unlike)
  })
}

async function knowsNoStranger({ call }: Probe, holds: Holds): Promise<void> {
  const stranger = askedOrder().order_id
  await holds('GET /decisions/{order_id} of an order that was never sent is 404', async () => {
    const answer = await call('GET', `/decisions/${stranger}`, `${stranger}:decision`)
    refuse(seenOf(answer), isStatus(answer, 404) ? undefined : 'answer 404: the platform then sends the order again')
  })
}

/** Uses new orders and holds, so a server that accepts a forged request does not decide the order that other stories compare. */
async function refusesForged({ order, call }: Probe, holds: Holds, what: string, forgery: () => Forgery): Promise<void> {
  const forged = askedOrder()
  const hold = aHoldRequest()
  const calls = [
    ['POST', '/decisions', forged],
    ['GET', `/decisions/${order.order_id}`],
    ['POST', '/availability', { order_id: forged.order_id, lines: linesOf(forged) }],
    ['POST', '/holds', hold],
    ['DELETE', `/holds/${hold.hold_id}`],
  ] as const
  for (const [method, path, body] of calls) {
    const shown = `${method} ${path.replace(/\/(ord|hold)_\w+$/, '/{id}')}`
    await holds(`${shown} refuses ${what}`, async () => {
      const answer = await call(method, path, `${forged.order_id}:forged`, body, forgery())
      refuse(`${shown} ${seenOf(answer)}`, isTaken(answer) ? `answer 401 to ${what}` : undefined)
    })
  }
}

async function answersAvailability({ order, deadlines, call }: Probe, holds: Holds): Promise<void> {
  const { order_id } = order
  await holds('POST /availability is answered by line', async () => {
    const answer = await call('POST', '/availability', `${order_id}:availability`, { order_id, lines: linesOf(order) })
    if (isStatus(answer, 404)) throw new NotApplicable('404: do not declare realtime_availability')
    refuse(seenOf(answer), faultOfAvailability(answer, order, deadlines.availability))
  })
}

async function keepsHolds({ call }: Probe, holds: Holds): Promise<void> {
  const hold = aHoldRequest()
  await holds('POST /holds is answered, and so is its release, also a repeated one', async () => {
    const held = await call('POST', '/holds', `${hold.hold_id}:hold`, hold)
    if (isStatus(held, 404)) throw new NotApplicable('404: do not declare holds, or let the platform alone keep them')
    const release = () => call('DELETE', `/holds/${hold.hold_id}`, `${hold.hold_id}:release`)
    const released = await release()
    const repeated = await release()
    const answered = [held, released, repeated].every((answer) => isYesOrNo(answer) && !isStatus(answer, 401))
    refuse(
      `hold ${seenOf(held)}, release ${seenOf(released)}, repeated release ${seenOf(repeated)}`,
      answered ? undefined : 'answer 2xx (or 4xx to refuse) to a hold, and 2xx or 404 to its release, including a repeated one',
    )
  })
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
