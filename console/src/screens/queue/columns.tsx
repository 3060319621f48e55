import type { OrderRow } from '../../api/queries/orders.ts'
import type { ListVerdicts } from '../../order/listVerdicts.ts'
import type { Point } from '../../order/verdict.ts'
import { Due } from '../../ui/Due.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Money, moneyText } from '../../ui/Money.tsx'
import { ShortName } from '../../ui/Named.tsx'

const CHARACTER_PX = 7.6
const PADDING_PX = 16
const LEAST_GROSS_PX = 112

/** The columns of the queue; the gross is as wide as the widest of the list. An order that is being sent says so in place of its deadline. */
export function columnsOf(
  isOnItsWay: (id: string) => boolean,
  rows: readonly OrderRow[],
  verdicts?: ListVerdicts,
): readonly Column<OrderRow>[] {
  const widest = rows.reduce((max, { totals }) => Math.max(max, moneyText(totals.gross, totals.currency).length), 0)
  return [
    {
      id: 'due',
      title: 'Due in',
      width: 96,
      cell: ({ order_id, waiting_on }) => (isOnItsWay(order_id) ? 'sending' : <Due by={waiting_on?.due_by} />),
    },
    ...(verdicts
      ? [
          {
            id: 'verdict',
            title: 'Verdict',
            width: 150,
            grow: 1,
            cell: ({ order_id }: OrderRow) => <ShortVerdict points={verdicts.of.get(order_id)} />,
          },
        ]
      : []),
    {
      id: 'buyer',
      title: 'Buyer',
      width: 96,
      grow: 1,
      cell: ({ buyer_entity, buyer_name }) => <ShortName name={buyer_name} id={buyer_entity} />,
    },
    { id: 'advertiser', title: 'Advertiser', width: 88, grow: 1, cell: ({ buyer_metadata }) => buyer_metadata.advertiser_id },
    { id: 'lines', title: 'Lines', width: 46, align: 'right', cell: ({ line_count }) => line_count },
    { id: 'air', title: 'First air', width: 90, cell: ({ first_air_date }) => first_air_date ?? '' },
    {
      id: 'gross',
      title: 'Gross',
      width: Math.max(LEAST_GROSS_PX, Math.ceil(widest * CHARACTER_PX) + PADDING_PX),
      align: 'right',
      cell: ({ totals }) => <Money amount={totals.gross} currency={totals.currency} />,
    },
  ]
}

const ICONS = { bad: 'ban', warn: 'alert', good: 'check' } as const

/** What counts most of the verdict on an order. */
function ShortVerdict({ points }: { points: readonly Point[] | undefined }) {
  const [first, ...others] = points ?? []
  if (first === undefined) return points === undefined ? 'being read' : 'none'
  return <Mark icon={ICONS[first.tone]} tone={first.tone} word={first.text} detail={others.map(({ text }) => text).join(', ')} />
}
