import type { DocumentPages } from '../../../src/contract/documentPages.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { findShownPages } from '../../../src/store/files/documentReadings.ts'
import { findAttached, findOwnBytes, readUpload, type UploadBytes } from '../../../src/store/files/uploads.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { noSuchOrder, ownOrder } from './ownOrder.ts'

/** GET /uploads/{id}/content: the bytes of one of the buyer's uploads. INVALID_STATE if it has none. */
export const getUploadContent: Handler = async (deps, { caller, params }) => {
  const { upload_id = '' } = params
  const found = await findOwnBytes(deps.db, caller.entity, upload_id)
  if (found !== undefined) return download(deps, found)
  const upload = await readUpload(deps.db, caller.entity, upload_id)
  if (upload === undefined) throw new Refusal('NOT_FOUND', 'There is no such upload.')
  const { status } = upload
  throw new Refusal('INVALID_STATE', `The upload is ${status}: it has no content to read.`, { status })
}

/** GET /uploads/{id}/pages: what the reader of documents saw of one of the buyer's uploads. INVALID_STATE if it has not read it of late. */
export const getUploadPages: Handler = async (deps, { caller, params }) => {
  const { upload_id = '' } = params
  const upload = await readUpload(deps.db, caller.entity, upload_id)
  if (upload === undefined) throw new Refusal('NOT_FOUND', 'There is no such upload.')
  const shown = await deps.pages.inTurn(caller.entity, () => findShownPages(deps.db, caller.entity, upload_id))
  if (shown !== undefined) return ok({ upload_id, format: upload.format, ...shown } satisfies DocumentPages)
  const { status } = upload
  throw new Refusal('INVALID_STATE', 'No order by this upload has been read within the last week.', { status })
}

/** GET /orders/{id}/attachments/{upload_id}, and the seller's: a file that the buyer attached to an order or ordered by, or the notice of a makegood. */
export const getAttachment: Handler = async (deps, { caller, params }) => {
  const found = await findAttached(deps.db, await ownOrder(deps, caller, params), params.upload_id ?? '')
  if (found === undefined) throw noSuchOrder()
  return download(deps, found)
}

/** Sends a stranger's file so that browsers save it, guess no type and run nothing in it (choices, Uploads: contents). */
async function download({ objects }: Pick<Deps, 'objects'>, { object, filename, size_bytes }: UploadBytes): Promise<Reply> {
  const bytes = await objects.get(object)
  if (bytes === undefined) throw new Refusal('UNAVAILABLE', 'The file cannot be read right now; try again.')
  return {
    status: 200,
    download: bytes,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(size_bytes),
      'Content-Disposition': disposition(filename),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    },
  }
}

/** Names the file in ASCII, for old browsers, and in UTF-8 (RFC 6266). */
function disposition(filename: string): string {
  const ascii = filename.replace(/[^\w.-]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
