import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { Order, OrderLine } from '../api/queries/orders.ts'
import { periodGloss } from '../ui/Period.tsx'
import { draftOf, type LineDraft } from './decision.ts'
import classes from './Lines.module.css'
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
    </div>
  )
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
      />
      of {line.units}
    </span>
  )
}

/** What a counter says, week, price and expiry, and what is wrong with the choice. */
export function ChoiceDetails({ order, line, number, decision }: LineDecisionProps) {
  const chosen = draftOf(order, decision.draft, line.unit_id)
  const fault = decision.effect.faults.find(({ unitId }) => unitId === line.unit_id)
  return (
    <>
      {chosen?.action === 'counter' && (
        <CounterEditor number={number} line={line} chosen={chosen} set={(next) => decision.setLine(line.unit_id, next)} />
      )}
      {fault && (
        <span className={classes.fault} id={`fault-${line.unit_id}`}>
          {fault.message}
        </span>
      )}
    </>
  )
}

/** Whether a line needs a row of its own for the details of its choice. */
export function hasDetails({ order, line, decision }: Omit<LineDecisionProps, 'number'>): boolean {
  const isFaulty = decision.effect.faults.some(({ unitId }) => unitId === line.unit_id)
  return isFaulty || draftOf(order, decision.draft, line.unit_id)?.action === 'counter'
}

interface CounterEditorProps {
  number: number
  line: OrderLine
  chosen: Extract<LineDraft, { action: 'counter' }>
  set: (next: LineDraft) => void
}

function CounterEditor({ number, line, chosen, set }: CounterEditorProps) {
  const { week } = chosen
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a frame and breaks the row
    <div className={classes.editor} role="group" aria-label={`Counter to line ${number}`}>
      <TextInput
        size="xs"
        label="Week"
        placeholder="2027-W06"
        description={periodGloss({ grain: 'week', start: week })}
        inputWrapperOrder={['label', 'input', 'description']}
        value={week}
        onChange={(event) => set({ ...chosen, week: event.currentTarget.value.toUpperCase() })}
      />
      <TextInput
        size="xs"
        label={line.rate.rate_basis === 'cpm' ? `${line.rate.currency} cpm` : `${line.rate.currency} a unit`}
        inputMode="decimal"
        id={`price-${line.unit_id}`}
        aria-describedby={`fault-${line.unit_id}`}
        value={chosen.price}
        onChange={(event) => set({ ...chosen, price: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="Open for"
        value={chosen.hours}
        onChange={(event) => set({ ...chosen, hours: event.currentTarget.value })}
        data={OPEN_FOR}
      />
    </div>
  )
}

const OPEN_FOR = [
  { value: '', label: 'my usual time' },
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
]
