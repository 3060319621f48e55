import { Agreement, AgreementList, BuyerAgreementList, BuyerStanding, Pacing, PutAgreement, PutBuyer } from '../src/contract/agreement.ts'
import { ListQuery } from '../src/contract/publishedReads.ts'
import { Capabilities, SellerProfile } from '../src/contract/seller.ts'
import { getAgreements, getPacing } from './buyer/agreements.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import {
  getAgreement,
  getBuyer,
  getCapabilities,
  getSellerAgreements,
  putAgreement,
  putBuyer,
  putCapabilities,
} from './seller/agreements.ts'

/** Relationships: what sellers grant and declare, and what buyers read of it. */
export const AGREEMENT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: 'get',
    path: '/agreements',
    side: 'buyer',
    scope: 'catalog:read',
    summary: "The buyer's agreements in force and what they unlock",
    query: ListQuery,
    replies: { 200: BuyerAgreementList },
    handler: getAgreements,
  }),
  endpoint({
    method: 'get',
    path: '/agreements/:agreement_id/pacing',
    side: 'buyer',
    scope: 'settlement:read',
    summary: 'How far an agreement is drawn down',
    replies: { 200: Pacing },
    handler: getPacing,
  }),
  endpoint({
    method: 'get',
    path: '/me/agreements',
    side: 'seller',
    scope: 'catalog:read',
    summary: "The seller's agreements",
    query: ListQuery,
    replies: { 200: AgreementList },
    handler: getSellerAgreements,
  }),
  endpoint({
    method: 'get',
    path: '/me/agreements/:agreement_id',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'One agreement, external reference included',
    replies: { 200: Agreement },
    handler: getAgreement,
  }),
  endpoint({
    method: 'put',
    path: '/me/agreements/:agreement_id',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Grant an agreement, or replace it whole',
    body: PutAgreement,
    replies: { 200: Agreement, 201: Agreement },
    handler: putAgreement,
  }),
  endpoint({
    method: 'get',
    path: '/me/buyers/:buyer_entity',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Whether a buyer may order',
    replies: { 200: BuyerStanding },
    handler: getBuyer,
  }),
  endpoint({
    method: 'put',
    path: '/me/buyers/:buyer_entity',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Suspend a buyer, or put one on the allowlist',
    body: PutBuyer,
    replies: { 200: BuyerStanding },
    handler: putBuyer,
  }),
  endpoint({
    method: 'get',
    path: '/me/capabilities',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'The profile that the platform routes on, its level and what the next one needs',
    replies: { 200: Capabilities },
    handler: getCapabilities,
  }),
  endpoint({
    method: 'put',
    path: '/me/capabilities',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Replace the capability profile',
    body: SellerProfile,
    replies: { 200: Capabilities },
    handler: putCapabilities,
  }),
]
