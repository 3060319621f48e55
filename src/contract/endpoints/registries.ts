import { CreateCreative, Creative, CreativeList } from '../creative.ts'
import { DocumentPages } from '../documentPages.ts'
import { IdempotencyHeaders } from '../idempotencyKey.ts'
import { ListQuery } from '../publishedReads.ts'
import { CreateUpload, SellerUpload, Upload, UploadContent } from '../upload.ts'
import { BYTES, DOWNLOAD, endpoint, named } from './endpoint.ts'

/** The buyer's registries, whose entries orders refer to. */
export const REGISTRIES = named({
  listCreatives: endpoint({
    method: 'get',
    path: '/creatives',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'List your creatives',
    description: "Returns the buyer's creatives, archived ones included. Other buyers and sellers do not see this registry.",
    query: ListQuery,
    replies: { 200: CreativeList },
  }),
  createCreative: endpoint({
    method: 'post',
    path: '/creatives',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Register a creative',
    description:
      "Adds a creative to the buyer's registry so that order lines can refer to it by creative_id. It stores no media. Each call " +
      'creates another record, unless its Idempotency-Key repeats an earlier one. No event follows.',
    body: CreateCreative,
    replies: { 201: Creative },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT'],
  }),
  archiveCreative: endpoint({
    method: 'post',
    path: '/creatives/:creative_id/archive',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Archive a creative',
    description:
      'Archives a creative so that no new line can refer to it; orders that already do keep their snapshot of it. Archiving twice ' +
      'changes nothing. A creative cannot be restored or deleted.',
    replies: { 200: Creative },
  }),
  createUpload: endpoint({
    method: 'post',
    path: '/uploads',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Announce an upload',
    description:
      'Announces a file and returns the path for its content, which follows in one PUT. Each call creates another upload, unless ' +
      'its Idempotency-Key repeats an earlier one. An upload that no order refers to lapses at expires_at. No event follows.',
    body: CreateUpload,
    replies: { 201: Upload },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT'],
  }),
  getUpload: endpoint({
    method: 'get',
    path: '/uploads/:upload_id',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'Get an upload',
    description:
      "Returns the record of one of the buyer's uploads: its status, size and hash. Its content is at /uploads/{upload_id}/content.",
    replies: { 200: Upload },
  }),
  getUploadContent: endpoint({
    method: 'get',
    path: '/uploads/:upload_id/content',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'Download the content of an upload',
    description: "Returns the bytes of one of the buyer's uploads as a file to be saved. An upload without content is 409 INVALID_STATE.",
    ...DOWNLOAD,
    errors: ['INVALID_STATE'],
  }),
  getUploadPages: endpoint({
    method: 'get',
    path: '/uploads/:upload_id/pages',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'Get the texts of an upload that was read',
    description:
      'Returns the texts of an upload that an order was placed by, with their places, as the reader of documents saw them. They are kept ' +
      'for a week; before an order by it and after that week the answer is 409 INVALID_STATE.',
    replies: { 200: DocumentPages },
    errors: ['INVALID_STATE'],
  }),
  putUploadContent: endpoint({
    method: 'put',
    path: '/uploads/:upload_id/content',
    side: 'buyer',
    scope: 'orders:write',
    body: BYTES,
    summary: 'Send the content of an upload',
    description:
      'Stores the bytes of an announced upload, exactly once, and returns their SHA-256. The bytes must have the announced size and ' +
      'format; otherwise the upload is rejected for good. A second PUT is 409 CONFLICT and leaves the stored bytes untouched. The ' +
      'bytes are not parsed here.',
    replies: { 200: UploadContent },
    errors: ['CONFLICT', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'],
  }),
  getOwnAttachment: endpoint({
    method: 'get',
    path: '/orders/:order_id/attachments/:upload_id',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'Download a file of an order',
    description:
      "Returns the bytes of a file of one of the buyer's orders as a file to be saved: what it attached or ordered by, or the notice of a makegood, whose upload_id " +
      'names it.',
    ...DOWNLOAD,
  }),
  createSellerUpload: endpoint({
    method: 'post',
    path: '/me/uploads',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Announce the file of a notice',
    description:
      'Announces the notice of a makegood as a file and returns the path for its content, which follows in one PUT. Each call creates another upload, unless ' +
      'its Idempotency-Key repeats an earlier one. An upload that no notice names lapses at expires_at. No event follows.',
    body: CreateUpload,
    replies: { 201: SellerUpload },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT'],
  }),
  getSellerUpload: endpoint({
    method: 'get',
    path: '/me/uploads/:upload_id',
    side: 'seller',
    scope: 'orders:read',
    summary: 'Get an upload of a seller',
    description: "Returns the record of one of the seller's uploads: its status, size and hash.",
    replies: { 200: SellerUpload },
  }),
  putSellerUploadContent: endpoint({
    method: 'put',
    path: '/me/uploads/:upload_id/content',
    side: 'seller',
    scope: 'orders:approve',
    body: BYTES,
    summary: 'Send the file of a notice',
    description:
      'Stores the bytes of an announced upload, exactly once, and returns their SHA-256. The bytes must have the announced size and ' +
      'format; otherwise the upload is rejected for good. A second PUT is 409 CONFLICT and leaves the stored bytes untouched.',
    replies: { 200: UploadContent },
    errors: ['CONFLICT', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'],
  }),
})
