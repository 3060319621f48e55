import { CreateCreative, Creative, CreativeList } from '../src/contract/creative.ts'
import { ListQuery } from '../src/contract/publishedReads.ts'
import { getCreatives, postArchive, postCreative } from './buyer/creatives.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

/** The buyer's registries: what orders refer to. */
export const REGISTRY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: 'get',
    path: '/creatives',
    side: 'buyer',
    scope: 'orders:read',
    summary: "The buyer's creatives",
    query: ListQuery,
    replies: { 200: CreativeList },
    handler: getCreatives,
  }),
  endpoint({
    method: 'post',
    path: '/creatives',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Register a creative',
    body: CreateCreative,
    replies: { 201: Creative },
    handler: postCreative,
  }),
  endpoint({
    method: 'post',
    path: '/creatives/:creative_id/archive',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Archive a creative: no new line may refer to it',
    replies: { 200: Creative },
    handler: postArchive,
  }),
]
