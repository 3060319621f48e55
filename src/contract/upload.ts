import { z } from 'zod'
import { Stamp } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { UPLOAD_WARNING } from './vocabulary/codes.ts'
import { UPLOAD_FORMATS, UPLOAD_STATUSES } from './vocabulary.ts'

/** POST /uploads (contract, Upload). `filename` is recorded and never interpreted; `size_bytes` is the size of the content PUT. */
export const CreateUpload = z
  .object({ filename: z.string().min(1).max(1024), format: z.enum(UPLOAD_FORMATS), size_bytes: z.int().positive() })
  .meta({ id: 'CreateUpload' })
export type CreateUpload = z.infer<typeof CreateUpload>

/** The upload record (contract, Upload). `sha256` is null until the bytes have arrived; `upload_url` is a path including /v1. */
export const Upload = z
  .object({
    upload_id: z.string(),
    buyer_entity: z.string(),
    ...CreateUpload.shape,
    status: z.enum(UPLOAD_STATUSES),
    sha256: z.string().nullable(),
    expires_at: Stamp,
    created_at: Stamp,
    upload_url: z.string(),
    warnings: UnknownMembers,
  })
  .meta({ id: 'Upload' })
export type Upload = z.infer<typeof Upload>

/** The upload record of a seller (additive; choices, Makegoods: file). */
export const SellerUpload = z
  .object({ upload_id: z.string(), seller: z.string(), ...Upload.omit({ upload_id: true, buyer_entity: true }).shape })
  .meta({ id: 'SellerUpload' })
export type SellerUpload = z.infer<typeof SellerUpload>

const UploadWarning = z.object({ code: z.literal(UPLOAD_WARNING), message: z.string() }).meta({ id: 'UploadWarning' })

/** 200 of the content PUT, describing the stored bytes. `warnings` is absent when empty. */
export const UploadContent = z
  .object({
    upload_id: z.string(),
    status: z.literal('uploaded'),
    sha256: z.string(),
    size_bytes: z.int(),
    warnings: z.array(UploadWarning).optional(),
  })
  .meta({ id: 'UploadContent' })
export type UploadContent = z.infer<typeof UploadContent>
