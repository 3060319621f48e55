import { Refusal } from '../../../src/domain/refusal.ts'
import { readHead } from '../../../src/store/orders/orderHead.ts'
import type { Call, Caller } from '../../http/call.ts'
import type { Deps } from '../../http/handler.ts'

/** Returns the order id of a path if the order is the caller's on its side. A foreign id gets the same 404 as an unknown one. */
export async function ownOrder({ db }: Pick<Deps, 'db'>, caller: Caller, { order_id }: Call['params']): Promise<string> {
  const head = order_id === undefined ? undefined : await readHead(db, order_id)
  if (head === undefined || head[caller.side === 'buyer' ? 'buyer_entity' : 'seller'] !== caller.entity) throw noSuchOrder()
  return head.order_id
}

export function noSuchOrder(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such order.')
}
