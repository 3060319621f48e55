import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type Order, orderEvents, orderRead, type Side } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { ConflictNote } from '../../order/ConflictNote.tsx'
import { DecideBar } from '../../order/DecideBar.tsx'
import { Lines } from '../../order/Lines.tsx'
import { useDecision } from '../../order/useDecision.ts'
import { useDecisionKeys } from '../../order/useDecisionKeys.ts'
import { Verdict } from '../../order/Verdict.tsx'
import { Due } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import { SpokenDeadlines } from '../../ui/SpokenDeadlines.tsx'
import { Status } from '../../ui/Status.tsx'
import { BuyerActions } from './BuyerActions.tsx'
import { changedLines } from './changedLines.ts'
import { Facts } from './Facts.tsx'
import { Failure } from './Failure.tsx'
import { MailLog } from './MailLog.tsx'
import { OrderPages } from './OrderPages.tsx'
import classes from './OrderScreen.module.css'
import { Timeline } from './Timeline.tsx'

const route = getRouteApi('/orders/$id')

/** One order: the party that it waits for and the deadline, its lines by round, the possible actions, and its timeline. */
export function OrderScreen() {
  const { id } = route.useParams()
  const { seq } = route.useSearch()
  const { side } = useSession()
  const now = useQuery(orderRead(side as Side, id))
  const then = useQuery({ ...orderRead(side as Side, id, seq), enabled: seq !== undefined })
  const shown = seq === undefined ? now : then
  const title = now.data?.external_order_id ?? 'Order'
  return (
    <Page
      title={title}
      aside={
        now.data && (
          <>
            <Position order={now.data} />
            <OrderPages order={now.data} side={side as Side} />
          </>
        )
      }
    >
      {now.data && <SpokenDeadlines deadlines={[{ name: title, by: now.data.waiting_on?.due_by }]} />}
      <div className={classes.split}>
        <div className={classes.main}>
          <FaultAlert error={shown.data === undefined ? shown.error : null} retry={() => void shown.refetch()} />
          {shown.isPending && <Loading />}
          {now.data && shown.data && (
            <OrderBody key={id} now={now.data} shown={shown.data} side={side as Side} isPast={seq !== undefined} />
          )}
        </div>
        {!now.isError && <TimelinePane orderId={id} seq={seq} />}
      </div>
    </Page>
  )
}

function OrderBody({ now, shown, side, isPast }: { now: Order; shown: Order; side: Side; isPast: boolean }) {
  const decision = useDecision(now)
  const canDecide = side === 'seller' && !isPast && now.allowed_actions.includes('decide') && !decision.isSending
  // A choice that was made while the order could still be decided, and that somebody else was faster than.
  const late = decision.refused ?? (decision.meant?.tried && !canDecide && !decision.isSending ? decision.meant : undefined)
  const { active, setActive, ids } = useDecisionKeys(now, canDecide ? decision : undefined)
  useKeys('The lines', canDecide ? rowKeys('line', (step) => setActive(neighbor(ids, active, step) ?? '')) : [])
  return (
    <>
      {isPast && <PastNote now={now} shown={shown} />}
      <Failure order={shown} />
      {late && !canDecide && <ConflictNote order={now} {...late} />}
      {canDecide && <Verdict order={now} />}
      <Lines
        order={shown}
        decision={canDecide ? decision : undefined}
        active={canDecide ? active : undefined}
        onActive={setActive}
        {...(isPast && { marked: changedLines(shown, now) })}
      />
      {decision.refused && canDecide && <ConflictNote order={now} {...decision.refused} />}
      {canDecide && <DecideBar orderId={now.order_id} decision={decision} onLeave={() => document.getElementById('main')?.focus()} />}
      {side === 'buyer' && !isPast && <BuyerActions order={now} />}
      <Facts order={shown} />
      {!isPast && <MailLog order={now} side={side} />}
    </>
  )
}

/** Shows an earlier state, compared with the current one. */
function PastNote({ now, shown }: { now: Order; shown: Order }) {
  const navigate = useNavigate()
  const changed = changedLines(shown, now).size
  return (
    <div className={classes.past} role="status">
      <span>
        As it was at event {shown.last_seq}: <Status of={shown.status} />, gross{' '}
        <Money amount={shown.totals.gross} currency={shown.totals.currency} />.{' '}
        {changed === 0 ? 'No line has changed since.' : `${changed} of ${shown.line_items.length} lines have changed since and are marked.`}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => void navigate({ from: '/orders/$id', to: '/orders/$id', search: {} })}>
        Back to now
      </Button>
    </div>
  )
}

function Position({ order: { status, substatus, waiting_on, totals } }: { order: Order }) {
  return (
    <div className={classes.position}>
      <Status of={status} substatus={substatus} />
      {waiting_on && (
        <span>
          waits on {waiting_on.party}
          {waiting_on.due_by && (
            <>
              , <Due by={waiting_on.due_by} />
            </>
          )}
          {waiting_on.stuck_reason && `, stuck: ${waiting_on.stuck_reason.replaceAll('_', ' ')}`}
        </span>
      )}
      <strong>
        <Money amount={totals.gross} currency={totals.currency} />
      </strong>
    </div>
  )
}

function TimelinePane({ orderId, seq }: { orderId: string; seq: number | undefined }) {
  const { data, error, isPending } = useQuery(orderEvents(orderId))
  return (
    <aside className={classes.aside} aria-label="Timeline">
      <FaultAlert error={data === undefined ? error : null} />
      {isPending && <Loading />}
      {data && <Timeline events={data} orderId={orderId} seq={seq} />}
    </aside>
  )
}
