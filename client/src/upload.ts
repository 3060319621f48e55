import type { components } from './schema.js'

type Schemas = components['schemas']
type CreateUpload = Schemas['CreateUpload']
type Upload = Schemas['Upload']
export type UploadContent = Schemas['UploadContent']
export type Content = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

export interface UploadInput {
  filename: string
  format: CreateUpload['format']
  /** The bytes. A stream is sent once, since it cannot be read again; anything else is sent again if no reply comes. */
  content: Content
  /** The number of bytes of a stream. */
  size?: number
}

interface Calls {
  announce(body: CreateUpload): Promise<Upload>
  put(upload: Upload, content: Content): Promise<UploadContent>
}

/** Announces a file, and sends its content in one PUT. */
export async function uploadFile({ filename, format, content, size }: UploadInput, { announce, put }: Calls): Promise<UploadContent> {
  const size_bytes = content instanceof ReadableStream ? size : content instanceof Blob ? content.size : content.byteLength
  if (size_bytes === undefined) throw new TypeError('the size of a stream must be given')
  return put(await announce({ filename, format, size_bytes }), content)
}
