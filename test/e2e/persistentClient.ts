import { ApiError } from '../../src/sdk/client/apiError.ts'
import { type Client, openClient } from '../../src/sdk/client/client.ts'

/** Opens a client that resends the same bytes, as the spec tells clients to, for longer than any part of the product takes to return. */
export function persistentClient(baseUrl: string, token: string): Client {
  return openClient({ baseUrl, token, timeoutMs: 10_000, retry: { withinMs: 60_000, unanswered: true, longestWaitMs: 50 } })
}

/** Returns the final reply of a call, even if it is a refusal. */
export function finalReply<Reply>(call: Promise<Reply>): Promise<Reply | ApiError> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiError) return error
    throw error
  })
}
