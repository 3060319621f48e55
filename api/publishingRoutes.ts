import { AvailsRead, AvailsUpdate, PutAvails } from '../src/contract/avail.ts'
import { AvailsQuery, CatalogQuery } from '../src/contract/availsQuery.ts'
import { AvailsRequest, AvailsRequestList, AvailsRequestReply } from '../src/contract/availsRequest.ts'
import { AvailsReply, CatalogRead, CatalogReply, CatalogUpdate, PutCatalog, RateCardReply } from '../src/contract/product.ts'
import { EntriesQuery, ListQuery, OwnAvailsQuery, PublishedAvails, RateCardList, RateCardRead } from '../src/contract/publishedReads.ts'
import { PutRateCard, RateCardCommit } from '../src/contract/rateCard.ts'
import { SellerList } from '../src/contract/seller.ts'
import { PUBLISH_BYTES } from '../src/contract/vocabulary.ts'
import { getCatalog, getSellers } from './buyer/discovery.ts'
import { getAvails } from './buyer/getAvails.ts'
import { knownSeller, requestAvails } from './buyer/requestAvails.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { getAvailsRequests, getOwnAvails, getOwnCatalog, getRateCard, getRateCards } from './seller/publishedReads.ts'
import { putAvails } from './seller/putAvails.ts'
import { putCatalog } from './seller/putCatalog.ts'
import { putRateCard } from './seller/putRateCard.ts'

/** What sellers publish, and what buyers and they themselves read of it. */
export const PUBLISHING_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    name: 'publishCatalog',
    method: 'put',
    path: '/me/catalog',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Publish products; they merge into the catalog by product_id',
    body: PutCatalog,
    shownBody: CatalogUpdate,
    unknownMembers: 'refuse',
    bodyLimit: PUBLISH_BYTES,
    replies: { 200: CatalogReply },
    errors: ['GRAIN_CONFLICT', 'DUPLICATE_EXTERNAL_REF'],
    handler: putCatalog,
  }),
  endpoint({
    name: 'getOwnCatalog',
    method: 'get',
    path: '/me/catalog',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'The own catalog, external references included',
    replies: { 200: CatalogRead },
    handler: getOwnCatalog,
  }),
  endpoint({
    name: 'publishRateCard',
    method: 'put',
    path: '/me/rate-cards',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Publish one commit of the rate card',
    body: PutRateCard,
    shownBody: RateCardCommit,
    unknownMembers: 'refuse',
    bodyLimit: PUBLISH_BYTES,
    replies: { 200: RateCardReply },
    errors: ['CONFLICT', 'GRAIN_CONFLICT'],
    handler: putRateCard,
  }),
  endpoint({
    name: 'listRateCards',
    method: 'get',
    path: '/me/rate-cards',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'The own rate card commits, newest first',
    query: ListQuery,
    replies: { 200: RateCardList },
    handler: getRateCards,
  }),
  endpoint({
    name: 'getRateCard',
    method: 'get',
    path: '/me/rate-cards/:commit',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'One commit with its entries per ISO week',
    query: EntriesQuery,
    replies: { 200: RateCardRead },
    handler: getRateCard,
  }),
  endpoint({
    name: 'publishAvails',
    method: 'put',
    path: '/me/avails',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Publish availability; entries merge by product and period',
    body: PutAvails,
    shownBody: AvailsUpdate,
    unknownMembers: 'refuse',
    bodyLimit: PUBLISH_BYTES,
    replies: { 200: AvailsReply },
    handler: putAvails,
  }),
  endpoint({
    name: 'getOwnAvails',
    method: 'get',
    path: '/me/avails',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'The own avails as published',
    query: OwnAvailsQuery,
    replies: { 200: PublishedAvails },
    handler: getOwnAvails,
  }),
  endpoint({
    name: 'listAvailsRequests',
    method: 'get',
    path: '/me/avails/requests',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'What buyers ask of the own avails and is not answered yet',
    query: ListQuery,
    replies: { 200: AvailsRequestList },
    handler: getAvailsRequests,
  }),
  endpoint({
    name: 'listSellers',
    method: 'get',
    path: '/sellers',
    side: 'buyer',
    scope: 'catalog:read',
    summary: 'Sellers with their level, workflows and grains',
    query: ListQuery,
    replies: { 200: SellerList },
    handler: getSellers,
  }),
  endpoint({
    name: 'getCatalog',
    method: 'get',
    path: '/sellers/:seller/catalog',
    side: 'buyer',
    scope: 'catalog:read',
    summary: "A seller's products as far as the buyer may see them",
    query: CatalogQuery,
    replies: { 200: CatalogRead },
    handler: getCatalog,
  }),
  endpoint({
    name: 'getAvails',
    method: 'get',
    path: '/sellers/:seller/avails',
    side: 'buyer',
    scope: 'catalog:read',
    summary: "A seller's availability with the rates that order lines cite",
    query: AvailsQuery,
    replies: { 200: AvailsRead },
    handler: getAvails,
  }),
  endpoint({
    name: 'requestAvails',
    method: 'post',
    path: '/sellers/:seller/avails/requests',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Ask a seller for avails; catalog.avails_answered tells when they are there',
    body: AvailsRequest,
    replies: { 202: AvailsRequestReply },
    owned: knownSeller,
    handler: requestAvails,
  }),
]
