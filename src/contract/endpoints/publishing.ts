import { AvailsRead, AvailsUpdate, PutAvails } from '../avail.ts'
import { AvailsQuery, CatalogQuery } from '../availsQuery.ts'
import { AvailsRequest, AvailsRequestList, AvailsRequestReply } from '../availsRequest.ts'
import { DryRunQuery } from '../dryRun.ts'
import { IfMatchBasis } from '../orderQueries.ts'
import { AvailsReply, CatalogRead, CatalogReply, CatalogUpdate, PutCatalog, RateCardReply } from '../product.ts'
import {
  DiffQuery,
  EntriesQuery,
  ListQuery,
  OwnAvailsQuery,
  PublishedAvails,
  RateCardDiff,
  RateCardList,
  RateCardRead,
  RatesQuery,
  RatesRead,
} from '../publishedReads.ts'
import { PutRateCard, RateCardCommit } from '../rateCard.ts'
import { SellerList } from '../seller.ts'
import { PUBLISH_BYTES } from '../vocabulary/bounds.ts'
import { endpoint, named } from './endpoint.ts'

/** What sellers publish, and how they and buyers read it. */
export const PUBLISHING = named({
  publishCatalog: endpoint({
    method: 'put',
    path: '/me/catalog',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Publish products',
    description:
      "Merges products into the seller's catalog by product_id; it never deletes one: send status withdrawn to stop selling it. " +
      'Each product is checked on its own: faulty ones are listed in errors and the others are stored. Sending the same body again ' +
      'changes nothing. A conflict between products refuses the whole request, and a catalog.integrity_failed event follows to the ' +
      'seller.',
    body: PutCatalog,
    shownBody: CatalogUpdate,
    unknownMembers: 'refuse',
    bodyLimit: PUBLISH_BYTES,
    query: DryRunQuery,
    headers: IfMatchBasis,
    replies: { 200: CatalogReply },
    errors: ['GRAIN_CONFLICT', 'DUPLICATE_EXTERNAL_REF', 'CONFLICT'],
  }),
  getOwnCatalog: endpoint({
    method: 'get',
    path: '/me/catalog',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Get your own catalog',
    description:
      'Returns every product that the seller has published, withdrawn products and external_ref included, with the values that no ' +
      'rate entry prices in unpriced. It is not filtered by what buyers may see.',
    replies: { 200: CatalogRead },
  }),
  publishRateCard: endpoint({
    method: 'put',
    path: '/me/rate-cards',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Publish a rate card commit',
    description:
      'Publishes one named version of the rate card and gives every entry one price per ISO week, each with its own locked_rate_id. ' +
      'Faulty entries are listed in errors and the others are stored; orders already placed keep their prices. The same name with the ' +
      'same bytes replays the stored reply, unless an entry that it refused passes now; other bytes may complete what was refused, and ' +
      'are 409 CONFLICT, with details.entries, if they would change what was published. Buyers receive ' +
      'catalog.rate_card_published, and catalog.window_opened when a window opens.',
    body: PutRateCard,
    shownBody: RateCardCommit,
    unknownMembers: 'refuse',
    bodyLimit: PUBLISH_BYTES,
    query: DryRunQuery,
    headers: IfMatchBasis,
    replies: { 200: RateCardReply },
    replyHeaders: { 200: ['X-Idempotent-Replay'] },
    errors: ['CONFLICT', 'GRAIN_CONFLICT'],
  }),
  listRateCards: endpoint({
    method: 'get',
    path: '/me/rate-cards',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'List your own rate card commits',
    description:
      "Returns the seller's commits, newest first, with their effective dates. Entries are not included: read one commit for them.",
    query: ListQuery,
    replies: { 200: RateCardList },
  }),
  getRateCard: endpoint({
    method: 'get',
    path: '/me/rate-cards/:commit',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Get one rate card commit',
    description:
      "Returns the entries of one of the seller's own commits, one per price and ISO week, with the locked_rate_id that order lines " +
      'cite. Large commits are read page by page.',
    query: EntriesQuery,
    replies: { 200: RateCardRead },
  }),
  diffRateCard: endpoint({
    method: 'get',
    path: '/me/rate-cards/:commit/diff',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Compare two rate card commits',
    description:
      'Returns what one commit prices unlike another, by key and ISO week, with the number of prices that were added, changed, removed or ' +
      'left alike. A commit prices only the keys that it names, so a removed price may still be in force. Large differences are read page ' +
      'by page.',
    query: DiffQuery,
    replies: { 200: RateCardDiff },
  }),
  getRates: endpoint({
    method: 'get',
    path: '/me/rates',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Get your prices in force',
    description:
      'Returns the price in force of each key of one product in the given weeks, with the commit that it is from, of the open card and of ' +
      'every agreement. Quotes for one buyer are not included. It can be read page by page.',
    query: RatesQuery,
    replies: { 200: RatesRead },
  }),
  publishAvails: endpoint({
    method: 'put',
    path: '/me/avails',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Publish availability',
    description:
      'Merges avail entries by product and period; published counts inform buyers and bound holds, and never refuse an order. Each ' +
      'entry is checked on its own: faulty ones are listed in errors and the others are stored. Sending the same body again changes ' +
      'nothing. Where an entry answers an open request, catalog.avails_answered follows to the buyer and the seller.',
    body: PutAvails,
    shownBody: AvailsUpdate,
    unknownMembers: 'refuse',
    bodyLimit: PUBLISH_BYTES,
    query: DryRunQuery,
    headers: IfMatchBasis,
    replies: { 200: AvailsReply },
    errors: ['CONFLICT'],
  }),
  getOwnAvails: endpoint({
    method: 'get',
    path: '/me/avails',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Get your own avails',
    description:
      "Returns the seller's avail entries as it published them, without prices and without the disclosure rules that apply to " + 'buyers.',
    query: OwnAvailsQuery,
    replies: { 200: PublishedAvails },
  }),
  listAvailsRequests: endpoint({
    method: 'get',
    path: '/me/avails/requests',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'List open avails requests',
    description:
      "Returns what buyers have asked about the seller's avails and nobody has answered yet, oldest first. Publishing the avails or " +
      'posting a plan answers a request and removes it from this list.',
    query: ListQuery,
    replies: { 200: AvailsRequestList },
  }),
  listSellers: endpoint({
    method: 'get',
    path: '/sellers',
    side: 'buyer',
    scope: 'catalog:read',
    summary: 'List sellers',
    description:
      'Returns the sellers that the buyer may order from, with conformance level, workflows and the period lengths they sell. ' +
      'Products are not included.',
    query: ListQuery,
    replies: { 200: SellerList },
  }),
  getCatalog: endpoint({
    method: 'get',
    path: '/sellers/:seller/catalog',
    side: 'buyer',
    scope: 'catalog:read',
    summary: "Get a seller's catalog",
    description:
      "Returns the seller's products that the buyer may see, with the taxonomy version and the current rate card commit. Products " +
      "sold by agreement appear for buyers whose agreement unlocks them. The seller's external_ref is never shown.",
    query: CatalogQuery,
    replies: { 200: CatalogRead },
  }),
  getAvails: endpoint({
    method: 'get',
    path: '/sellers/:seller/avails',
    side: 'buyer',
    scope: 'catalog:read',
    summary: "Get a seller's avails and rates",
    description:
      'Returns availability per product and period, with the prices that an order line cites by locked_rate_id. Only products and ' +
      'prices that the buyer may see are included. Reading avails reserves nothing: create a hold, or place an order.',
    query: AvailsQuery,
    replies: { 200: AvailsRead },
  }),
  requestAvails: endpoint({
    method: 'post',
    path: '/sellers/:seller/avails/requests',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Request avails',
    description:
      'Asks a seller for the avails of one product and period that it does not publish to this buyer. The same question, while ' +
      'open, returns the same request_id. catalog.avails_answered follows when the seller publishes the avails or posts a plan that ' +
      'covers them.',
    body: AvailsRequest,
    replies: { 202: AvailsRequestReply },
  }),
})
