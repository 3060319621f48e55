import { queryOptions } from '@tanstack/react-query'
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

export type SourcePages = Schemas['DocumentPages']

/** The texts of a document at their places, as its reader saw them. */
export function sourcePages(uploadId: string) {
  return queryOptions({
    queryKey: ['upload', uploadId, 'pages'] as const,
    queryFn: async ({ signal }) =>
      (await resultOf(api.GET('/uploads/{upload_id}/pages', { params: { path: { upload_id: uploadId } }, signal }))).data,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
