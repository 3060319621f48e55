import { useMutation, useQueryClient } from '@tanstack/react-query'
import { serverNow } from '../api/clock.ts'
import { decideOrder, type Order } from '../api/queries/orders.ts'
import { useSession } from '../api/session.ts'
import { useDraft } from '../ui/drafts.ts'
import { isConflict } from './ConflictNote.tsx'
import { counterDraft, type DecisionDraft, decideBody, type Effect, EMPTY_DECISION, effectOf, type LineDraft } from './decision.ts'
import { openAsks } from './rounds.ts'

export interface Decision {
  readonly draft: DecisionDraft
  readonly effect: Effect
  readonly error: unknown
  readonly isSending: boolean
  setLine(unitId: string, line: LineDraft): void
  /** Chooses the same for each open line. */
  setAll(action: LineDraft['action']): void
  setReason(reason: string): void
  send(): void
}

interface Outcomes {
  readonly onSent?: () => void
  /** Called with what was meant when the order has moved on meanwhile. */
  readonly onRefused?: (meant: string) => void
}

/** A seller's decision on an order: its draft, what it would do, and the sending of it. */
export function useDecision(order: Order, { onSent, onRefused }: Outcomes = {}): Decision {
  const { entity, side, name } = useSession()
  const queries = useQueryClient()
  const [draft, setDraft] = useDraft(`${side}:${entity}`, `decide:${order.order_id}`, EMPTY_DECISION)
  const effect = effectOf(order, draft)
  const sending = useMutation({
    mutationFn: () => decideOrder({ orderId: order.order_id, lastSeq: order.last_seq, body: decideBody(order, draft, name, serverNow()) }),
    onSuccess: () => {
      setDraft(undefined)
      onSent?.()
    },
    onError: (error) => {
      if (isConflict(error)) onRefused?.(effect.text)
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['order', order.order_id] }),
        queries.invalidateQueries({ queryKey: ['orders'] }),
      ]),
  })
  return {
    draft,
    effect,
    error: sending.error,
    isSending: sending.isPending,
    setLine: (unitId, line) => setDraft({ ...draft, lines: { ...draft.lines, [unitId]: line } }),
    setAll: (action) =>
      setDraft({ ...draft, lines: Object.fromEntries(openAsks(order).map((line) => [line.unit_id, choose(line, action)])) }),
    setReason: (reason) => setDraft({ ...draft, reason }),
    send: () => {
      if (effect.decision !== undefined && effect.faults.length === 0 && !sending.isPending) sending.mutate()
    },
  }
}

export function choose(line: Order['line_items'][number], action: LineDraft['action']): LineDraft {
  return action === 'counter' ? counterDraft(line) : { action }
}
