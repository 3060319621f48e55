import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Order } from '../api/queries/orders.ts'
import { useKeys } from '../ui/keys.ts'
import { draftOf, EMPTY_DECISION } from './decision.ts'
import { EDITOR, focusLine, PRICE } from './focusLine.ts'
import { lineReasonId } from './LineDecision.tsx'
import { openAsks } from './rounds.ts'
import { choose, type Decision } from './useDecision.ts'

interface DecisionKeys {
  /** The line that keys act on. */
  readonly active: string | undefined
  readonly setActive: (unitId: string) => void
  /** The lines that can be decided. */
  readonly ids: readonly string[]
}

/** Binds the keys for each line and, if `isSendable`, for the whole order. Without a decision none are bound. */
export function useDecisionKeys(order: Order, decision: Decision | undefined, isSendable = true): DecisionKeys {
  const asks = openAsks(order)
  const ids = asks.map(({ unit_id }) => unit_id)
  const [line, setLine] = useState<string>()
  const active = line !== undefined && ids.includes(line) ? line : ids[0]
  // The fields that a key opens are there before the next key.
  const act = (action: 'accept' | 'counter' | 'reject') => {
    const ask = asks.find(({ unit_id }) => unit_id === active)
    if (ask === undefined) return
    flushSync(() => decision?.setLine(ask.unit_id, choose(ask, action)))
    if (action === 'counter') focusLine(ask.unit_id, EDITOR)
  }
  const counterAll = () => {
    flushSync(() => decision?.setAll('counter'))
    if (active !== undefined) focusLine(active, EDITOR)
  }
  const quote = () => {
    const draft = active === undefined ? undefined : decision?.draft.lines[active]
    if (active === undefined || draft?.action !== 'counter') return
    flushSync(() => decision?.setLine(active, { ...draft, isQuote: true }))
    focusLine(active, PRICE)
  }
  const sayWhy = () => {
    const chosen = active === undefined ? undefined : draftOf(order, decision?.draft ?? EMPTY_DECISION, active)
    if (active === undefined || chosen === undefined) return
    flushSync(() => decision?.setLine(active, { reason: '', ...chosen }))
    focusLine(active, `#${CSS.escape(lineReasonId({ unit_id: active }))}`)
  }
  const nextFault = () => {
    const faults = decision?.effect.faults ?? []
    const at = faults.findIndex(({ unitId }) => unitId === active)
    const next = faults[(at + 1) % faults.length]
    if (next === undefined) return
    setLine(next.unitId)
    focusLine(next.unitId, 'input[aria-invalid=true]', EDITOR)
  }
  const bindings = [
    { keys: '1', does: 'Accept the line', run: () => act('accept') },
    { keys: '2', does: 'Counter the line', run: () => act('counter') },
    { keys: '3', does: 'Reject the line', run: () => act('reject') },
    { keys: 'q', does: 'Counter with another amount', run: quote },
    { keys: 'shift+e', does: 'Give a reason for the line', run: sayWhy },
    { keys: 'n', does: 'Next fault', run: nextFault },
  ]
  const ofAll = [
    { keys: 'a', does: 'Accept every line', run: () => decision?.setAll('accept') },
    { keys: 'c', does: 'Counter every line', run: counterAll },
    { keys: 'r', does: 'Reject every line', run: () => decision?.setAll('reject') },
    { keys: 'mod+Enter', does: 'Send the decision', run: () => decision?.send() },
  ]
  useKeys('The order', decision === undefined ? [] : [...bindings, ...(isSendable ? ofAll : [])])
  return { active, setActive: setLine, ids }
}
