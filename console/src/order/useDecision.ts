import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { serverNow } from '../api/clock.ts'
import { isRefusal } from '../api/fault.ts'
import { useDownSince } from '../api/health.ts'
import { type Decide, type DecidePreview, decideOrder, decisionPreview, type Order, rereadOrder } from '../api/queries/orders.ts'
import { useSession } from '../api/session.ts'
import { useDraft } from '../ui/drafts.ts'
import { isConflict } from './ConflictNote.tsx'
import {
  choicesByLine,
  counterDraft,
  type DecisionDraft,
  decideBody,
  type Effect,
  EMPTY_DECISION,
  effectOf,
  type LineDraft,
} from './decision.ts'
import { openAsks } from './rounds.ts'

export interface Decision {
  readonly draft: DecisionDraft
  readonly effect: Effect
  readonly preview: Preview
  readonly error: unknown
  /** The decision that the API refused because the order had changed. */
  readonly refused: Refused | undefined
  readonly isSending: boolean
  /** Whether the decision can be sent: it has no faults, the preview did not refuse it, and the API is up. */
  readonly isSendable: boolean
  /** Whether the order has changed since the user began to choose; the user must see the change before sending. */
  readonly isStale: boolean
  /** Keeps the choices and applies them to the current state of the order. */
  proceed(): void
  setLine(unitId: string, line: LineDraft): void
  /** Makes the same choice for every open line. */
  setAll(action: LineDraft['action']): void
  setReason(reason: string): void
  send(): void
}

/** The API's prediction of what the decision would do, or its reason for refusing. */
export interface Preview {
  readonly reply: DecidePreview | undefined
  readonly refusal: unknown
}

/** A decision that the API refused whole because the order had changed: what was tried, and the choice for each line. */
export interface Refused {
  readonly tried: string
  readonly lines: ReturnType<typeof choicesByLine>
}

interface Outcomes {
  readonly onSent?: () => void
  /** Called when the order has changed, for a screen that reports this outside the order too. */
  readonly onRefused?: (refused: Refused) => void
}

/** Holds a seller's decision on an order: drafts it, previews its effect and sends it. */
export function useDecision(order: Order, { onSent, onRefused }: Outcomes = {}): Decision {
  const { entity, side, name } = useSession()
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const [draft, setDraft] = useDraft(`${side}:${entity}`, `decide:${order.order_id}`, EMPTY_DECISION)
  const effect = effectOf(order, draft)
  const preview = usePreview(order, draft, effect)
  const bodyOf = useFrozenBody()
  const sending = useMutation({
    mutationFn: (_: Refused) => decideOrder({ orderId: order.order_id, lastSeq: seenSeq(order, draft), body: bodyOf(order, draft, name) }),
    onSuccess: () => {
      setDraft(undefined)
      onSent?.()
    },
    onError: (error, said) => {
      if (isConflict(error)) onRefused?.(said)
    },
    onSettled: () => rereadOrder(queries, order.order_id),
  })
  const isStale = seenSeq(order, draft) !== order.last_seq && order.allowed_actions.includes('decide') && !sending.isPending
  const isReady = effect.decision !== undefined && effect.faults.length === 0 && !preview.refusal && !isStale
  const put = (next: Partial<DecisionDraft>) => setDraft({ ...draft, seq: seenSeq(order, draft), ...next })
  return {
    draft,
    effect,
    preview,
    error: isConflict(sending.error) ? null : sending.error,
    refused: isConflict(sending.error) ? sending.variables : undefined,
    isSending: sending.isPending,
    isSendable: isReady && !isDown,
    isStale,
    proceed: () => {
      put({ seq: order.last_seq })
      sending.reset()
    },
    setLine: (unitId, line) => put({ lines: { ...draft.lines, [unitId]: line } }),
    setAll: (action) => put({ lines: Object.fromEntries(openAsks(order).map((line) => [line.unit_id, choose(line, action)])) }),
    setReason: (reason) => put({ reason }),
    send: () => {
      if (isReady && !isDown && !sending.isPending) sending.mutate({ tried: effect.text, lines: choicesByLine(order, draft) })
    },
  }
}

/** Returns the state that a decision is about: the state in which the user began to choose, or else the current one. */
function seenSeq(order: Order, draft: DecisionDraft): number {
  return draft.seq ?? order.last_seq
}

export function choose(line: Order['line_items'][number], action: LineDraft['action']): LineDraft {
  return action === 'counter' ? counterDraft(line) : { action }
}

const TYPING_MS = 250

/** Asks the API for a preview of the draft when the user stops typing. */
function usePreview(order: Order, draft: DecisionDraft, effect: Effect): Preview {
  const { name } = useSession()
  const text = JSON.stringify({ lines: draft.lines })
  const [typed] = useDebouncedValue(text, TYPING_MS, { leading: true })
  const isWhole = typed === text && effect.decision !== undefined && effect.faults.length === 0 && order.allowed_actions.includes('decide')
  const body = useMemo(
    () => (isWhole ? decideBody(order, { ...EMPTY_DECISION, ...(JSON.parse(typed) as DecisionDraft) }, name, serverNow()) : undefined),
    [isWhole, order, typed, name],
  )
  const asked = decisionPreview({ orderId: order.order_id, lastSeq: order.last_seq, body: body ?? { decision: 'reject', actor: name } })
  const { data, error } = useQuery({ ...asked, enabled: body !== undefined, retry: false })
  if (body === undefined) return { reply: undefined, refusal: undefined }
  // A conflict is left to the reply to the decision, which also says who was faster.
  return { reply: data, refusal: isRefusal(error) && !isConflict(error) ? error : undefined }
}

/** Returns the body of a decision; the same draft and state always give the same bytes, so that sending it again is an exact repeat. */
function useFrozenBody(): (order: Order, draft: DecisionDraft, actor: string) => Decide {
  const last = useRef<{ readonly of: string; readonly body: Decide }>(undefined)
  return (order, draft, actor) => {
    const of = JSON.stringify([order.order_id, seenSeq(order, draft), draft, actor])
    if (last.current?.of !== of) last.current = { of, body: decideBody(order, draft, actor, serverNow()) }
    return last.current.body
  }
}
