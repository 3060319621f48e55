import { Button, TextInput } from '@mantine/core'
import { flushSync } from 'react-dom'
import type { Order, OrderLine } from '../api/queries/orders.ts'
import { CounterEditor, faultId } from './CounterEditor.tsx'
import { draftOf, type LineDraft } from './decision.ts'
import { focusLine } from './focusLine.ts'
import classes from './Lines.module.css'
import { ReasonField } from './ReasonField.tsx'
import { choose, type Decision } from './useDecision.ts'

interface LineDecisionProps {
  order: Order
  line: OrderLine
  number: number
  decision: Decision
}

const ACTIONS = [
  { action: 'accept', label: 'Accept', color: '#1e7a34' },
  { action: 'counter', label: 'Counter', color: 'indigo' },
  { action: 'reject', label: 'Reject', color: 'red.9' },
] as const

/** The seller's choice for a line. */
export function LineDecision({ order, line, number, decision }: LineDecisionProps) {
  const chosen = draftOf(order, decision.draft, line.unit_id)
  const set = (next: LineDraft) => decision.setLine(line.unit_id, next)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a frame and breaks the row
    <div role="group" aria-label={`Line ${number}`}>
      <Button.Group>
        {ACTIONS.map(({ action, label, color }) => (
          <Button
            key={action}
            size="compact-sm"
            px={7}
            variant={chosen?.action === action ? 'filled' : 'default'}
            color={color}
            aria-pressed={chosen?.action === action}
            onClick={() => set(choose(line, action))}
          >
            {label}
          </Button>
        ))}
      </Button.Group>
      {chosen !== undefined && chosen.reason === undefined && !isWhole(chosen, line) && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Give a reason for line ${number}`}
          onClick={() => {
            flushSync(() => set({ ...chosen, reason: '' }))
            focusLine(line.unit_id, `#${CSS.escape(lineReasonId(line))}`)
          }}
        >
          Give a reason
        </Button>
      )}
    </div>
  )
}

/** Whether the line is accepted as it was asked for, which needs no reason. */
function isWhole(chosen: LineDraft, line: OrderLine): boolean {
  return chosen.action === 'accept' && (chosen.units ?? String(line.units)) === String(line.units)
}

/** The units of a line; fewer than asked for may be accepted. */
export function UnitsDecision({ order, line, number, decision }: LineDecisionProps) {
  const chosen = draftOf(order, decision.draft, line.unit_id)
  if (chosen?.action !== 'accept' || line.units === 1) return line.units
  return (
    <span className={classes.units}>
      <TextInput
        size="xs"
        w={52}
        inputMode="numeric"
        aria-label={`Units accepted of line ${number}`}
        value={chosen.units ?? String(line.units)}
        onChange={(event) => decision.setLine(line.unit_id, { action: 'accept', units: event.currentTarget.value })}
        error={decision.effect.faults.some(({ unitId }) => unitId === line.unit_id)}
        aria-errormessage={faultId(line)}
      />
      of {line.units}
    </span>
  )
}

/** Shows the fields of a counter, and the fault in the choice. */
export function ChoiceDetails({ order, line, number, decision }: LineDecisionProps) {
  const chosen = draftOf(order, decision.draft, line.unit_id)
  const fault = decision.effect.faults.find(({ unitId }) => unitId === line.unit_id)
  return (
    <>
      {chosen?.action === 'counter' && (
        <CounterEditor
          order={order}
          number={number}
          line={line}
          chosen={chosen}
          isFaulty={fault !== undefined}
          set={(next) => decision.setLine(line.unit_id, next)}
        />
      )}
      {chosen?.reason !== undefined && (
        <ReasonField
          id={lineReasonId(line)}
          label={`Reason for line ${number}`}
          value={chosen.reason}
          error={chosen.reason.length > 1_000 ? 'A reason has at most 1,000 characters.' : ''}
          set={(reason) => decision.setLine(line.unit_id, { ...chosen, reason })}
          onLeave={() => focusLine(line.unit_id, 'button[aria-pressed=true]')}
        />
      )}
      {fault && (
        <span className={classes.fault} id={faultId(line)} aria-live="polite">
          {fault.message}
        </span>
      )}
    </>
  )
}

/** The id of the field that takes the reason of one line. */
export function lineReasonId({ unit_id }: Pick<OrderLine, 'unit_id'>): string {
  return `reason-${unit_id}`
}

/** Whether a line needs its own row for the details of its choice. */
export function hasDetails({ order, line, decision }: Omit<LineDecisionProps, 'number'>): boolean {
  const isFaulty = decision.effect.faults.some(({ unitId }) => unitId === line.unit_id)
  const chosen = draftOf(order, decision.draft, line.unit_id)
  return isFaulty || chosen?.action === 'counter' || chosen?.reason !== undefined
}
