import { CreateHold, Hold, HoldList, HoldsQuery, ReceivedHoldList } from '../hold.ts'
import { IdempotencyHeaders } from '../idempotencyKey.ts'
import { endpoint, named } from './endpoint.ts'

/** Holds of inventory (additive; choices, Holds). */
export const HOLDS = named({
  createHold: endpoint({
    method: 'post',
    path: '/holds',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Create a hold',
    description:
      'Asks a seller to keep inventory for the buyer for ttl_minutes, so that an order can cite it by hold_id on its lines. It ' +
      'books nothing and locks no price. With an Idempotency-Key the same bytes replay the stored reply; with other bytes it is 409 ' +
      'CONFLICT. No event follows: read the hold to see when it was used or ended.',
    headers: IdempotencyHeaders,
    body: CreateHold,
    replies: { 201: Hold },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    errors: ['INVENTORY_UNAVAILABLE', 'CONFLICT'],
  }),
  listHolds: endpoint({
    method: 'get',
    path: '/holds',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'List your holds',
    description: "Returns the buyer's holds, newest first, those that were used or have ended included.",
    query: HoldsQuery,
    replies: { 200: HoldList },
  }),
  listReceivedHolds: endpoint({
    method: 'get',
    path: '/me/holds',
    side: 'seller',
    scope: 'orders:read',
    summary: 'List the holds on your inventory',
    description: "Returns what buyers hold of the seller's inventory, newest first, holds that were used or have ended included.",
    query: HoldsQuery,
    replies: { 200: ReceivedHoldList },
  }),
  getHold: endpoint({
    method: 'get',
    path: '/holds/:hold_id',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'Get a hold',
    description: "Returns one of the buyer's holds. A hold whose time is over reads expired.",
    replies: { 200: Hold },
  }),
  releaseHold: endpoint({
    method: 'delete',
    path: '/holds/:hold_id',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Release a hold',
    description:
      "Ends a hold before its time and informs the seller's own API where it has one. Releasing twice changes nothing; a hold that " +
      'an order has used is 409 INVALID_STATE. No event follows.',
    replies: { 200: Hold },
    errors: ['INVALID_STATE'],
  }),
})
