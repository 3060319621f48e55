import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import type { OrderRow } from '../../api/queries/orders.ts'
import { useIsQuiet } from '../../order/outbox.ts'
import { ReasonField } from '../../order/ReasonField.tsx'
import { useIsShown } from '../../order/useShown.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import { type BulkDecision, sumText, useBulkSubmit, useVerdicts } from './bulk.ts'
import classes from './Queue.module.css'

interface BulkBarProps {
  /** The selected orders of the queue, as the user saw them. */
  readonly chosen: readonly OrderRow[]
  /** The selected orders that have left the queue. */
  readonly gone: readonly OrderRow[]
  readonly onClear: () => void
  /** Called when the user leaves a field of the bar, for the list to take the focus. */
  readonly onLeave: () => void
}

const DECISIONS = [
  { value: 'approve', label: 'Approve', color: '#1e7a34' },
  { value: 'reject', label: 'Reject', color: 'red.9' },
] as const

const REASON = 'reason-of-selected'

/** Shows the selected orders, what deciding them comes to, and the button that decides them all. */
export function BulkBar({ chosen, gone, onClear, onLeave }: BulkBarProps) {
  const [decision, setDecision] = useState<BulkDecision['decision']>('approve')
  const [reason, setReason] = useState('')
  const verdicts = useVerdicts(chosen, decision)
  const isShown = useIsShown(`${decision} ${chosen.map(({ order_id }) => order_id).join(' ')}`)
  const isOff = [useDownSince() !== undefined, useIsQuiet(), !isShown, chosen.length === 0].some(Boolean)
  const submit = useBulkSubmit()
  const send = () => {
    if (isOff || !submit(chosen, { decision, reason })) return
    onClear()
    onLeave()
  }
  useKeys('Selected orders', [
    { keys: 'a', does: 'Approve them', run: () => setDecision('approve') },
    { keys: 'r', does: 'Reject them', run: () => setDecision('reject') },
    { keys: 'e', does: 'Give a reason', run: () => document.getElementById(REASON)?.focus() },
    { keys: 'mod+Enter', does: 'Send the decision', run: send },
  ])
  return (
    <section className={classes.bulk} aria-label="Selected orders">
      <Text size="sm" role="status" className={classes.chosen ?? ''}>
        {countText(chosen.length, 'order')} selected{chosen.length > 0 && `, ${sumText(chosen)}`}. <Verdict verdicts={verdicts} />
        {gone.length > 0 && ` ${countText(gone.length, 'order')} of them left the queue and will not be sent.`}
      </Text>
      <Button.Group>
        {DECISIONS.map(({ value, label, color }) => (
          <Button
            key={value}
            size="xs"
            variant={decision === value ? 'filled' : 'default'}
            color={color}
            aria-pressed={decision === value}
            onClick={() => setDecision(value)}
          >
            {label}
          </Button>
        ))}
      </Button.Group>
      <ReasonField id={REASON} className={classes.reason ?? ''} value={reason} error="" set={setReason} onLeave={onLeave} />
      <Button variant="default" size="xs" onClick={onClear}>
        Clear
      </Button>
      <Button
        size="xs"
        color={decision === 'reject' ? 'red.9' : 'indigo'}
        disabled={isOff}
        onClick={send}
        rightSection={<ButtonKeys keys="mod+Enter" />}
      >
        {decision === 'approve' ? 'Approve' : 'Reject'} {countText(chosen.length, 'order')}
        {decision === 'approve' && ' in full'}
      </Button>
    </section>
  )
}

/** Says what the API would make of the decision. */
function Verdict({ verdicts: { asked, answered, refused } }: { verdicts: ReturnType<typeof useVerdicts> }) {
  if (asked === 0) return null
  if (answered < asked) return <span className={classes.quiet}>Asking what this comes to</span>
  if (refused.length === 0) return <span>{asked === 1 ? 'It can be decided like this.' : `All ${asked} can be decided like this.`}</span>
  const [first] = refused
  return (
    <span className={classes.refused}>
      {refused.length} of {asked} would be refused: {first?.order.external_order_id}, {first?.why}
    </span>
  )
}
