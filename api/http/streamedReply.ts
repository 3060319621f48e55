import { overLimit } from '../../src/domain/overLimit.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import type { Deps } from './handler.ts'
import { AHEAD_BYTES } from './readAhead.ts'
import { ok, type Reply } from './reply.ts'

type Room = Pick<Deps, 'replyBytes' | 'spool'>

/** The size up to which a text is sent whole, with its length. */
const WHOLE = 128 * 1024

/**
 * Returns a reply whose text is sent while it is still being read. A failure while the first part of the text is read becomes an error
 * reply; after a later one, the connection is closed in the middle of the text, which is never valid JSON.
 */
export async function streamedReply(deps: Room, tenant: string, texts: AsyncGenerator<string>): Promise<Reply> {
  let begun = ''
  try {
    for (;;) {
      const { value, done } = await texts.next() // a for-await loop would end the generator when it is left
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

/** Refuses with 429 even at the bound of all tenants, since the client can read page by page, or later. */
function requireRoom({ replyBytes, spool }: Room, tenant: string, bytes: number): void {
  try {
    spool.bytes.refuseExhausted(tenant)
    replyBytes.reserve(tenant, bytes).release()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const message = 'The replies that are under way leave no room for all of it: send a limit, or try again in 1 s.'
    throw overLimit({ limit: 'bytes of replies', ...(typeof error.details.most === 'number' && { most: error.details.most }) }, message, 1)
  }
}
