import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { request } from 'undici'

/** Does as the global fetch, which refuses some ports that a user may have chosen. Files are streamed, other bodies sent with their length. */
export const fetchFromAnyPort: typeof fetch = async (input, init) => {
  const asked = new Request(input, init)
  const isFile = asked.headers.get('Content-Type') === 'application/octet-stream'
  const sent = asked.body === null ? null : isFile ? Readable.fromWeb(asked.body as ReadableStream) : Buffer.from(await asked.arrayBuffer())
  const { statusCode, headers, body } = await request(asked.url, {
    method: asked.method as 'GET',
    headers: Object.fromEntries(asked.headers),
    body: sent,
    signal: asked.signal,
  })
  const bytes = await body.arrayBuffer()
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Response(bytes.byteLength === 0 ? null : bytes, { status: statusCode, headers: entries })
}
