import { type Endpoint, takesJson } from '../src/contract/endpoints/endpoint.ts'
import type { Fault } from '../src/contract/errorEnvelope.ts'
import { type UnknownMember, unknownFaults, unknownMembers } from '../src/contract/unknownMembers.ts'
import type { Reply } from './handler.ts'

/** Finds the members that an endpoint does not know: faults where it refuses unknown members, else warnings (choices, Unknown members). */
export function unknownIn(endpoint: Endpoint, sent: unknown) {
  const { body, replies, unknownMembers: policy, ignored } = endpoint
  const none = { faults: [] as Fault[], warnings: [] as UnknownMember[] }
  if (!takesJson(endpoint)) return none
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
