import type { EventType } from '../../src/contract/vocabulary.ts'
import { mayNotRead } from '../../src/domain/events/readableEvents.ts'
import { type Authority, authorityOf } from '../../src/store/delivery/eventAuthority.ts'
import type { Caller } from '../http/call.ts'

/**
 * Returns the authority under which a subscription receives events. FORBIDDEN if it names a type that the caller may not read, or if the
 * caller may read no type; omitted types mean every type that it may read.
 */
export function requireAuthority(caller: Caller, events: readonly EventType[] | null | undefined): Authority {
  const authority = authorityOf(caller)
  const beyond = events?.find((type) => !authority.readable.includes(type))
  if (beyond !== undefined) throw mayNotRead(beyond)
  if (authority.readable.length === 0) throw mayNotRead('order.status_changed')
  return authority
}
