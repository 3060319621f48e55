import { Refusal } from '../src/domain/refusal.ts'
import { type Deps, ok, type Reply } from './handler.ts'
import { AHEAD_BYTES } from './readAhead.ts'

type Room = Pick<Deps, 'replyBytes' | 'spool'>

/** A text up to this size is sent whole, with its length. */
const WHOLE = 128 * 1024

/**
 * A reply whose text is sent while it is still being read. What goes wrong before this resolves is answered as an error, with everything that the
 * text's first part needed; later the connection is closed in the middle of the text, which is never valid JSON.
 */
export async function streamedReply(deps: Room, tenant: string, texts: AsyncGenerator<string>): Promise<Reply> {
  let begun = ''
  try {
    for (;;) {
      const { value, done } = await texts.next() // leaving a for-await loop would end the generator
      if (done) {
        requireRoom(deps, tenant, Buffer.byteLength(begun))
        return ok(begun)
      }
      begun += value
      if (begun.length < WHOLE) continue
      requireRoom(deps, tenant, AHEAD_BYTES)
      return { ...ok(begun), rest: texts }
    }
  } catch (error) {
    await texts.return(undefined)
    throw error
  }
}

/** Refuses with 429, also when the bound of all tenants is reached: the client can read page by page, or later. */
function requireRoom({ replyBytes, spool }: Room, tenant: string, bytes: number): void {
  try {
    spool.bytes.refuseExhausted(tenant)
    replyBytes.reserve(tenant, bytes).release()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const message = 'The replies that are under way leave no room for all of it: send a limit, or try again in 1 s.'
    throw new Refusal('RATE_LIMITED', message, { retry_after: 1 })
  }
}
