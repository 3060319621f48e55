import { type Endpoint, takesJson } from '../../src/contract/endpoints/endpoint.ts'
import type { Fault } from '../../src/contract/errorEnvelope.ts'
import { type UnknownMember, unknownFaults, unknownMembers } from '../../src/contract/unknownMembers.ts'
import { ERRORS } from '../../src/contract/vocabulary/codes.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import type { Reply } from './reply.ts'

/** Finds members that an endpoint does not know: faults if it refuses them, else warnings (choices, Unknown members). */
export function unknownIn(endpoint: Endpoint, sent: unknown) {
  const { body, replies, unknownMembers: policy, ignored } = endpoint
  const none = { faults: [] as Fault[], warnings: [] as UnknownMember[] }
  if (!takesJson(endpoint)) return none
  const own = policy === 'refuse' && replies[200] !== undefined ? [replies[200]] : []
  const found = unknownMembers([body, ...own], sent, ignored)
  return policy === 'refuse' ? { ...none, faults: unknownFaults(found) } : { ...none, warnings: found }
}

/** Adds warnings about ignored members to the reply. A reply that is text already contains them. */
export function withWarnings(reply: Reply, unknown: readonly UnknownMember[]): Reply {
  if (unknown.length === 0 || typeof reply.body !== 'object') return reply
  const { warnings = [] } = reply.body as { warnings?: unknown[] }
  return { ...reply, body: { ...reply.body, warnings: [...warnings, ...unknown] } }
}

/** Adds the same to the refusal of what a body says, as `details.warnings`: a mistyped name may be why it is refused. */
export function refusalWithWarnings(error: unknown, unknown: readonly UnknownMember[]): unknown {
  if (!(error instanceof Refusal) || unknown.length === 0 || ERRORS[error.code].status !== 422) return error
  return new Refusal(error.code, error.message, { ...error.details, warnings: unknown }, error.faults)
}
