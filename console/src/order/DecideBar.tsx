import { Button, TextInput } from '@mantine/core'
import { ButtonKeys } from '../ui/ButtonKeys.tsx'
import { FaultAlert } from '../ui/FaultAlert.tsx'
import { faultsAt } from '../ui/fieldFaults.ts'
import { countText, Money } from '../ui/Money.tsx'
import { Status } from '../ui/Status.tsx'
import classes from './DecideBar.module.css'
import { StaleNote } from './StaleNote.tsx'
import type { Decision } from './useDecision.ts'

/** Shows the effect of the decision before it is sent. The screen, not this bar, shows that the order has changed meanwhile. */
export function DecideBar({ decision }: { decision: Decision }) {
  const { effect, draft, error, preview } = decision
  const [fault] = effect.faults
  return (
    <div className={classes.bar}>
      <FaultAlert error={error} title="The decision was not taken" />
      {decision.isStale && <StaleNote onContinue={decision.proceed} />}
      {!error && <FaultAlert error={preview.refusal} title="The marketplace would refuse this" />}
      <div className={classes.row}>
        <TextInput
          size="xs"
          className={classes.reason ?? ''}
          aria-label="Reason"
          placeholder="Reason, shown to the buyer"
          value={draft.reason}
          error={faultsAt(error ?? preview.refusal)('/reason').join(' ')}
          onChange={(event) => decision.setReason(event.currentTarget.value)}
        />
        <Button
          color={effect.decision === 'reject' ? 'red.9' : 'indigo'}
          loading={decision.isSending}
          disabled={!decision.isSendable}
          onClick={decision.send}
          rightSection={<ButtonKeys keys="mod+Enter" />}
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
