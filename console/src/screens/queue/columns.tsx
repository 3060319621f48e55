import type { OrderRow } from '../../api/queries/orders.ts'
import { Due } from '../../ui/Due.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { Money } from '../../ui/Money.tsx'

export const COLUMNS: readonly Column<OrderRow>[] = [
  { id: 'due', title: 'Due in', width: 96, cell: ({ waiting_on }) => <Due by={waiting_on?.due_by} /> },
  { id: 'buyer', title: 'Buyer', width: 96, grow: 1, cell: ({ buyer_entity }) => buyer_entity },
  { id: 'advertiser', title: 'Advertiser', width: 88, grow: 1, cell: ({ buyer_metadata }) => buyer_metadata.advertiser_id },
  { id: 'lines', title: 'Lines', width: 46, align: 'right', cell: ({ line_count }) => line_count },
  { id: 'air', title: 'First air', width: 90, cell: ({ first_air_date }) => first_air_date ?? '' },
  {
    id: 'gross',
    title: 'Gross',
    width: 112,
    align: 'right',
    cell: ({ totals }) => <Money amount={totals.gross} currency={totals.currency} />,
  },
]
