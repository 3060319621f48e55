import {
  Agreement,
  AgreementList,
  BuyerAgreementList,
  BuyerStanding,
  BuyerStandingList,
  Credit,
  CreditQuery,
  GrantReply,
  Pacing,
  PutAgreement,
  PutBuyer,
} from '../agreement.ts'
import { ApprovalRules, PutApprovalRules } from '../approvalRules.ts'
import { DryRunQuery } from '../dryRun.ts'
import { IfMatchDocument, IfMatchOrNew } from '../orderQueries.ts'
import { ListQuery } from '../publishedReads.ts'
import { PutSecret, SecretName } from '../secret.ts'
import { Capabilities, SellerProfile } from '../seller.ts'
import { endpoint, named } from './endpoint.ts'

/** Relationships: what sellers grant and declare, and how buyers read it. */
export const RELATIONS = named({
  listAgreements: endpoint({
    method: 'get',
    path: '/agreements',
    side: 'buyer',
    scope: 'catalog:read',
    summary: 'List your agreements',
    description:
      "Returns the buyer's agreements in force, with the products, buy types and period lengths they unlock and the terms that " +
      "orders under them keep. The seller's external_ref is never shown.",
    query: ListQuery,
    replies: { 200: BuyerAgreementList },
  }),
  getPacing: endpoint({
    method: 'get',
    path: '/agreements/:agreement_id/pacing',
    side: 'buyer',
    scope: 'settlement:read',
    summary: 'Get the pacing of an agreement',
    description:
      'Returns the commitment of one agreement, the gross booked under it and the remainder, in major units of its currency. The ' +
      'figures are computed at the moment of the call.',
    replies: { 200: Pacing },
  }),
  getCredit: endpoint({
    method: 'get',
    path: '/settlement/credit',
    side: 'buyer',
    scope: 'settlement:read',
    summary: 'Get the credit of an agreement',
    description:
      'Returns the credit limit of one agreement, the exposure of its cleared orders and what is available, in major units of its ' +
      'currency. The query must name the agreement; there is no figure across agreements.',
    query: CreditQuery,
    replies: { 200: Credit },
    errors: ['NOT_FOUND'],
  }),
  listGrantedAgreements: endpoint({
    method: 'get',
    path: '/me/agreements',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'List the agreements you granted',
    description: "Returns the seller's agreements, ended ones included.",
    query: ListQuery,
    replies: { 200: AgreementList },
  }),
  getGrantedAgreement: endpoint({
    method: 'get',
    path: '/me/agreements/:agreement_id',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Get an agreement you granted',
    description: "Returns one of the seller's agreements with its external_ref. The ETag can be sent as If-Match with its replacement.",
    replies: { 200: Agreement },
    replyHeaders: { 200: ['ETag'] },
  }),
  getGrantedPacing: endpoint({
    method: 'get',
    path: '/me/agreements/:agreement_id/pacing',
    side: 'seller',
    scope: 'settlement:read',
    summary: 'Get the pacing of an agreement you granted',
    description:
      'Returns the pacing of an agreement that the seller granted, with the figures its buyer reads: commitment, gross booked, remainder and gross invoiced, ' +
      'in major units of its currency.',
    replies: { 200: Pacing },
  }),
  getGrantedCredit: endpoint({
    method: 'get',
    path: '/me/agreements/:agreement_id/credit',
    side: 'seller',
    scope: 'settlement:read',
    summary: 'Get the credit of an agreement you granted',
    description:
      'Returns the credit of an agreement that the seller granted, with the figures its buyer reads: credit limit, exposure of its cleared orders and what is ' +
      'available, in major units of its currency.',
    replies: { 200: Credit },
  }),
  grantAgreement: endpoint({
    method: 'put',
    path: '/me/agreements/:agreement_id',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Grant or replace an agreement',
    description:
      'Creates the agreement of this id with a buyer (201), or replaces it whole (200): a member that is left out takes its ' +
      'default. With If-None-Match: * it only creates. Sending the same body again changes nothing, and no event follows. Orders ' +
      'already placed keep the terms they were created with; a dry run says what the buyer would see before and after.',
    body: PutAgreement,
    unknownMembers: 'refuse',
    headers: IfMatchOrNew,
    query: DryRunQuery,
    replies: { 200: GrantReply, 201: Agreement },
    replyHeaders: { 200: ['ETag'], 201: ['ETag'] },
    errors: ['DUPLICATE_EXTERNAL_REF', 'DUPLICATE_DISCLOSURE_OVERRIDE', 'CONFLICT'],
  }),
  listBuyers: endpoint({
    method: 'get',
    path: '/me/buyers',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'List the standings that you set',
    description: 'Returns the buyers whose standing the seller has set, by name. A buyer that is not listed has the default standing.',
    query: ListQuery,
    replies: { 200: BuyerStandingList },
  }),
  getBuyer: endpoint({
    method: 'get',
    path: '/me/buyers/:buyer_entity',
    side: 'seller',
    scope: 'catalog:read',
    summary: "Get a buyer's standing",
    description:
      'Returns whether a buyer may order from the seller. A name that the seller has said nothing about returns the default ' +
      'standing, whether or not such a buyer exists.',
    replies: { 200: BuyerStanding },
  }),
  putBuyer: endpoint({
    method: 'put',
    path: '/me/buyers/:buyer_entity',
    side: 'seller',
    scope: 'catalog:write',
    summary: "Set a buyer's standing",
    description:
      'Suspends or reinstates a buyer, or puts one on the allowlist that a seller with access allowlist takes orders from. A ' +
      'suspended buyer cannot create orders or holds; its existing orders continue. Sending the same body again changes nothing, ' +
      'and no event follows.',
    body: PutBuyer,
    unknownMembers: 'refuse',
    replies: { 200: BuyerStanding },
  }),
  getCapabilities: endpoint({
    method: 'get',
    path: '/me/capabilities',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Get your capability profile',
    description:
      'Returns the profile that the platform routes orders by, the conformance level computed from it and what the next level ' + 'needs.',
    replies: { 200: Capabilities },
    replyHeaders: { 200: ['ETag'] },
  }),
  putCapabilities: endpoint({
    method: 'put',
    path: '/me/capabilities',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Replace your capability profile',
    description:
      "Replaces the seller's profile whole: a member that is left out takes its default. The conformance level is computed and " +
      'cannot be sent. The platform never calls a capability that the profile does not declare. Sending the same body again changes ' +
      'nothing, and no event follows.',
    body: SellerProfile,
    unknownMembers: 'refuse',
    headers: IfMatchDocument,
    replies: { 200: Capabilities },
    replyHeaders: { 200: ['ETag'] },
    errors: ['CONFLICT'],
  }),
  putSecret: endpoint({
    method: 'put',
    path: '/me/secrets/:name',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Store a secret',
    description:
      "Stores or replaces a secret that the capability profile refers to by name, such as the one that signs calls to the seller's " +
      'own API. It is encrypted at rest and no reply ever shows it.',
    body: PutSecret,
    replies: { 200: SecretName },
  }),
  getApprovalRules: endpoint({
    method: 'get',
    path: '/me/approval-rules',
    side: 'seller',
    scope: 'orders:read',
    summary: 'Get your approval rules',
    description:
      "Returns the seller's approval rules in order, what each did in the last 30 days and whether the profile puts them in force.",
    replies: { 200: ApprovalRules },
    replyHeaders: { 200: ['ETag'] },
  }),
  putApprovalRules: endpoint({
    method: 'put',
    path: '/me/approval-rules',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Replace your approval rules',
    description:
      'Replaces all approval rules; the first rule that matches an order decides it. Rules decide only while the profile says ' +
      'approval: rules, and only orders that reach seller_review afterwards. Sending the same body again changes nothing. Decisions ' +
      'follow later as order.status_changed events with gate rule.',
    body: PutApprovalRules,
    unknownMembers: 'refuse',
    headers: IfMatchDocument,
    replies: { 200: ApprovalRules },
    replyHeaders: { 200: ['ETag'] },
    errors: ['CONFLICT'],
  }),
})
