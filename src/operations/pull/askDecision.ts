import type { Outbound } from '../../adapters/http/outboundCall.ts'
import { dropAbsentNulls } from '../../contract/absentNulls.ts'
import { DecideOrder } from '../../contract/decideOrder.ts'
import { faultsOf } from '../../contract/errorEnvelope.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { readSnapshot } from '../../store/orders/orderReads.ts'
import { noteRemoteRequest, type RemoteRequest, readRemoteRequest } from '../../store/orders/remoteAsks.ts'
import { decideOrder } from '../orders/decideOrder.ts'
import { callSeller, type SellerAnswer } from './callSeller.ts'
import { type ConnectionDeps, sellerConnection } from './sellerConnection.ts'
import type { SellerPermits } from './sellerPermits.ts'

export interface AskDecisionDeps extends ConnectionDeps {
  log: OrderLog
  outbound: Outbound
  sellerPermits: SellerPermits
}

/**
 * The result of one request: `over` if nothing is left to ask, or the pause before the next try. `answer` is a word for operators, and `failed` is
 * true if something is wrong with the seller's API or its connection.
 */
export type Asked = 'over' | { answer: string; failed: boolean; pause_ms: number }

/**
 * Asks the seller's own API once to decide an order that waits for it (choices, Sellers' own APIs). Only a valid answer decides, through the same
 * command as every gate and under one command id. Any other outcome parks the order with a reason or is retried. `attempt` counts from 1.
 */
export async function askDecision(deps: AskDecisionDeps, orderId: string, attempt = 1): Promise<Asked> {
  const { db } = deps
  const request = await readRemoteRequest(db, orderId)
  if (request === undefined || !request.waits) return 'over'
  const connection = await sellerConnection(deps, request.seller, request.profile, ({ approval }) => approval === 'pull')
  if (typeof connection === 'string') return note(deps, orderId, request, { stuck: connection })
  const answer = await deps.sellerPermits.run(request, PERMIT_PATIENCE_MS, async () => {
    const id = `${orderId}:decision`
    if (request.accepted) {
      return callSeller(deps.outbound, connection, { method: 'GET', path: `/decisions/${orderId}`, id, deadline: DEADLINE_MS })
    }
    const body = (await readSnapshot(db, { entity: request.seller, side: 'seller' }, orderId, new Date().toISOString())) ?? ''
    return callSeller(deps.outbound, connection, { method: 'POST', path: '/decisions', id, body, deadline: DEADLINE_MS })
  })
  // The seller was not called, so nothing is recorded. The pause grows: orders that wait for an unreachable seller cost every tenant.
  if (answer === 'permits_taken') return { answer, failed: false, pause_ms: pauseAfter(attempt) / 4 }
  return judge(deps, orderId, request, answer)
}

/** Milliseconds for one call, and for a turn for a permit of the seller's. */
const DEADLINE_MS = 10_000
const PERMIT_PATIENCE_MS = 5_000

async function judge(deps: AskDecisionDeps, orderId: string, request: RemoteRequest, answer: SellerAnswer): Promise<Asked> {
  if ('unreachable' in answer) return note(deps, orderId, request, { unreachable: answer.unreachable })
  if ('unusable' in answer) return note(deps, orderId, request, { stuck: `unusable_answer:${answer.unusable}` })
  const { status, body } = answer
  if (status === 202) return note(deps, orderId, request, { accepted: true })
  // A 404 means that the server has forgotten the order, so the next try sends it again.
  if (status !== 200)
    return note(deps, orderId, request, { stuck: `unexpected_status_${status}`, accepted: request.accepted && status !== 404 })
  dropAbsentNulls(DecideOrder, body)
  const read = DecideOrder.safeParse(body)
  if (!read.success) {
    const [fault] = faultsOf(DecideOrder, read.error.issues, body)
    return note(deps, orderId, request, { stuck: unusable(fault?.field) })
  }
  try {
    const command = { id: `order:${orderId}:pull`, wake: false }
    await decideOrder(deps, orderId, command, { gate: 'pull', request: read.data, asked_at_seq: request.last_seq })
    return 'over'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return note(deps, orderId, request, { stuck: unusable(error.details.field) })
  }
}

function unusable(field: unknown): string {
  return `unusable_answer:${typeof field === 'string' ? field.slice(0, 80) : 'body'}`
}

/** The outcome of a request that brought no decision. */
interface Noted {
  stuck?: string
  unreachable?: string
  accepted?: boolean
}

async function note(
  { db }: AskDecisionDeps,
  orderId: string,
  request: RemoteRequest,
  { stuck, unreachable, accepted = request.accepted }: Noted,
): Promise<Asked> {
  const asks = request.asks + 1
  const missed = unreachable === undefined ? 0 : request.unreachable + 1
  // One or two failures are normal on a network.
  const reason = stuck ?? (missed >= MISSED_IN_A_ROW ? `unreachable:${unreachable}` : null)
  await noteRemoteRequest({ pool: db.pool }, orderId, { accepted, asks, unreachable: missed }, reason)
  const failure = stuck ?? (unreachable === undefined ? undefined : `unreachable:${unreachable}`)
  return { answer: failure ?? 'will_decide_later', failed: failure !== undefined, pause_ms: pauseAfter(asks) }
}

const MISSED_IN_A_ROW = 3

/** 30 s, doubling to 10 min (choices, Sellers' own APIs). */
function pauseAfter(asks: number): number {
  return Math.min(30_000 * 2 ** Math.min(asks - 1, 10), 600_000)
}
