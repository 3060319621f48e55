import { fetchFromAnyPort } from '../../sdk/fetchFromAnyPort.ts'
import { type Operations, openOwnClient } from '../../sdk/ownClient.ts'

/** Returns a tenant's client, which waits and retries when the API limits its rate. */
export function clientFor(baseUrl: string, token: string, signal: AbortSignal): Operations {
  const retry = { attempts: Number.POSITIVE_INFINITY, withinMs: 60_000 }
  return openOwnClient({ baseUrl, token, signal, retry, fetch: fetchFromAnyPort })
}
