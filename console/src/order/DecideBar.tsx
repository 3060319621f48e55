import { Button, TextInput } from '@mantine/core'
import { ButtonKeys } from '../ui/ButtonKeys.tsx'
import { FaultAlert } from '../ui/FaultAlert.tsx'
import { faultsAt } from '../ui/fieldFaults.ts'
import { useKeys } from '../ui/keys.ts'
import { countText, Money } from '../ui/Money.tsx'
import { Status } from '../ui/Status.tsx'
import classes from './DecideBar.module.css'
import { meantBy } from './decision.ts'
import { ReasonField } from './ReasonField.tsx'
import { StaleNote } from './StaleNote.tsx'
import type { Decision } from './useDecision.ts'

interface DecideBarProps {
  orderId: string
  decision: Decision
  /** Whether the keys act on this order rather than on selected ones. */
  isSendable?: boolean
  /** Called when the user leaves the reason by a key, for the screen to take the focus. */
  onLeave: () => void
}

/** Shows the effect of the decision before it is sent. The screen, not this bar, shows that the order can no longer be decided. */
export function DecideBar({ orderId, decision, isSendable = true, onLeave }: DecideBarProps) {
  const { effect, draft, error, preview } = decision
  const [fault] = effect.faults
  const id = `reason-${orderId}`
  useKeys('The order', isSendable ? [{ keys: 'e', does: 'Give a reason', run: () => document.getElementById(id)?.focus() }] : [])
  return (
    <div className={classes.bar}>
      <FaultAlert error={error} title="The decision was not taken" />
      {decision.isStale && <StaleNote orderId={orderId} meant={meantBy(draft)} onContinue={decision.proceed} />}
      {!error && <FaultAlert error={preview.refusal} title="The marketplace would refuse this" />}
      <div className={classes.row}>
        <ReasonField
          id={id}
          className={classes.reason ?? ''}
          value={draft.reason}
          error={faultsAt(error ?? preview.refusal)('/reason').join(' ')}
          set={decision.setReason}
          onLeave={onLeave}
        />
        {effect.decision === 'approve' && (
          <TextInput
            size="xs"
            w={140}
            label="Your order number"
            description="Made if left empty"
            maxLength={200}
            autoComplete="off"
            value={draft.number ?? ''}
            error={faultsAt(error)('/seller_order_id').join(' ')}
            onChange={(event) => decision.setNumber(event.currentTarget.value)}
          />
        )}
        <Button
          color={effect.decision === 'reject' ? 'red.9' : 'indigo'}
          disabled={!decision.isSendable}
          onClick={decision.send}
          rightSection={isSendable && <ButtonKeys keys="mod+Enter" />}
        >
          {effect.text}
        </Button>
      </div>
      <div role="status" className={fault ? classes.fault : classes.effect}>
        {fault ? `${countText(effect.faults.length, 'fault')} to correct; n goes to the next` : <Outcome decision={decision} />}
      </div>
    </div>
  )
}

/** Shows the order as the API predicts it after the decision. */
function Outcome({ decision: { preview, effect } }: { decision: Decision }) {
  const { reply } = preview
  if (reply === undefined) return effect.decision !== undefined && !preview.refusal && 'Asking what this comes to'
  const { status, totals } = reply
  return (
    <>
      Becomes <Status of={status} /> · gross{' '}
      <strong>
        <Money amount={totals.gross} currency={totals.currency} />
      </strong>
    </>
  )
}
