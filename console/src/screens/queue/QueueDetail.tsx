import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type Order, orderRead } from '../../api/queries/orders.ts'
import { ConflictNote } from '../../order/ConflictNote.tsx'
import { DecideBar } from '../../order/DecideBar.tsx'
import { Lines } from '../../order/Lines.tsx'
import { type Decision, useDecision } from '../../order/useDecision.ts'
import { useDecisionKeys } from '../../order/useDecisionKeys.ts'
import { Verdict } from '../../order/Verdict.tsx'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { Due } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { countText } from '../../ui/Money.tsx'
import { Named } from '../../ui/Named.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import { Status } from '../../ui/Status.tsx'
import classes from './Queue.module.css'

interface QueueDetailProps {
  orderId: string
  /** Whether the arrows move between the lines rather than the orders. */
  isInLines: boolean
  onLeaveLines: () => void
  /** Called when a decision is on its way. */
  onSend: () => void
  /** Goes on from an order that others have decided. */
  onNext: () => void
  /** Called when the user leaves a field by a key, for the list to take the focus. */
  onLeave: () => void
  /** Whether the send key acts on this order rather than on the selected ones. */
  isSendable: boolean
}

/** Shows the order that the keys act on, with everything needed to decide it. */
export function QueueDetail(props: QueueDetailProps) {
  const { data: order, error, refetch } = useQuery(orderRead('seller', props.orderId))
  if (order === undefined) return error ? <FaultAlert error={error} retry={() => void refetch()} /> : <Loading />
  return <Decidable key={order.order_id} order={order} {...props} />
}

function Decidable({ order, isInLines, onLeaveLines, onSend, onNext, onLeave, isSendable }: QueueDetailProps & { order: Order }) {
  const decision = useDecision(order, onSend)
  const isOpen = order.allowed_actions.includes('decide') && !decision.isSending
  const canPlan = order.allowed_actions.includes('plan')
  const { active, setActive, ids } = useDecisionKeys(order, isOpen ? decision : undefined, isSendable)
  return (
    <>
      {isInLines && <LineKeys move={(step) => setActive(neighbor(ids, active, step) ?? '')} leave={onLeaveLines} />}
      <About order={order} openLines={ids.length} />
      {(decision.refused || !(isOpen || canPlan || decision.isSending)) && (
        <MovedOn order={order} decision={decision} {...(!isOpen && { onNext })} />
      )}
      {isOpen && <Verdict order={order} />}
      <div className={classes.lines}>
        <Lines order={order} decision={isOpen ? decision : undefined} active={active} onActive={setActive} />
      </div>
      {canPlan && <PlanAsk order={order} isSendable={isSendable} />}
      {isOpen && !canPlan && <DecideBar orderId={order.order_id} decision={decision} isSendable={isSendable} onLeave={onLeave} />}
    </>
  )
}

/** Says who was faster, in the place of the order that the user had open. Nothing is sent from here until the user goes on. */
function MovedOn({ order, decision, onNext }: { order: Order; decision: Decision; onNext?: () => void }) {
  return (
    <div className={classes.moved}>
      <ConflictNote order={order} {...(decision.refused ?? decision.meant)}>
        {onNext && (
          <Button size="compact-sm" variant="default" mt="xs" onClick={onNext} rightSection={<ButtonKeys keys="j" />}>
            Next order
          </Button>
        )}
      </ConflictNote>
    </div>
  )
}

function About({ order, openLines }: { order: Order; openLines: number }) {
  const { advertiser_id, campaign_id } = order.buyer_metadata
  return (
    <div className={classes.about}>
      <h2>
        <Anchor component={Link} to={`/orders/${order.order_id}` as '/'} c="inherit" fw={600}>
          {order.external_order_id}
        </Anchor>
      </h2>
      <span>
        <Named name={order.buyer_name} id={order.buyer_entity} />
      </span>
      <Text c="dimmed" size="sm" component="span">
        {advertiser_id}
        {campaign_id !== undefined && `, ${campaign_id}`}
      </Text>
      <Status of={order.status} substatus={order.substatus} />
      <span>
        <Due by={order.waiting_on?.due_by} ahead="due in" />
      </span>
      <Text c="dimmed" size="sm" component="span">
        {countText(openLines, 'line')} to decide
      </Text>
    </div>
  )
}

/** Links a proposal to its plan, which is written on another page. */
function PlanAsk({ order: { order_id, request }, isSendable }: { order: Order; isSendable: boolean }) {
  const navigate = useNavigate()
  const open = () => void navigate({ to: `/orders/${order_id}/plan` as '/' })
  useKeys('The order', isSendable ? [{ keys: 'mod+Enter', does: 'Write a plan', run: open }] : [])
  return (
    <div className={classes.ask}>
      <span>{request?.brief ?? 'The buyer asks for a plan.'}</span>
      <Button onClick={open} rightSection={isSendable && <ButtonKeys keys="mod+Enter" />}>
        Write a plan
      </Button>
    </div>
  )
}

/** Binds the keys that apply while the arrows move between the lines. */
function LineKeys({ move, leave }: { move: (step: number) => void; leave: () => void }) {
  useKeys('The lines', [...rowKeys('line', move), { keys: 'Escape', does: 'Back to the orders', run: leave }])
  return null
}
