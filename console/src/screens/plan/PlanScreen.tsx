import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { type Order, orderRead, type Side } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { ActDialog } from '../../order/ActDialog.tsx'
import { type Act, isAllowed } from '../../order/buyerActs.ts'
import { OrderPage } from '../../order/OrderPage.tsx'
import { openPlan } from '../../order/openPlan.ts'
import { useShown } from '../../order/useShown.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { useKeys } from '../../ui/keys.ts'
import { PlanForm } from './PlanForm.tsx'
import classes from './PlanScreen.module.css'
import { Proposed } from './Proposed.tsx'
import { RequestFacts } from './RequestFacts.tsx'

const route = getRouteApi('/orders/$id/plan')

/** Compares the buyer's request with the seller's proposal. The seller sends a plan here, and the buyer confirms it. */
export function PlanScreen() {
  const { id } = route.useParams()
  const { side } = useSession()
  const order = useQuery(orderRead(side as Side, id))
  return (
    <OrderPage order={order} id={id} name="Plan">
      {(read) => (read.workflow === 'proposal' ? <PlanOf key={read.order_id} order={read} side={side as Side} /> : <NoPlan />)}
    </OrderPage>
  )
}

function PlanOf({ order, side }: { order: Order; side: Side }) {
  const plan = openPlan(order)
  const canPlan = side === 'seller' && order.allowed_actions.includes('plan')
  return (
    <div className={classes.split}>
      <RequestFacts order={order} />
      <div className={classes.main}>
        {plan && <Proposed order={order} plan={plan} />}
        {!plan && !canPlan && <Empty title="There is no plan yet">It appears here as soon as the seller has sent it.</Empty>}
        {canPlan && <PlanForm order={order} isReplacement={plan !== undefined} />}
        {side === 'buyer' && <Answer order={order} />}
      </div>
    </div>
  )
}

/** Lets the buyer answer a plan. */
function Answer({ order }: { order: Order }) {
  const [act, setAct] = useState<Act>()
  const { seen } = useShown(order, act !== undefined)
  const isDown = useDownSince() !== undefined
  const canConfirm = isAllowed('confirm', order)
  useKeys('The plan', canConfirm ? [{ keys: 'mod+Enter', does: 'Confirm the plan', run: () => !isDown && setAct('confirm') }] : [])
  return (
    <>
      {canConfirm && (
        <div className={classes.bar}>
          <Button size="sm" variant="default" disabled={isDown} onClick={() => setAct('refuse')}>
            Reject the plan
          </Button>
          <Button size="sm" disabled={isDown} onClick={() => setAct('confirm')} rightSection={<ButtonKeys keys="mod+Enter" />}>
            Confirm the plan
          </Button>
        </div>
      )}
      {act && <ActDialog key={act} act={act} order={order} shown={seen} onClose={() => setAct(undefined)} />}
    </>
  )
}

function NoPlan() {
  return <Empty title="This order came without a request for a plan">Its lines are on the page of the order.</Empty>
}
