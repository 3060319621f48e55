import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { UploadFormat } from '../../../src/contract/vocabulary.ts'
import { uploadFolder } from '../../../src/store/files/uploads.ts'
import type { TestApp } from '../http/app.ts'
import { checkReply } from '../http/contract.ts'
import type { Tenant } from '../market.ts'

/** Files as buyers send them, and the way they go. */

export const PDF = Buffer.from('%PDF-1.7\n%%EOF\n')
export const XLSX = Buffer.from('PK\x03\x04 and what a workbook holds')
export const CSV = Buffer.from('line,units\n"Prime, late",10\nNews,4\n')

export const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Where a buyer's uploads are, and a seller's. */
type UploadsPath = '/uploads' | '/me/uploads'

/** Announces an upload and returns its id; its status is pending. */
export async function announced(
  tenant: Tenant,
  bytes: Uint8Array,
  format: UploadFormat = 'pdf',
  filename = 'plan',
  path: UploadsPath = '/uploads',
): Promise<string> {
  const { status, body, text: answer } = await tenant.post(path, { filename, format, size_bytes: bytes.length })
  if (status !== 201) throw new Error(`expected 201, got ${status} ${answer}`)
  return body.upload_id
}

/** Puts the content and checks the reply against the contract. */
export async function putContent(
  { request }: TestApp,
  { token }: Tenant,
  uploadId: string,
  bytes: Uint8Array,
  type = 'application/pdf',
  uploads: UploadsPath = '/uploads',
) {
  const path = `${uploads}/${uploadId}/content`
  const reply = await request.put(`/v1${path}`).auth(token, { type: 'bearer' }).type(type).send(Buffer.from(bytes))
  checkReply('put', path, reply)
  return reply
}

/** Announces and puts an upload and returns its id; its status is uploaded. */
export async function uploaded(
  app: TestApp,
  tenant: Tenant,
  bytes: Uint8Array = PDF,
  format: UploadFormat = 'pdf',
  path: UploadsPath = '/uploads',
): Promise<string> {
  const uploadId = await announced(tenant, bytes, format, undefined, path)
  const { status, text: answer } = await putContent(app, tenant, uploadId, bytes, undefined, path)
  if (status !== 200) throw new Error(`expected 200, got ${status} ${answer}`)
  return uploadId
}

/** Returns an attachment for the body of a create. */
export function attachment(upload_id: string, bytes: Uint8Array = PDF, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { upload_id, format: 'pdf', role: 'buysheet', filename: 'plan.pdf', sha256: sha256Of(bytes), ...more }
}

/** Moves an upload's expiry in SQL: `-1 hour` from now is when it expires. */
export async function expires({ deps }: TestApp, uploadId: string, from = '-1 hour'): Promise<void> {
  await deps.db.pool.query(`update uploads set expires_at = now() + $2::interval where upload_id = $1`, [uploadId, from])
}

/** Returns the text that the object storage holds for an upload; undefined if none. */
export async function storedText({ deps }: TestApp, uploadId: string): Promise<string | undefined> {
  const { rows } = await deps.db.pool.query<{ claimed_at: string | null }>('select claimed_at from uploads where upload_id = $1', [
    uploadId,
  ])
  const claimedAt = rows[0]?.claimed_at ?? null
  const stream = claimedAt === null ? undefined : await deps.objects.get(`${uploadFolder(uploadId)}/${Date.parse(claimedAt)}`)
  return stream && text(stream)
}
