import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type FileFormat = Schemas['CreateUpload']['format']

/** Announces a file and sends its content; returns the entry with which an order refers to it. */
export async function uploadFile(file: File, format: FileFormat) {
  const announced = await resultOf(api.POST('/uploads', { body: { filename: file.name, format, size_bytes: file.size } }))
  const { upload_id } = announced.data
  const sent = await resultOf(
    api.PUT('/uploads/{upload_id}/content', {
      params: { path: { upload_id } },
      headers: { 'Content-Type': 'application/octet-stream' },
      body: '',
      bodySerializer: () => file,
    }),
  )
  return { upload_id, format, filename: file.name, sha256: sent.data.sha256 }
}
