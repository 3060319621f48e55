import { Readable } from 'node:stream'
import { request } from 'undici'
import { type Client, openClient } from '../client/client.ts'
import type { Sent } from '../client/exchange.ts'

/** Returns a tenant's client, which waits and retries when the API limits its rate. */
export function clientFor(baseUrl: string, token: string, signal: AbortSignal): Client {
  return openClient({ baseUrl, token, signal, timeoutMs: 60_000, retry: { withinMs: 60_000 }, fetch: fetchFromAnyPort })
}

/** Avoids the global fetch, which refuses some ports that a user may have chosen. */
async function fetchFromAnyPort(url: string, { body: sent, ...init }: Sent): Promise<Response> {
  const bytes = sent instanceof Blob ? Readable.from(sent.stream()) : (sent ?? null)
  const { statusCode, headers, body } = await request(url, { ...init, body: bytes })
  const text = await body.text()
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Response(text === '' ? null : text, { status: statusCode, headers: entries })
}
