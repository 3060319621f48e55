import { type Client, openClient } from '../../sdk/client/client.ts'
import { fetchFromAnyPort } from '../../sdk/fetchFromAnyPort.ts'

/** Returns a tenant's client, which waits and retries when the API limits its rate. */
export function clientFor(baseUrl: string, token: string, signal: AbortSignal): Client {
  return openClient({ baseUrl, token, signal, timeoutMs: 60_000, retry: { withinMs: 60_000 }, fetch: fetchFromAnyPort })
}
