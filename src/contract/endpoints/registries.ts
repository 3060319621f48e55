import { CreateCreative, Creative, CreativeList } from '../creative.ts'
import { ListQuery } from '../publishedReads.ts'
import { CreateUpload, Upload, UploadContent } from '../upload.ts'
import { BYTES, endpoint, named } from './endpoint.ts'

/** The buyer's registries: what orders refer to. */
export const REGISTRIES = named({
  listCreatives: endpoint({
    method: 'get',
    path: '/creatives',
    side: 'buyer',
    scope: 'orders:read',
    summary: "The buyer's creatives",
    query: ListQuery,
    replies: { 200: CreativeList },
  }),
  createCreative: endpoint({
    method: 'post',
    path: '/creatives',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Register a creative',
    body: CreateCreative,
    replies: { 201: Creative },
  }),
  archiveCreative: endpoint({
    method: 'post',
    path: '/creatives/:creative_id/archive',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Archive a creative: no new line may refer to it',
    replies: { 200: Creative },
  }),
  createUpload: endpoint({
    method: 'post',
    path: '/uploads',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Announce a file; its content follows in one PUT',
    body: CreateUpload,
    replies: { 201: Upload },
  }),
  getUpload: endpoint({
    method: 'get',
    path: '/uploads/:upload_id',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'One upload',
    replies: { 200: Upload },
  }),
  putUploadContent: endpoint({
    method: 'put',
    path: '/uploads/:upload_id/content',
    side: 'buyer',
    scope: 'orders:write',
    body: BYTES,
    summary: 'The bytes of an upload, once; they must be what was announced',
    replies: { 200: UploadContent },
    errors: ['CONFLICT', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'],
  }),
})
