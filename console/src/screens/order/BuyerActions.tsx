import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import type { Order } from '../../api/queries/orders.ts'
import { ActDialog } from '../../order/ActDialog.tsx'
import { type Act, isAllowed, TITLES } from '../../order/buyerActs.ts'
import { openPlan } from '../../order/openPlan.ts'
import { openCounters } from '../../order/rounds.ts'
import { useShown } from '../../order/useShown.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import classes from './OrderScreen.module.css'

/** The buyer's possible actions: answer counters, open a plan or a document to confirm, or cancel. */
export function BuyerActions({ order }: { order: Order }) {
  const [act, setAct] = useState<Act>()
  const { seen } = useShown(order, act !== undefined)
  const isDown = useDownSince() !== undefined
  const canRespond = isAllowed('accept', order)
  const canConfirm = isAllowed('confirm', order)
  const canCancel = isAllowed('cancel', order)
  const counters = countText(openCounters(order.line_items).length, 'counter')
  useKeys('The order', canRespond ? [{ keys: 'mod+Enter', does: TITLES.accept, run: () => !isDown && setAct('accept') }] : [])
  if (!canRespond && !canConfirm && !canCancel && act === undefined) return null
  return (
    <div className={classes.actions}>
      {canRespond && (
        <p>
          {counters} of the seller {openCounters(order.line_items).length === 1 ? 'is' : 'are'} open.
        </p>
      )}
      {canConfirm && <ToConfirm order={order} />}
      {canCancel && (
        <Button size="sm" variant="default" disabled={isDown} onClick={() => setAct('cancel')}>
          {TITLES.cancel}
        </Button>
      )}
      {canRespond && (
        <Button size="sm" variant="default" disabled={isDown} onClick={() => setAct('withdraw')}>
          Withdraw
        </Button>
      )}
      {canRespond && (
        <Button size="sm" disabled={isDown} onClick={() => setAct('accept')} rightSection={<ButtonKeys keys="mod+Enter" />}>
          Accept {counters}
        </Button>
      )}
      {act && <ActDialog key={act} act={act} order={order} shown={seen} onClose={() => setAct(undefined)} />}
    </div>
  )
}

/** Links to a plan or a document, which is confirmed on its own page. */
function ToConfirm({ order }: { order: Order }) {
  const plan = openPlan(order)
  const page = plan === undefined ? 'document' : 'plan'
  return (
    <>
      <p>
        {plan === undefined ? 'The document has been read.' : `The seller has sent a plan of ${countText(plan.line_items.length, 'line')}.`}
      </p>
      <Button size="sm" component={Link} to={`/orders/${order.order_id}/${page}` as '/'}>
        {plan === undefined ? 'Check the document' : 'Look at the plan'}
      </Button>
    </>
  )
}
