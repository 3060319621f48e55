import { ApplicationFailure } from '@temporalio/activity'
import type { DocumentActivities } from '../../activities/documents.ts'
import type { OrderActivities } from '../../activities/orders.ts'
import type { Looked, OrderHead } from '../../src/domain/order/head.ts'

export interface FakeLog {
  activities: OrderActivities
  /** The reader of documents, which finds lines in every one. */
  documents: DocumentActivities
  /** The steps that were taken for an order, in order. */
  stepsOf(orderId: string): string[]
  read(orderId: string): OrderHead
  count(): number
  put(order: Partial<OrderHead> & { order_id: string }): OrderHead
  /** Like a decision or a cancel: a new event, and settlement is due again. A counter's quote is valid until `quoteUntil`. */
  move(orderId: string, status: OrderHead['status'], quoteUntil?: string | null): void
  /** The next steps of this order fail, so many times: unless it is an outage they are not tried again within the step. */
  breakFor(orderId: string, times: number, reason?: string, isFinal?: boolean): void
  /** The seller has rules: they decide this order so, or hold it when they give it no status. */
  ruled(orderId: string, status?: OrderHead['status']): void
  /** The log's clock is behind that of the workflow: so many times it finds that no quote has lapsed. */
  lagFor(orderId: string, times: number): void
  /** The order moves while the next step closes it, which therefore leaves it open. */
  moveDuringClose(orderId: string, status: OrderHead['status']): void
  /** Called when a step of the order begins, which waits for it. */
  onStep(orderId: string, listener: (step: string) => unknown): void
}

/** The log as the workflow sees it, in memory. Validation sends an order to its seller, who has until `decideBy()`. */
export function fakeLog(decideBy: () => string | null): FakeLog {
  const orders = new Map<string, OrderHead>()
  const steps = new Map<string, string[]>()
  const moves = new Map<string, [seq: number, status: OrderHead['status']][]>()
  const broken = new Map<string, { left: number; reason: string; isFinal: boolean }>()
  const rules = new Map<string, OrderHead['status'] | undefined>()
  const behind = new Map<string, number>()
  const moving = new Map<string, OrderHead['status']>()
  const listeners = new Map<string, (step: string) => unknown>()

  const read = (orderId: string): OrderHead => {
    const order = orders.get(orderId)
    if (order === undefined) throw ApplicationFailure.nonRetryable('refused', 'NOT_FOUND')
    return order
  }
  const step = (name: string, act: (order: OrderHead, since?: number) => Partial<Looked>) => async (orderId: string, since?: number) => {
    steps.set(orderId, [...(steps.get(orderId) ?? []), name])
    await listeners.get(orderId)?.(name)
    const { left, reason, isFinal } = broken.get(orderId) ?? { left: 0, reason: OUTAGE, isFinal: false }
    broken.set(orderId, { left: left - 1, reason, isFinal })
    if (left > 0) throw ApplicationFailure.create({ message: 'away', type: reason, nonRetryable: isFinal })
    const order = { ...read(orderId) }
    const { passed, ...changed } = act(order, since)
    const after = { ...order, ...changed }
    orders.set(orderId, after)
    return passed === undefined ? after : { ...after, passed }
  }
  const close = ({ status }: OrderHead) => (CLOSED.includes(status) ? { closed: true } : {})

  return {
    documents: { parseDocument: step('parseDocument', ({ last_seq }) => ({ status: 'needs_confirmation', last_seq: last_seq + 1 })) },
    activities: {
      look: step('look', ({ order_id, last_seq }, since = last_seq) => {
        const passed = moves.get(order_id)?.flatMap(([seq, status]) => (seq > since && seq < last_seq ? [status] : [])) ?? []
        return passed.length > 0 ? { passed } : {}
      }),
      close: step('close', (order) => {
        const status = moving.get(order.order_id)
        moving.delete(order.order_id)
        return status === undefined ? close(order) : { status, last_seq: order.last_seq + 1 }
      }),
      validateUnasked: step('validateUnasked', () => ({})),
      validate: step('validate', ({ order_id, workflow, status, last_seq }) =>
        workflow === 'document' && status === 'submitted'
          ? { status: 'validating', last_seq: last_seq + 1 }
          : status === 'submitted' || status === 'confirmed'
            ? {
                status: 'seller_review',
                last_seq: last_seq + 2,
                parked_since: '2026-01-05T09:00:00.000Z',
                decide_by: decideBy(),
                gate_due: rules.has(order_id) ? 'rules' : null,
              }
            : {},
      ),
      decideByRules: step('decideByRules', ({ order_id, last_seq }) => {
        const status = rules.get(order_id)
        const decided = { status, last_seq: last_seq + 1, parked_since: null, decide_by: null, gate_due: null }
        return status === undefined ? { gate_due: null } : { ...decided, status }
      }),
      lapse: step('lapse', ({ order_id, status, substatus, last_seq }) => {
        const left = behind.get(order_id) ?? 0
        behind.set(order_id, left - 1)
        if (left > 0 || status !== 'negotiating' || substatus !== null) return {}
        return { substatus: 'quote_lapsed', last_seq: last_seq + 1, decide_by: null, due_at: null }
      }),
    },
    stepsOf: (orderId) => steps.get(orderId) ?? [],
    read,
    count: () => orders.size,
    put: (order) => {
      const whole = { ...NEW, ...order }
      orders.set(order.order_id, whole)
      return whole
    },
    move: (orderId, status, quoteUntil = null) => {
      const order = read(orderId)
      const clocks = { parked_since: null, decide_by: quoteUntil, due_at: quoteUntil }
      moves.set(orderId, [...(moves.get(orderId) ?? []), [order.last_seq + 1, status]])
      orders.set(orderId, { ...order, ...clocks, status, substatus: null, last_seq: order.last_seq + 1, closed: false })
    },
    breakFor: (orderId, left, reason = OUTAGE, isFinal = reason !== OUTAGE) => broken.set(orderId, { left, reason, isFinal }),
    ruled: (orderId, status) => rules.set(orderId, status),
    moveDuringClose: (orderId, status) => moving.set(orderId, status),
    lagFor: (orderId, times) => behind.set(orderId, times),
    onStep: (orderId, listener) => listeners.set(orderId, listener),
  }
}

const OUTAGE = 'database_unavailable'
const CLOSED: readonly string[] = ['placed', 'canceled', 'rejected', 'failed']

const NEW = {
  seller: 'seller_one',
  buyer_entity: 'buyer_one',
  workflow: 'catalog',
  status: 'submitted',
  substatus: null,
  last_seq: 1,
  parked_since: null,
  decide_by: null,
  due_at: null,
  closed: false,
  gate_due: null,
  stuck_reason: null,
} as const
