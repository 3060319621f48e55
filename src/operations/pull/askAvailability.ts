import type { Outbound } from '../../adapters/http/outboundCall.ts'
import { dropAbsentNulls } from '../../contract/absentNulls.ts'
import { AvailabilityAnswer, type AvailabilityRequest } from '../../contract/pullApi.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { readConformance } from '../../store/tenants/sellers.ts'
import { callSeller } from './callSeller.ts'
import { type ConnectionDeps, sellerConnection } from './sellerConnection.ts'
import type { SellerPermits } from './sellerPermits.ts'

export interface AskAvailabilityDeps extends ConnectionDeps {
  outbound: Outbound
  sellerPermits: SellerPermits
}

export type LiveAvailability = AvailabilityAnswer['lines']

/**
 * Asks a seller's own API once, within three seconds in all, whether it has inventory for an order's lines. Returns a word for operators if
 * there is no usable answer; the published state then applies (choices, Sellers' own APIs).
 */
export async function askAvailability(deps: AskAvailabilityDeps, order: OrderState): Promise<LiveAvailability | string> {
  const { seller } = order.request
  const { profile } = await readConformance(deps.db, seller)
  const connection = await sellerConnection(deps, seller, profile, (declared) => declared.realtime_availability)
  if (typeof connection === 'string') return connection
  const { order_id } = order.facts
  const lines = order.lines.map(({ unit_id, product_id, period, units, hold_id }) => {
    return { unit_id, product_id, period, units, ...(hold_id === undefined ? {} : { hold_id }) }
  })
  const body = JSON.stringify({ order_id, lines } satisfies AvailabilityRequest)
  const until = Date.now() + IN_ALL_MS
  const answer = await deps.sellerPermits.run({ seller, buyer: order.facts.buyer_entity, profile }, IN_ALL_MS, () =>
    callSeller(deps.outbound, connection, {
      method: 'POST',
      path: '/availability',
      id: `${order_id}:availability`,
      body,
      deadline: Math.max(until - Date.now(), 1),
    }),
  )
  if (answer === 'permits_taken') return answer
  if ('unreachable' in answer) return `unreachable:${answer.unreachable}`
  if ('unusable' in answer) return `unusable_answer:${answer.unusable}`
  if (answer.status !== 200) return `unexpected_status_${answer.status}`
  dropAbsentNulls(AvailabilityAnswer, answer.body)
  const read = AvailabilityAnswer.safeParse(answer.body)
  return read.success && answersEach(lines, read.data.lines) ? read.data.lines : 'unusable_answer:lines'
}

const IN_ALL_MS = 3_000

/** Returns true if every answered line is a line of the order and none is repeated. */
function answersEach(asked: readonly { unit_id: string }[], answered: LiveAvailability): boolean {
  const ids = new Set(answered.map(({ unit_id }) => unit_id))
  return ids.size === answered.length && answered.every(({ unit_id }) => asked.some((line) => line.unit_id === unit_id))
}
