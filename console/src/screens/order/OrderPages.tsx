import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Order, Side } from '../../api/queries/orders.ts'

/** Links to the other pages of an order: its plan or document, if it has one, its makegoods once it is placed, and its printed form. */
export function OrderPages({ order: { order_id, workflow, status, allowed_actions }, side }: { order: Order; side: Side }) {
  const canPlan = side === 'seller' && allowed_actions.includes('plan')
  return (
    <>
      {workflow === 'proposal' && <PageLink to={`/orders/${order_id}/plan`} label={canPlan ? 'Write a plan' : 'Plan'} isMain={canPlan} />}
      {workflow === 'document' && <PageLink to={`/orders/${order_id}/document`} label="Document" />}
      {status === 'placed' && <PageLink to={`/orders/${order_id}/makegoods`} label="Makegoods" />}
      <PageLink to={`/orders/${order_id}/print`} label="Print" />
    </>
  )
}

function PageLink({ to, label, isMain = false }: { to: string; label: string; isMain?: boolean }) {
  return (
    <Button size="compact-sm" variant={isMain ? 'filled' : 'default'} component={Link} to={to as '/'}>
      {label}
    </Button>
  )
}
