import { useQueries, useQueryClient } from '@tanstack/react-query'
import { isRefusal } from '../../api/fault.ts'
import { type Decide, decisionPreviewInTurn, type OrderRow, rereadOrder } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { submit } from '../../order/outbox.ts'
import { countText, moneyText } from '../../ui/Money.tsx'

export interface BulkDecision {
  readonly decision: 'approve' | 'reject'
  readonly reason: string
}

const WORDS = { approve: ['Approves', 'Approved'], reject: ['Rejects', 'Rejected'] } as const

/** Returns the function that takes a decision on many orders to send, each in the state that the user saw. */
export function useBulkSubmit(): (orders: readonly OrderRow[], decision: BulkDecision) => boolean {
  const { name } = useSession()
  const queries = useQueryClient()
  return (orders, { decision, reason }) => {
    const body = bodyOf({ decision, reason }, name)
    const [will, done] = WORDS[decision]
    const of = `${countText(orders.length, 'order')}, ${sumText(orders)}`
    const tried = `${decision} the whole order`
    return submit({
      will: `${will} ${of}`,
      done: `${done} ${of}`,
      isBulk: true,
      commands: orders.map((order) => ({ order, lastSeq: order.last_seq, body, tried, meant: decision, lines: [] })),
      onSettled: (ids) => void Promise.all(ids.map((id) => rereadOrder(queries, id))),
    })
  }
}

function bodyOf({ decision, reason }: BulkDecision, actor: string): Decide {
  return { decision, actor, ...(reason.trim() !== '' && { reason: reason.trim() }) }
}

/** The gross of orders, by currency: `USD 12,600.00, CAD 900.00`. */
export function sumText(orders: readonly OrderRow[]): string {
  const sums = new Map<string, number>()
  for (const { totals } of orders) sums.set(totals.currency, (sums.get(totals.currency) ?? 0) + totals.gross)
  return [...sums].map(([currency, sum]) => moneyText(Math.round(sum * 100) / 100, currency)).join(', ')
}

export interface Verdicts {
  readonly asked: number
  readonly answered: number
  /** The orders that the API would refuse to decide like this, and why. */
  readonly refused: readonly { readonly order: OrderRow; readonly why: string }[]
}

/** The most orders whose decision is tried before it is sent. */
const MAX_TRIED = 100

/** Asks the API what it would make of the decision, order by order. */
export function useVerdicts(orders: readonly OrderRow[], decision: BulkDecision['decision']): Verdicts {
  const { name } = useSession()
  const asked = orders.slice(0, MAX_TRIED)
  const replies = useQueries({
    queries: asked.map(({ order_id, last_seq }) =>
      decisionPreviewInTurn({ orderId: order_id, lastSeq: last_seq, body: bodyOf({ decision, reason: '' }, name) }),
    ),
  })
  return {
    asked: asked.length,
    answered: replies.filter(({ isPending }) => !isPending).length,
    refused: asked.flatMap((order, index) => {
      const error = replies[index]?.error
      return error && isRefusal(error) ? [{ order, why: error.message }] : []
    }),
  }
}
