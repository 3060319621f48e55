import { Anchor } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Order } from '../api/queries/orders.ts'
import { FaultAlert } from '../ui/FaultAlert.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Status } from '../ui/Status.tsx'

interface OrderPageProps {
  readonly order: UseQueryResult<Order>
  readonly id: string
  /** What of the order the page shows. */
  readonly name: string
  readonly aside?: ReactNode
  readonly children: (order: Order) => ReactNode
}

/** A page about one side of an order, with the way back to the order; one for an order of others says that there is none. */
export function OrderPage({ order: { data, error, isPending, refetch }, id, name, aside, children }: OrderPageProps) {
  return (
    <Page
      name={`${name} of ${data?.external_order_id ?? id}`}
      title={
        <>
          {name} of{' '}
          <Anchor component={Link} to={`/orders/${id}` as '/'} inherit>
            {data?.external_order_id ?? id}
          </Anchor>
        </>
      }
      aside={
        data && (
          <>
            <Status of={data.status} substatus={data.substatus} />
            {aside}
          </>
        )
      }
    >
      {data === undefined && <FaultAlert error={error} retry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && children(data)}
    </Page>
  )
}
