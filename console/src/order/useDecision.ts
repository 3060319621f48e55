import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { serverNow } from '../api/clock.ts'
import { isRefusal } from '../api/fault.ts'
import { useDownSince } from '../api/health.ts'
import { type DecidePreview, decisionPreview, type Order, rereadOrder } from '../api/queries/orders.ts'
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
  meantBy,
  type Refused,
  saysOf,
} from './decision.ts'
import { isPending, type Sent, sentOf, submit, useIsQuiet, useSendings } from './outbox.ts'
import { openAsks } from './rounds.ts'
import { useShown } from './useShown.ts'

export interface Decision {
  readonly draft: DecisionDraft
  readonly effect: Effect
  readonly preview: Preview
  readonly error: unknown
  /** The decision that the API refused because the order had changed. */
  readonly refused: Refused | undefined
  /** What the user had chosen before the order could no longer be decided. */
  readonly meant: Refused | undefined
  /** Whether the decision is on its way; until it is sent, it can be undone. */
  readonly isSending: boolean
  /** Whether the decision can be sent: it was shown, it has no faults, the preview did not refuse it, and the API is up. */
  readonly isSendable: boolean
  /** Whether the order has changed since it was shown; the user must see the change before sending. */
  readonly isStale: boolean
  /** Keeps the choices and applies them to the current state of the order. */
  proceed(): void
  setLine(unitId: string, line: LineDraft): void
  /** Makes the same choice for every open line. */
  setAll(action: LineDraft['action']): void
  setReason(reason: string): void
  setNumber(number: string): void
  send(): void
}

/** The API's prediction of what the decision would do, or its reason for refusing. */
export interface Preview {
  readonly reply: DecidePreview | undefined
  readonly refusal: unknown
}

/** Holds a seller's decision on an order: drafts it, previews its effect and sends it. `onSend` is called when it is on its way. */
export function useDecision(order: Order, onSend?: () => void): Decision {
  const { entity, side } = useSession()
  const isDown = useDownSince() !== undefined
  const isQuiet = useIsQuiet()
  const [draft, setDraft] = useDraft(`${side}:${entity}`, `decide:${order.order_id}`, EMPTY_DECISION)
  const { seen, proceed } = useShown(order)
  const sent = sentOf(useSendings(), order.order_id)
  const effect = effectOf(order, draft)
  const preview = usePreview(order, draft, effect)
  const post = useSubmit(order, sent, () => setDraft(undefined))
  const isSending = isPending(sent)
  // In a negotiation nothing is chosen until the user chooses, which the draft remembers.
  const basis = draft.seq ?? (order.status === 'seller_review' ? seen?.last_seq : undefined)
  const isStale = basis !== undefined && basis !== order.last_seq && order.allowed_actions.includes('decide') && !isSending
  const isReady = effect.decision !== undefined && effect.faults.length === 0 && !preview.refusal && !isStale
  const isSendable = isReady && seen !== undefined && !isDown && !isSending && !isQuiet
  const put = (next: Partial<DecisionDraft>) => setDraft({ ...draft, seq: seenSeq(seen ?? order, draft), ...next })
  const wasSent = sent?.outcome.state === 'sent'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as it was sent
  useEffect(() => {
    if (wasSent) proceed()
  }, [wasSent])
  const error = sent?.outcome.state === 'refused' ? sent.outcome.error : null
  return {
    draft,
    effect,
    preview,
    error: isConflict(error) ? null : error,
    refused: isConflict(error) ? sent?.command : undefined,
    meant: meantOf(seen, draft),
    isSending,
    isSendable,
    isStale,
    proceed: () => {
      put({ seq: order.last_seq })
      proceed()
    },
    setLine: (unitId, line) => put({ lines: { ...draft.lines, [unitId]: { ...reasonOf(draft.lines[unitId]), ...line } } }),
    setAll: (action) => put({ lines: Object.fromEntries(openAsks(order).map((line) => [line.unit_id, choose(line, action)])) }),
    setReason: (reason) => put({ reason }),
    setNumber: (number) => put({ number }),
    send: () => {
      if (isSendable && post({ draft, effect, lastSeq: seenSeq(seen ?? order, draft), gross: preview.reply?.totals.gross })) onSend?.()
    },
  }
}

function meantOf(seen: Order | undefined, draft: DecisionDraft): Refused | undefined {
  if (draft.seq === undefined) return undefined
  if (!seen?.allowed_actions.includes('decide')) return { tried: '', meant: meantBy(draft), lines: [] }
  return { tried: effectOf(seen, draft).text, meant: meantBy(draft), lines: choicesByLine(seen, draft) }
}

interface Post {
  readonly draft: DecisionDraft
  readonly effect: Effect
  readonly lastSeq: number
  readonly gross: number | undefined
}

/** Returns the function that takes a decision to send. The same decision again has the same bytes, also after a lost reply. */
function useSubmit(order: Order, sent: Sent | undefined, onSent: () => void): (post: Post) => boolean {
  const { name } = useSession()
  const queries = useQueryClient()
  return ({ draft, effect, lastSeq, gross }) => {
    const madeOf = JSON.stringify([order.order_id, lastSeq, draft, name])
    const body = sent?.command.madeOf === madeOf ? sent.command.body : decideBody(order, draft, name, serverNow())
    const { order_id, external_order_id, totals } = order
    const about = { tried: effect.text, meant: effect.decision, lines: choicesByLine(order, draft) }
    return submit({
      ...saysOf(body.decision, order, gross),
      isBulk: false,
      commands: [{ order: { order_id, external_order_id, totals }, lastSeq, body, madeOf, onSent, ...about }],
      onSettled: (ids) => void Promise.all(ids.map((id) => rereadOrder(queries, id))),
    })
  }
}

/** Returns the state that a decision is about: the state in which the user began to choose, or else the one that was shown. */
function seenSeq(order: Pick<Order, 'last_seq'>, draft: DecisionDraft): number {
  return draft.seq ?? order.last_seq
}

/** What was said about a line stays when its choice changes. */
function reasonOf(line: LineDraft | undefined): { reason?: string } {
  return line?.reason === undefined ? {} : { reason: line.reason }
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
