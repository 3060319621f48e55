import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Makegood, orderMakegoods } from '../../api/queries/makegoods.ts'
import { type Order, orderRead, type Side } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { OrderPage } from '../../order/OrderPage.tsx'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { useActive } from '../../ui/useActive.ts'
import { MakegoodCard } from './MakegoodCard.tsx'
import classes from './Makegoods.module.css'
import { NoticeDialog } from './NoticeDialog.tsx'
import { openFirst } from './texts.ts'

const route = getRouteApi('/orders/$id/makegoods')

/** What does not air of an order, and what is offered, agreed or credited instead. */
export function Makegoods() {
  const { id } = route.useParams()
  const side = useSession().side as Side
  const order = useQuery(orderRead(side, id))
  return (
    <OrderPage order={order} id={id} name="Makegoods">
      {(read) => <MakegoodsOf order={read} side={side} />}
    </OrderPage>
  )
}

function MakegoodsOf({ order, side }: { order: Order; side: Side }) {
  const { active, unit, date } = route.useSearch()
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery(orderMakegoods(side, order.order_id))
  const makegoods = openFirst(data ?? [])
  const ids = makegoods.map(({ makegood_id }) => makegood_id)
  // The card that is open stays, whatever the other side does meanwhile.
  const open = useActive(ids, active, data === undefined ? undefined : order.order_id)
  const [isNoticing, setNoticing] = useState(side === 'seller' && unit !== undefined)
  const canNotice = side === 'seller' && order.status === 'placed'
  const choose = (next: string) => {
    open.mark(next)
    void navigate({ from: '/orders/$id/makegoods', to: '/orders/$id/makegoods', search: { active: next }, replace: true })
  }
  const move = (step: number) => choose(neighbor(ids, open.active, step) ?? '')
  useKeys('The makegoods', [
    { keys: 'j', does: 'Next makegood', run: () => move(1) },
    { keys: 'k', does: 'Previous makegood', run: () => move(-1) },
    ...(canNotice ? [{ keys: 'n', does: 'Say that units do not air', run: () => setNoticing(true) }] : []),
  ])
  return (
    <div className={classes.screen}>
      {canNotice && (
        <div className={classes.bar}>
          <Button size="sm" onClick={() => setNoticing(true)} rightSection={<ButtonKeys keys="n" />}>
            Units that do not air
          </Button>
        </div>
      )}
      <FaultAlert error={data === undefined ? error : null} retry={() => void refetch()} />
      {isPending && <Loading />}
      {data?.length === 0 && <NoMakegoods order={order} side={side} />}
      <ol className={classes.cards} aria-label="Makegoods">
        {makegoods.map((makegood) => (
          <li key={makegood.makegood_id}>
            <Card makegood={makegood} order={order} side={side} isOpen={makegood.makegood_id === open.active} choose={choose} />
          </li>
        ))}
      </ol>
      {isNoticing && <NoticeDialog order={order} first={{ unit, date }} onClose={() => setNoticing(false)} />}
    </div>
  )
}

interface CardProps {
  readonly makegood: Makegood
  readonly order: Order
  readonly side: Side
  readonly isOpen: boolean
  readonly choose: (id: string) => void
}

function Card({ makegood, order, side, isOpen, choose }: CardProps) {
  return (
    <MakegoodCard
      makegood={makegood}
      order={order}
      side={side}
      isActive={isOpen}
      onActive={() => {
        if (!isOpen) choose(makegood.makegood_id)
      }}
    />
  )
}

function NoMakegoods({ order: { status }, side }: { order: Order; side: Side }) {
  if (status !== 'placed') return <Empty title="No makegood">Units of a placed order that do not air are made good here.</Empty>
  if (side === 'seller') return <Empty title="No makegood yet">Say which units do not air, and offer others in their place.</Empty>
  return <Empty title="No makegood yet">If units do not air, what the seller offers in their place comes here.</Empty>
}
