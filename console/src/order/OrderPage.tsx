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
  /** The part of the order that the page shows, such as its plan. */
  readonly name: string
  readonly aside?: ReactNode
  readonly children: (order: Order) => ReactNode
}

/** A page that shows one part of an order and links back to the order; another tenant's order shows the API's fault instead. */
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
