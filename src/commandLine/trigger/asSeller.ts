import { type Client, type components, type Order, pause } from '../../../client/src/index.ts'
import { RefusedFault } from '../exits.ts'
import type { Outcome } from './outcome.ts'

type Ordered = components['schemas']['SandboxOrder']

/** What a seller can make happen: the sandbox's buyer orders at its published prices (docs/sell/sandbox.md). */
export const AS_SELLER: Readonly<Record<string, Outcome>> = {
  seller_review: { about: 'an order that waits for you, for orders decide', status: 'seller_review', begin: ordered({ then: 'silent' }) },
  placed: { about: 'an order that you approve', status: 'placed', begin: ordered({ then: 'silent' }), step: decided('approve') },
  rejected: { about: 'an order that you reject', status: 'rejected', begin: ordered({ then: 'silent' }), step: decided('reject') },
  canceled: { about: 'an order that its buyer cancels', status: 'canceled', begin: ordered({ then: 'cancels' }) },
  awaiting_plan: {
    ...{ about: 'a request that waits for your plan, for orders plan', status: 'seller_review', substatus: 'awaiting_plan' },
    begin: ordered({ template: 'proposal', then: 'silent' }),
  },
}

const LONGEST_WAIT_MS = 60_000
const LOOK_MS = 250

function ordered(body: Ordered): Outcome['begin'] {
  return async ({ operations }) => {
    let demanded = (await operations.orderFromSeller({ body })).body
    const path = { external_order_id: demanded.external_order_id }
    for (const end = Date.now() + LONGEST_WAIT_MS; demanded.order_id === undefined; ) {
      if (demanded.error !== undefined) throw new RefusedFault(`The buyer of the sandbox could not order: ${demanded.error.error_message}`)
      if (Date.now() > end) throw new RefusedFault(`The buyer of the sandbox has not ordered ${path.external_order_id} in a minute.`)
      await pause(LOOK_MS)
      demanded = (await operations.getDemandedOrder({ path })).body
    }
    return demanded.order_id
  }
}

function decided(decision: 'approve' | 'reject'): NonNullable<Outcome['step']> {
  return async ({ operations }: Client, { order_id, status }: Order) => {
    if (status !== 'seller_review') return false
    await operations.decideOrder({ path: { order_id }, body: { decision, actor: 'trigger', reason: 'trigger' } })
    return true
  }
}
