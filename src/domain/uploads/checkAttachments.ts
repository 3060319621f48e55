import type { Fault } from '../../contract/errorEnvelope.ts'
import type { ReadableCreate } from '../../contract/readableCreate.ts'
import type { UploadFormat } from '../../contract/vocabulary.ts'
import { invalid } from '../refusal.ts'

/** An upload of this buyer whose bytes have arrived. */
export interface UsableUpload {
  upload_id: string
  format: UploadFormat
  sha256: string
}

/**
 * Checks that every attachment is an upload of this buyer in status uploaded, with the stated format and hash (contract, Attachment). The message does
 * not say why an upload is unusable, so another buyer's upload looks like an unknown one.
 */
export function checkAttachments(attachments: NonNullable<ReadableCreate['attachments']>, uploads: readonly UsableUpload[]): Fault[] {
  return attachments.flatMap(({ upload_id, format, sha256 }, index) => {
    const at = `attachments.${index}`
    if (upload_id === undefined) return []
    const upload = uploads.find((usable) => usable.upload_id === upload_id)
    if (upload === undefined) return [unusable(upload_id, `${at}.upload_id`)]
    const otherBytes = invalid(`${at}.sha256`, `sha256 must be the hash of the stored bytes of ${upload_id}.`)
    return [
      ...checkFormat(format, upload, `${at}.format`),
      ...(sha256 === undefined || sha256.toLowerCase() === upload.sha256 ? [] : [otherBytes]),
    ]
  })
}

/** Checks the upload of a document order or of a proposal's audience plan in the same way (contract, Order creation body; Proposal request). */
export function checkInputUpload({ document, request }: Inputs, uploads: readonly UsableUpload[]): Fault[] {
  const named = document?.upload_id ?? request?.audience?.upload_id
  if (named === undefined) return []
  const upload = uploads.find(({ upload_id }) => upload_id === named)
  if (upload === undefined) return [unusable(named, document === undefined ? 'request.audience.upload_id' : 'document.upload_id')]
  return document === undefined ? [] : checkFormat(document.format, upload, 'document.format')
}

/** Returns the distinct uploads that a create request cites, which its order pins. */
export function uploadsOf({ attachments = [], document, request }: Inputs & Pick<ReadableCreate, 'attachments'>): string[] {
  const named = [...attachments.map(({ upload_id }) => upload_id), document?.upload_id, request?.audience?.upload_id]
  return [...new Set(named.filter((id) => id !== undefined))]
}

type Inputs = Pick<ReadableCreate, 'document' | 'request'>

function checkFormat(format: UploadFormat | undefined, upload: UsableUpload, field: string): Fault[] {
  return format === undefined || format === upload.format
    ? []
    : [invalid(field, `${upload.upload_id} was uploaded as ${upload.format}, not as ${format}.`)]
}

/** Does not say why, so that an upload of another tenant looks like an unknown one. */
export function unusable(upload_id: string, field: string): Fault {
  return invalid(field, `${upload_id} is not an uploaded file of yours.`)
}
