import type { OrderCounts } from '../../contract/order.ts'
import type { Side } from '../../contract/vocabulary/access.ts'
import type { OrderStatus, Party } from '../../contract/vocabulary.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import type { Reader } from './command.ts'
import { OWN } from './orderFilter.ts'
import { IS_OPEN, IS_OVERDUE, WAITS_ON } from './waits.ts'

/** The most orders that one read counts. */
const MAX = 10_000

/** Counts the reader's open orders by status and by the party that they wait for. */
export async function countOrders({ pool }: Pick<Database, 'pool'>, { side, entity }: Reader, now: string): Promise<OrderCounts> {
  const { rows } = await pool.query<Row>(COUNTS[side].bind({ entity, now, max: MAX + 1 }))
  const all = rows.reduce((sum, { orders }) => sum + orders, 0)
  const having = (condition: (row: Row) => boolean) => rows.filter(condition).reduce((sum, { orders }) => sum + orders, 0)
  const inStatus = (status: OrderStatus) => having((row) => row.status === status)
  const waitingOn = (party: Party) => having((row) => row.party === party)
  return {
    status: {
      submitted: inStatus('submitted'),
      validating: inStatus('validating'),
      needs_confirmation: inStatus('needs_confirmation'),
      confirmed: inStatus('confirmed'),
      seller_review: inStatus('seller_review'),
      negotiating: inStatus('negotiating'),
    },
    waiting_on: { buyer: waitingOn('buyer'), seller: waitingOn('seller'), platform: waitingOn('platform') },
    overdue: having(({ is_overdue }) => is_overdue),
    complete: all <= MAX,
  }
}

interface Row {
  status: OrderStatus
  party: Party
  is_overdue: boolean
  orders: number
}

/** Groups the open orders of a tenant. */
const countsOf = (side: Side) =>
  statement(
    `count-orders-of-${side}`,
    ['entity', 'now', 'max'],
    `select status, ${WAITS_ON} as party, ${IS_OVERDUE} as is_overdue, count(*)::int as orders
      from (select status, substatus, decide_by from orders where ${OWN[side]} = :entity and ${IS_OPEN} limit :max) open group by 1, 2, 3`,
  )
const COUNTS: Record<Side, ReturnType<typeof countsOf>> = { buyer: countsOf('buyer'), seller: countsOf('seller') }
