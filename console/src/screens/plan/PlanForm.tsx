import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { serverNow } from '../../api/clock.ts'
import { useDownSince } from '../../api/health.ts'
import { type Order, postPlan } from '../../api/queries/orders.ts'
import { ownCatalog } from '../../api/queries/publishing.ts'
import { useSession } from '../../api/session.ts'
import { ConflictNote, isConflict } from '../../order/ConflictNote.tsx'
import { useDraft } from '../../ui/drafts.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { shownKeys, useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import { weekOf } from '../../ui/weeks.ts'
import { PlanRowEditor } from './PlanRowEditor.tsx'
import classes from './PlanScreen.module.css'
import { emptyPlan, emptyRow, faultsOf, type PlanDraft, type PlanRow, planBody } from './planDraft.ts'

/** Where the seller writes a plan, line by line at prices of its card or at quotes for this buyer. */
export function PlanForm({ order, isReplacement }: { order: Order; isReplacement: boolean }) {
  const { entity, side } = useSession()
  const start = order.request?.flight?.start ?? order.flight?.start
  const empty = emptyPlan(start === undefined ? '' : weekOf(Date.parse(`${start}T12:00:00Z`)))
  const [draft, setDraft] = useDraft<PlanDraft>(`${side}:${entity}`, `plan:${order.order_id}`, empty)
  const { data: catalog } = useQuery(ownCatalog)
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
          set={setRow}
          {...(draft.rows.length > 1 && { remove: () => setDraft({ ...draft, rows: draft.rows.filter(({ id }) => id !== row.id) }) })}
        />
      ))}
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => setDraft({ ...draft, rows: [...draft.rows, emptyRow(crypto.randomUUID(), draft.rows.at(-1)?.week)] })}
      >
        Add a line
      </Button>
      <PlanTerms order={order} draft={draft} setDraft={setDraft} />
      <SendPlan order={order} draft={draft} onSent={() => setDraft(undefined)} />
    </section>
  )
}

function PlanTerms({ order, draft, setDraft }: { order: Order; draft: PlanDraft; setDraft: (next: PlanDraft) => void }) {
  return (
    <div className={classes.terms}>
      <TextInput
        size="xs"
        label={`Gross that you state, ${order.totals.currency}`}
        description="A band on the budget is checked against it"
        inputMode="decimal"
        value={draft.gross}
        onChange={(event) => setDraft({ ...draft, gross: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="Open for"
        description="Its quotes lapse with it"
        value={draft.hours}
        onChange={(event) => setDraft({ ...draft, hours: event.currentTarget.value })}
        data={OPEN_FOR}
      />
      <Textarea
        size="xs"
        label="What it does not meet"
        description="One shortfall a line"
        autosize
        value={draft.unmet}
        onChange={(event) => setDraft({ ...draft, unmet: event.currentTarget.value })}
      />
    </div>
  )
}

function SendPlan({ order, draft, onSent }: { order: Order; draft: PlanDraft; onSent: () => void }) {
  const { name } = useSession()
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const faults = faultsOf(draft)
  const sending = useMutation({
    mutationFn: () => postPlan({ orderId: order.order_id, lastSeq: order.last_seq, body: planBody(draft, name, serverNow()) }),
    onSuccess: onSent,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['order', order.order_id] }),
        queries.invalidateQueries({ queryKey: ['orders'] }),
      ]),
  })
  const isOff = isDown || faults.length > 0 || sending.isPending
  const send = () => {
    if (!isOff) sending.mutate()
  }
  useKeys('The plan', [{ keys: 'mod+Enter', does: 'Send the plan', run: send }])
  return (
    <>
      {isConflict(sending.error) ? (
        <ConflictNote order={order} meant={`a plan of ${countText(draft.rows.length, 'line')}`} />
      ) : (
        <FaultAlert error={sending.error} title="The plan was not sent" />
      )}
      <div className={classes.bar}>
        <span role="status">{faults[0]}</span>
        <Button size="sm" disabled={isOff} loading={sending.isPending} onClick={send} rightSection={shownKeys('mod+Enter').join(' ')}>
          Send a plan of {countText(draft.rows.length, 'line')}
        </Button>
      </div>
    </>
  )
}

const OPEN_FOR = [
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '1 week' },
]
