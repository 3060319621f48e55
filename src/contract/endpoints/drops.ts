import { DropFile, DropList, DropListQuery, DropReceipt, DropResult, Manifest } from '../drop.ts'
import { Mapping, MappingList, MappingListQuery, PutMapping } from '../mapping.ts'
import { IfMatchOrNew } from '../orderQueries.ts'
import { BYTES, endpoint, NO_CONTENT, named } from './endpoint.ts'

/** File drops, by which a seller publishes files. */
export const DROPS = named({
  putDropFile: endpoint({
    method: 'put',
    path: '/me/files/:drop_id/:filename',
    side: 'seller',
    scope: 'catalog:write',
    body: BYTES,
    summary: 'Put a file into a drop',
    description:
      'Stores the bytes as a file of the drop and returns their SHA-256. A file of the same name is replaced. Nothing is read from it before a ' +
      'manifest names it: register the drop, or put manifest.json last.',
    replies: { 201: DropFile },
    errors: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  }),
  listDrops: endpoint({
    method: 'get',
    path: '/me/files',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'List your file drops',
    description:
      "Returns the runs of the seller's drops, newest first, without their errors. A drop that was registered several times is listed as often.",
    query: DropListQuery,
    replies: { 200: DropList },
  }),
  getDrop: endpoint({
    method: 'get',
    path: '/me/files/:drop_id',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Get the result of a file drop',
    description:
      'Returns the result of the newest run of a drop: its status, how many rows were written, and the errors by file and row. While it is processing, ' +
      'stage and counts tell how far it is; errors follow when it has ended. A manifest.json that has landed since is shown in its place until it is ' +
      'registered or refused, with what it waits for.',
    replies: { 200: DropResult },
  }),
  // Declared after the path whose parameter would match it, since later rows are matched first.
  registerDrop: endpoint({
    method: 'post',
    path: '/me/files/manifest',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Register a file drop',
    description:
      'Registers the files of a drop, which have landed before, and returns where its result is read; ingestion follows, and the result also lands ' +
      'in the drop as success.json or errors.json. Files with the same set of sha256 values as an earlier drop are not ingested again: the reply and ' +
      'the result are those of the original, unless reprocess is true. A manifest.json that lands in the drop does the same as this call.',
    body: Manifest,
    replies: { 202: DropReceipt },
    replyHeaders: { 202: ['X-Idempotent-Replay'] },
    errors: ['NOT_FOUND'],
  }),
  listMappings: endpoint({
    method: 'get',
    path: '/me/files/mappings',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'List your mappings of files',
    description: "Returns the mappings by which the seller's own files are read, by name.",
    query: MappingListQuery,
    replies: { 200: MappingList },
  }),
  getMapping: endpoint({
    method: 'get',
    path: '/me/files/mappings/:name',
    side: 'seller',
    scope: 'catalog:read',
    summary: 'Get a mapping of files',
    description: 'Returns one mapping. The ETag can be sent as If-Match with its replacement.',
    replies: { 200: Mapping },
    replyHeaders: { 200: ['ETag'] },
  }),
  putMapping: endpoint({
    method: 'put',
    path: '/me/files/mappings/:name',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Make or replace a mapping of files',
    description:
      'Says how files with columns of your own system are read: which of its columns is which of ours, what its words mean and which rows are left ' +
      'out. Creates the mapping (201) or replaces it whole (200); the same body again changes nothing. It is used for csv, xlsx and parquet files whose ' +
      'headings are its headers, or whose manifest entry names it. A drop reads by the mappings of the moment at which it was registered.',
    body: PutMapping,
    unknownMembers: 'refuse',
    headers: IfMatchOrNew,
    replies: { 200: Mapping, 201: Mapping },
    replyHeaders: { 200: ['ETag'], 201: ['ETag'] },
    errors: ['CONFLICT'],
  }),
  deleteMapping: endpoint({
    method: 'delete',
    path: '/me/files/mappings/:name',
    side: 'seller',
    scope: 'catalog:write',
    summary: 'Delete a mapping of files',
    description: 'Removes a mapping; deleting twice changes nothing. Drops that were registered before still read by it.',
    replies: { 204: NO_CONTENT },
  }),
})
