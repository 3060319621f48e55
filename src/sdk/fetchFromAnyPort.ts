import { Readable } from 'node:stream'
import { request } from 'undici'
import type { Sent } from './client/exchange.ts'

/** Avoids the global fetch, which refuses some ports that a user may have chosen. */
export async function fetchFromAnyPort(url: string, { body: sent, ...init }: Sent): Promise<Response> {
  const bytes = sent instanceof Blob ? Readable.from(sent.stream()) : (sent ?? null)
  const { statusCode, headers, body } = await request(url, { ...init, body: bytes })
  const text = await body.text()
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Response(text === '' ? null : text, { status: statusCode, headers: entries })
}
