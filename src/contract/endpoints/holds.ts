import { CreateHold, Hold, HoldHeaders, HoldList, HoldsQuery } from '../hold.ts'
import { endpoint, named } from './endpoint.ts'

/** Holds of inventory (additive; choices, Holds). */
export const HOLDS = named({
  createHold: endpoint({
    method: 'post',
    path: '/holds',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Hold inventory for a while, to order it with hold_id on its lines',
    headers: HoldHeaders,
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
    summary: 'Own holds, newest first',
    query: HoldsQuery,
    replies: { 200: HoldList },
  }),
  getHold: endpoint({
    method: 'get',
    path: '/holds/:hold_id',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'One hold',
    replies: { 200: Hold },
  }),
  releaseHold: endpoint({
    method: 'delete',
    path: '/holds/:hold_id',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Release a hold; releasing twice is releasing once',
    replies: { 200: Hold },
    errors: ['INVALID_STATE'],
  }),
})
