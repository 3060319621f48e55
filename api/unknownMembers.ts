import type { Fault } from '../src/contract/errorEnvelope.ts'
import { type UnknownMember, unknownFaults, unknownMembers } from '../src/contract/unknownMembers.ts'
import type { Endpoint, Reply } from './endpoint.ts'

/** What of a body its endpoint does not know: faults where it refuses unknown members, else warnings (choices, Unknown members). */
export function unknownIn({ body, replies, unknownMembers: policy, ignored }: Endpoint, sent: unknown) {
  const none = { faults: [] as Fault[], warnings: [] as UnknownMember[] }
  if (body === undefined) return none
  const own = policy === 'refuse' && replies[200] !== undefined ? [replies[200]] : []
  const found = unknownMembers([body, ...own], sent, ignored)
  return policy === 'refuse' ? { ...none, faults: unknownFaults(found) } : { ...none, warnings: found }
}

/** The reply with warnings for the members that were ignored; a reply that is text says them itself. */
export function withWarnings(reply: Reply, unknown: readonly UnknownMember[]): Reply {
  if (unknown.length === 0 || typeof reply.body !== 'object') return reply
  const { warnings = [] } = reply.body as { warnings?: unknown[] }
  return { ...reply, body: { ...reply.body, warnings: [...warnings, ...unknown] } }
}
