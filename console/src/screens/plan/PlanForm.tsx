import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { serverNow } from '../../api/clock.ts'
import { isUnanswered } from '../../api/fault.ts'
import { useDownSince } from '../../api/health.ts'
import { randomId } from '../../api/ids.ts'
import { type Order, type PlanOrder, planOrder, rereadOrder } from '../../api/queries/orders.ts'
import { ownCatalog } from '../../api/queries/publishing.ts'
import { useSession } from '../../api/session.ts'
import { ConflictNote, isConflict } from '../../order/ConflictNote.tsx'
import { StaleNote } from '../../order/StaleNote.tsx'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { useDraft } from '../../ui/drafts.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import { weekOf } from '../../ui/weeks.ts'
import { PlanRowEditor } from './PlanRowEditor.tsx'
import classes from './PlanScreen.module.css'
import {
  emptyPlan,
  emptyRow,
  faultsOf,
  faultText,
  type PlanDraft,
  type PlanFaultAt,
  type PlanRow,
  planBody,
  planFaultsAt,
} from './planDraft.ts'

/** The form in which the seller writes a plan, line by line, at card prices or at quotes for this buyer. */
export function PlanForm({ order, isReplacement }: { order: Order; isReplacement: boolean }) {
  const { entity, side } = useSession()
  const start = order.request?.flight?.start ?? order.flight?.start
  const empty = emptyPlan(start === undefined ? '' : weekOf(Date.parse(`${start}T12:00:00Z`)))
  const [draft, keep] = useDraft<PlanDraft>(`${side}:${entity}`, `plan:${order.order_id}`, empty)
  const { data: catalog } = useQuery(ownCatalog)
  const setDraft = (next: PlanDraft) => keep({ seq: order.last_seq, ...next })
  const sending = useSending(order.order_id, () => keep(undefined))
  // A refusal is about the plan as it was sent.
  const faultAt = planFaultsAt(draft, sending.variables?.text === JSON.stringify(draft) ? sending.error : null)
  const setRow = (row: PlanRow) => setDraft({ ...draft, rows: draft.rows.map((one) => (one.id === row.id ? row : one)) })
  return (
    <section className={classes.form} aria-label="Your plan">
      <h2>{isReplacement ? 'Send another plan in its place' : 'Your plan'}</h2>
      <datalist id="products">
        {catalog?.products.map(({ product_id, name }) => (
          <option key={product_id} value={product_id}>
            {String(name)}
          </option>
        ))}
      </datalist>
      {draft.rows.map((row, index) => (
        <PlanRowEditor
          key={row.id}
          seller={order.seller}
          row={row}
          number={index + 1}
          faultAt={(field) => faultAt(field, index)}
          set={setRow}
          {...(draft.rows.length > 1 && { remove: () => setDraft({ ...draft, rows: draft.rows.filter(({ id }) => id !== row.id) }) })}
        />
      ))}
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => setDraft({ ...draft, rows: [...draft.rows, emptyRow(randomId(8), draft.rows.at(-1)?.week)] })}
      >
        Add a line
      </Button>
      <PlanTerms order={order} draft={draft} setDraft={setDraft} faultAt={faultAt} />
      <SendPlan order={order} draft={draft} sending={sending} onContinue={() => keep({ ...draft, seq: order.last_seq })} />
    </section>
  )
}

interface PlanTermsProps {
  order: Order
  draft: PlanDraft
  setDraft: (next: PlanDraft) => void
  faultAt: PlanFaultAt
}

function PlanTerms({ order, draft, setDraft, faultAt }: PlanTermsProps) {
  return (
    <div className={classes.terms}>
      <TextInput
        size="xs"
        label={`Gross that you state, ${order.totals.currency}`}
        description="A band on the budget is checked against it"
        inputMode="decimal"
        value={draft.gross}
        error={faultAt('gross')}
        onChange={(event) => setDraft({ ...draft, gross: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="Open for"
        description="Its quotes lapse with it"
        value={draft.hours}
        error={faultAt('hours')}
        onChange={(event) => setDraft({ ...draft, hours: event.currentTarget.value })}
        data={OPEN_FOR}
      />
      <Textarea
        size="xs"
        label="What it does not meet"
        description="One shortfall a line"
        autosize
        value={draft.unmet}
        error={faultAt('unmet')}
        onChange={(event) => setDraft({ ...draft, unmet: event.currentTarget.value })}
      />
    </div>
  )
}

interface SendPlanProps {
  order: Order
  draft: PlanDraft
  sending: ReturnType<typeof useSending>
  /** Keeps the draft and applies it to the current state of the order. */
  onContinue: () => void
}

function SendPlan({ order, draft, sending, onContinue }: SendPlanProps) {
  const { name } = useSession()
  const isDown = useDownSince() !== undefined
  const faults = faultsOf(draft)
  const text = JSON.stringify(draft)
  const lastSeq = draft.seq ?? order.last_seq
  // A plan without a reply may have arrived. Its exact repeat is carried out only once, even if the order has changed since.
  const repeated = isUnanswered(sending.error) && sending.variables?.text === text ? sending.variables : undefined
  const isStale = lastSeq !== order.last_seq && repeated === undefined && !sending.isPending
  const isOff = isDown || faults.length > 0 || sending.isPending || isStale
  const send = () => {
    if (!isOff) sending.mutate(repeated ?? { text, lastSeq, body: planBody(draft, name, serverNow()) })
  }
  const proceed = () => {
    sending.reset()
    onContinue()
  }
  useKeys('The plan', [{ keys: 'mod+Enter', does: 'Send the plan', run: send }])
  return (
    <>
      {isConflict(sending.error) ? (
        <ConflictNote order={order} tried={`a plan of ${countText(draft.rows.length, 'line')}`} />
      ) : (
        <FaultAlert
          error={sending.error}
          title={repeated ? 'No reply came. Send the plan again: it is taken once' : 'The plan was not sent'}
        />
      )}
      {isStale && <StaleNote orderId={order.order_id} onContinue={proceed} />}
      <div className={classes.bar}>
        <span role="status">{faults[0] && faultText(faults[0])}</span>
        <Button size="sm" disabled={isOff} loading={sending.isPending} onClick={send} rightSection={<ButtonKeys keys="mod+Enter" />}>
          Send a plan of {countText(draft.rows.length, 'line')}
        </Button>
      </div>
    </>
  )
}

/** A plan as it was sent, with the draft that it was made from. */
interface SentPlan {
  readonly text: string
  readonly lastSeq: number
  readonly body: PlanOrder
}

function useSending(orderId: string, onSent: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ lastSeq, body }: SentPlan) => planOrder({ orderId, lastSeq, body }),
    onSuccess: onSent,
    onSettled: () => rereadOrder(queries, orderId),
  })
}

const OPEN_FOR = [
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '1 week' },
]
