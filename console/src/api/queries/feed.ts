import { api } from '../client.ts'
import { resultOf } from '../fault.ts'

/** Reads the tenant's next events and waits for one; the cursor `now` is the end of the feed. */
export async function readFeed(after: string, waitSeconds: number, signal: AbortSignal) {
  const query = { after, limit: 500, ...(waitSeconds > 0 && { wait_s: waitSeconds }) }
  return (await resultOf(api.GET('/events/feed', { params: { query }, signal }))).data
}
