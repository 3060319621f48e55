import { createHash } from 'node:crypto'
import type { ByteStream } from '../../../src/contract/endpoints/endpoint.ts'
import type { CreateUpload, Upload, UploadContent } from '../../../src/contract/upload.ts'
import { UPLOAD_WARNING } from '../../../src/contract/vocabulary/codes.ts'
import { overLimit } from '../../../src/domain/overLimit.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { type CsvFault, sniffFormat } from '../../../src/domain/uploads/sniffFormat.ts'
import { claimUpload, endClaim, mintUpload, readUpload, type UploadClaim } from '../../../src/store/files/uploads.ts'
import type { Call, Caller } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'

/** POST /uploads: 201 with the record in status pending. 429 once the buyer has used up the daily share (choices, Limits). */
export const postUpload: Handler<CreateUpload> = async ({ db, uploads }, { caller, body }) => {
  if (body.size_bytes > uploads.maxBytes) {
    const maximum = uploads.maxBytes
    throw new Refusal('INVALID_INPUT', `An upload has ${maximum} bytes at most.`, { field: 'size_bytes', maximum })
  }
  const mint = await mintUpload(db, caller.entity, body, uploads)
  if ('minted' in mint) return { status: 201, body: mint.minted }
  const message = `A tenant may announce ${uploads.perDay} uploads a day.`
  throw overLimit({ limit: 'uploads', most: uploads.perDay, window_s: 86_400 }, message, mint.retryAfter)
}

/** GET /uploads/{id}: an upload past expires_at that no order references reads expired, whether or not it has been lapsed yet. */
export const getUpload: Handler = async (deps, { caller, params }) => ok(await ownUpload(deps, caller, params))

export async function ownUpload({ db }: Deps, { entity }: Caller, { upload_id = '' }: Call['params']): Promise<Upload> {
  const upload = await readUpload(db, entity, upload_id)
  if (upload === undefined) throw unknownUpload()
  return upload
}

/**
 * PUT /uploads/{id}/content: exactly one per upload. The upload is claimed before a byte is read. Bytes that contradict the announcement
 * reject the record permanently (422); a client that disconnects midway may start again (contract, Upload; choices, Uploads, further).
 */
export const putUploadContent: Handler<ByteStream> = async (deps, { caller, params, body }) => {
  const claim = await claimUpload(deps.db, caller.entity, params.upload_id ?? '')
  if (claim === undefined) throw await unclaimable(deps, caller.entity, params.upload_id ?? '')
  const { upload_id, size_bytes } = claim
  try {
    const { sha256, warnings } = await store(deps, claim, body)
    if (await endClaim(deps.db, claim, { status: 'uploaded', sha256 })) {
      return ok({
        upload_id,
        status: 'uploaded',
        sha256,
        size_bytes,
        ...(warnings.length === 0 ? {} : { warnings }),
      } satisfies UploadContent)
    }
  } catch (error) {
    await giveUp(deps, claim, error instanceof Contradiction ? 'rejected' : 'pending')
    throw error
  }
  // The upload was lapsed or taken over while its bytes arrived.
  await deps.objects.delete(claim.object)
  throw await unclaimable(deps, caller.entity, upload_id)
}

/** Ends the claim. If this fails too, the claim becomes stale in five minutes. The object is deleted only if no record can refer to it. */
async function giveUp({ db, objects }: Deps, claim: UploadClaim, status: 'rejected' | 'pending'): Promise<void> {
  const ended = await endClaim(db, claim, { status }).catch(() => false)
  if (ended) await objects.delete(claim.object).catch(() => undefined)
}

/** Rejects an upload whose bytes contradict its announcement; the rejection is final. */
class Contradiction extends Refusal {}

interface Stored {
  readonly sha256: string
  readonly warnings: NonNullable<UploadContent['warnings']>
}

/** Counts, hashes and inspects the bytes while it stores them, and returns their hash. Contradicting bytes are not kept. */
async function store({ objects }: Deps, { object, format, size_bytes }: UploadClaim, { bytes, length }: ByteStream): Promise<Stored> {
  if (length !== undefined && length > size_bytes) throw wrongSize(size_bytes, 'more')
  const hash = createHash('sha256')
  const sniffer = sniffFormat()
  async function* checked(): AsyncGenerator<Uint8Array> {
    let received = 0
    for await (const chunk of bytes) {
      received += chunk.length
      if (received > size_bytes) throw wrongSize(size_bytes, 'more')
      hash.update(chunk)
      sniffer.see(chunk)
      yield chunk
    }
    if (received < size_bytes) throw wrongSize(size_bytes, received)
    const detected_format = sniffer.format()
    if (detected_format !== format) {
      const fault = format === 'csv' && detected_format === null ? sniffer.csvFault() : undefined
      if (fault !== undefined) throw raggedRow(fault, sniffer.csvSeparator())
      const message = `The bytes are ${detected_format ?? 'of no format that is taken'}; ${format} was announced.`
      throw new Contradiction('INVALID_INPUT', message, { detected_format })
    }
  }
  await objects.put(object, checked())
  const separator = format === 'csv' ? sniffer.csvSeparator() : undefined
  const warnings = separator === undefined ? [] : [{ code: UPLOAD_WARNING, message: inCommas(separator) } as const]
  return { sha256: hash.digest('hex'), warnings }
}

function raggedRow({ row, message }: CsvFault, separator: string | undefined): Contradiction {
  const said = [`Row ${row} of the csv ${message}.`, ...(separator === undefined ? [] : [inCommas(separator)])].join(' ')
  return new Contradiction('INVALID_INPUT', said, { detected_format: null, row })
}

function inCommas(separator: string): string {
  return `The fields are separated by ${separator}; save the file with commas between the fields and points in decimals.`
}

function wrongSize(size_bytes: number, received: number | 'more'): Contradiction {
  const message = `The body has ${received} bytes${received === 'more' ? '' : ' only'}; ${size_bytes} were announced.`
  return new Contradiction('INVALID_INPUT', message, { size_bytes })
}

async function unclaimable({ db }: Deps, buyerEntity: string, uploadId: string): Promise<Refusal> {
  const upload = await readUpload(db, buyerEntity, uploadId)
  if (upload === undefined) return unknownUpload()
  const { status } = upload
  const message =
    status === 'pending'
      ? 'Another PUT of this upload is under way.'
      : `The upload is ${status}: an upload takes exactly one PUT of its content.`
  return new Refusal('CONFLICT', message, { status })
}

function unknownUpload(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such upload.')
}
