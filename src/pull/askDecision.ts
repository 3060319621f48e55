import type { Outbound } from '../adapters/outboundCall.ts'
import { DecideOrder } from '../contract/decideOrder.ts'
import { faultsOf } from '../contract/errorEnvelope.ts'
import { Refusal } from '../domain/refusal.ts'
import { decideOrder } from '../orders/decideOrder.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { readSnapshot } from '../store/orders/orderReads.ts'
import { noteRemoteAsk, type RemoteAsk, readRemoteAsk } from '../store/orders/remoteAsks.ts'
import { callSeller, type SellerAnswer } from './callSeller.ts'
import type { Lanes } from './lanes.ts'
import { type ConnectionDeps, sellerConnection } from './sellerConnection.ts'

export interface AskDecisionDeps extends ConnectionDeps {
  log: OrderLog
  outbound: Outbound
  lanes: Lanes
}

/** What one ask has come to: nothing is left to be asked, or it is asked again after a pause. `answer` is a word for operators. */
export type Asked = 'over' | { answer: string; pause_ms: number }

/**
 * Asks the seller's own API to decide an order that waits for it, once (choices, Sellers' own APIs). Nothing but a good answer decides, by the one
 * command of every gate and under one command id; whatever else comes parks the order with a reason or is tried again. `attempt` counts from 1.
 */
export async function askDecision(deps: AskDecisionDeps, orderId: string, attempt = 1): Promise<Asked> {
  const { db } = deps
  const ask = await readRemoteAsk(db, orderId)
  if (ask === undefined || !ask.waits) return 'over'
  const connection = await sellerConnection(deps, ask.seller, ask.profile, ({ approval }) => approval === 'pull')
  if (typeof connection === 'string') return note(deps, orderId, ask, { stuck: connection })
  const answer = await deps.lanes.run(ask, LANE_PATIENCE_MS, async () => {
    const id = `${orderId}:decision`
    if (ask.accepted) {
      return callSeller(deps.outbound, connection, { method: 'GET', path: `/decisions/${orderId}`, id, deadline: DEADLINE_MS })
    }
    const body = (await readSnapshot(db, { entity: ask.seller, side: 'seller' }, orderId, new Date().toISOString())) ?? ''
    return callSeller(deps.outbound, connection, { method: 'POST', path: '/decisions', id, body, deadline: DEADLINE_MS })
  })
  // Not asked: that is no answer, and changes nothing of what is known. Ever more rarely, since a crowd at a dead seller's door is work for all.
  if (answer === 'lane_full') return { answer, pause_ms: pauseAfter(attempt) / 4 }
  return judge(deps, orderId, ask, answer)
}

/** For one call; and for a turn in the seller's lane. */
const DEADLINE_MS = 10_000
const LANE_PATIENCE_MS = 5_000

async function judge(deps: AskDecisionDeps, orderId: string, ask: RemoteAsk, answer: SellerAnswer): Promise<Asked> {
  if ('unreachable' in answer) return note(deps, orderId, ask, { unreachable: answer.unreachable })
  if ('unusable' in answer) return note(deps, orderId, ask, { stuck: `unusable_answer:${answer.unusable}` })
  const { status, body } = answer
  if (status === 202) return note(deps, orderId, ask, { accepted: true })
  // A server that has forgotten what it was asked is asked anew.
  if (status !== 200) return note(deps, orderId, ask, { stuck: `unexpected_status_${status}`, accepted: ask.accepted && status !== 404 })
  const read = DecideOrder.safeParse(body)
  if (!read.success) {
    const [fault] = faultsOf(DecideOrder, read.error.issues, body)
    return note(deps, orderId, ask, { stuck: unusable(fault?.field) })
  }
  try {
    const command = { id: `order:${orderId}:pull`, wake: false }
    await decideOrder(deps, orderId, command, { gate: 'pull', ask: read.data, asked_at_seq: ask.last_seq })
    return 'over'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return note(deps, orderId, ask, { stuck: unusable(error.details.field) })
  }
}

function unusable(field: unknown): string {
  return `unusable_answer:${typeof field === 'string' ? field.slice(0, 80) : 'body'}`
}

/** What an ask has come to, other than a decision. */
interface Noted {
  stuck?: string
  unreachable?: string
  accepted?: boolean
}

async function note(
  { db }: AskDecisionDeps,
  orderId: string,
  ask: RemoteAsk,
  { stuck, unreachable, accepted = ask.accepted }: Noted,
): Promise<Asked> {
  const asks = ask.asks + 1
  const missed = unreachable === undefined ? 0 : ask.unreachable + 1
  // Once or twice is what networks do.
  const reason = stuck ?? (missed >= MISSED_IN_A_ROW ? `unreachable:${unreachable}` : null)
  await noteRemoteAsk({ pool: db.pool }, orderId, { accepted, asks, unreachable: missed }, reason)
  const answer = stuck ?? (unreachable === undefined ? 'will_decide_later' : `unreachable:${unreachable}`)
  return { answer, pause_ms: pauseAfter(asks) }
}

const MISSED_IN_A_ROW = 3

/** 30 s, doubling to 10 min (choices, Sellers' own APIs). */
function pauseAfter(asks: number): number {
  return Math.min(30_000 * 2 ** Math.min(asks - 1, 10), 600_000)
}
