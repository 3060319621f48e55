import { CreateCreative, Creative, CreativeList } from '../src/contract/creative.ts'
import { ListQuery } from '../src/contract/publishedReads.ts'
import { CreateUpload, Upload, UploadContent } from '../src/contract/upload.ts'
import { getCreatives, postArchive, postCreative } from './buyer/creatives.ts'
import { getUpload, ownUpload, postUpload, putUploadContent } from './buyer/uploads.ts'
import { type Endpoint, endpoint, streamEndpoint } from './endpoint.ts'

/** The buyer's registries: what orders refer to. */
export const REGISTRY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    name: 'listCreatives',
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
    name: 'createCreative',
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
    name: 'archiveCreative',
    method: 'post',
    path: '/creatives/:creative_id/archive',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Archive a creative: no new line may refer to it',
    replies: { 200: Creative },
    handler: postArchive,
  }),
  endpoint({
    name: 'createUpload',
    method: 'post',
    path: '/uploads',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Announce a file; its content follows in one PUT',
    body: CreateUpload,
    replies: { 201: Upload },
    handler: postUpload,
  }),
  endpoint({
    name: 'getUpload',
    method: 'get',
    path: '/uploads/:upload_id',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'One upload',
    replies: { 200: Upload },
    handler: getUpload,
  }),
  streamEndpoint({
    name: 'putUploadContent',
    method: 'put',
    path: '/uploads/:upload_id/content',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'The bytes of an upload, once; they must be what was announced',
    replies: { 200: UploadContent },
    errors: ['CONFLICT', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'],
    owned: ownUpload,
    handler: putUploadContent,
  }),
]
