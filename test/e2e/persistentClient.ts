import { MarketplaceError } from '../../client/src/index.ts'
import { type Operations, openOwnClient } from '../../src/sdk/ownClient.ts'

/** Opens a client that resends the same bytes, as the spec tells clients to, for longer than any part of the product takes to return. */
export function persistentClient(baseUrl: string, token: string): Operations {
  const retry = { attempts: Number.POSITIVE_INFINITY, withinMs: 60_000, longestWaitMs: 100, timeoutMs: 10_000 }
  return openOwnClient({ baseUrl, token, retry })
}

/** Returns the final reply of a call, even if it is a refusal. */
export function finalReply<Reply>(call: Promise<Reply>): Promise<Reply | MarketplaceError> {
  return call.catch((error: unknown) => {
    if (error instanceof MarketplaceError) return error
    throw error
  })
}
