import type { OrderRow, Side } from '../../api/queries/orders.ts'
import { Due, Instant } from '../../ui/Due.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { Money } from '../../ui/Money.tsx'
import { ShortName } from '../../ui/Named.tsx'
import { Status } from '../../ui/Status.tsx'

/** The columns of the order book; both sides have the same ones, except that each shows the other side's name. */
export function columnsOf(side: Side): Column<OrderRow>[] {
  return [
    { id: 'id', title: 'Order', width: 150, grow: 1.6, cell: ({ external_order_id }) => external_order_id },
    side === 'seller'
      ? {
          id: 'buyer',
          title: 'Buyer',
          width: 104,
          grow: 1,
          cell: ({ buyer_entity, buyer_name }) => <ShortName name={buyer_name} id={buyer_entity} />,
        }
      : {
          id: 'seller',
          title: 'Seller',
          width: 104,
          grow: 1,
          cell: ({ seller, seller_name }) => <ShortName name={seller_name} id={seller} />,
        },
    { id: 'advertiser', title: 'Advertiser', width: 104, grow: 1, cell: ({ buyer_metadata }) => buyer_metadata.advertiser_id },
    { id: 'status', title: 'Status', width: 124, grow: 1, cell: ({ status, substatus }) => <Status of={status} substatus={substatus} /> },
    { id: 'lines', title: 'Lines', width: 52, align: 'right', cell: ({ line_count }) => line_count },
    { id: 'air', title: 'First air', width: 92, cell: ({ first_air_date }) => first_air_date ?? '' },
    { id: 'waits', title: 'Waits on', width: 76, cell: ({ waiting_on }) => waiting_on?.party ?? '' },
    { id: 'due', title: 'Due in', width: 112, align: 'right', cell: ({ waiting_on }) => waiting_on && <Due by={waiting_on.due_by} /> },
    {
      id: 'gross',
      title: 'Gross',
      width: 128,
      align: 'right',
      cell: ({ totals }) => <Money amount={totals.gross} currency={totals.currency} />,
    },
    { id: 'created', title: 'Created', width: 116, align: 'right', cell: ({ created_at }) => <Instant at={created_at} /> },
  ]
}
