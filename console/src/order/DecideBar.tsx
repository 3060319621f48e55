import { Button, TextInput } from '@mantine/core'
import { useDownSince } from '../api/health.ts'
import type { Order } from '../api/queries/orders.ts'
import { FaultAlert } from '../ui/FaultAlert.tsx'
import { shownKeys } from '../ui/keys.ts'
import { countText } from '../ui/Money.tsx'
import { ConflictNote, isConflict } from './ConflictNote.tsx'
import classes from './DecideBar.module.css'
import type { Decision } from './useDecision.ts'

/** Says what the decision does before it is sent. */
export function DecideBar({ order, decision }: { order: Order; decision: Decision }) {
  const isDown = useDownSince() !== undefined
  const { effect, draft, error } = decision
  const [fault] = effect.faults
  return (
    <div className={classes.bar}>
      {isConflict(error) ? (
        <ConflictNote order={order} meant={effect.text} />
      ) : (
        <FaultAlert error={error} title="The decision was not taken" />
      )}
      <div className={classes.row}>
        <TextInput
          size="xs"
          className={classes.reason ?? ''}
          aria-label="Reason"
          placeholder="Reason, shown to the buyer"
          value={draft.reason}
          onChange={(event) => decision.setReason(event.currentTarget.value)}
        />
        <Button
          color={effect.decision === 'reject' ? 'red.9' : 'indigo'}
          loading={decision.isSending}
          disabled={isDown || effect.decision === undefined || fault !== undefined}
          onClick={decision.send}
          rightSection={<span className={classes.keys}>{shownKeys('mod+Enter').join(' ')}</span>}
        >
          {effect.text}
        </Button>
      </div>
      <div role="status" className={classes.fault}>
        {fault && `${countText(effect.faults.length, 'fault')} to correct; n goes to the next`}
      </div>
    </div>
  )
}
