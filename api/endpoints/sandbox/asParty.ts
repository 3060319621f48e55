import { PARTIES, type Party } from '../../../src/local/sandbox/habits.ts'
import { newestAuthority } from '../../../src/store/tenants/personas.ts'
import type { CheckedRequest } from '../../http/call.ts'
import type { Deps } from '../../http/handler.ts'
import type { Reply } from '../../http/reply.ts'
import type { Route } from '../../http/route.ts'
import { authorize } from '../../signIn/auth.ts'

/** What a party sends: the query and the body as they come over HTTP. */
export interface PartyRequest extends Partial<Pick<CheckedRequest, 'params' | 'stream'>> {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A party of the sandbox that calls operations of /v1 on the authority of its own credential. */
export type AsParty = (route: Route, request: PartyRequest) => Promise<Reply>

/**
 * Returns a party's calls of operations: each passes the same checks of scope, query and body as one that comes over HTTP, and the same handler.
 * Undefined where the party does not exist, as in a sandbox without its catalogs. It is no way around a rule: a party is a tenant like any other.
 */
export async function asParty(deps: Deps, party: Party): Promise<AsParty | undefined> {
  const { side } = PARTIES[party]
  const authority = await newestAuthority(deps.db, party)
  if (authority === undefined) return undefined
  const caller = { ...authority, entity: party, side, gate: 'api', source_ip: null } as const
  return async (route, { params = {}, query = {}, body, stream }) => {
    authorize({ ...caller, revoked: false }, route.endpoint)
    const raw = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const disconnectSignal = () => new AbortController().signal
    return route.bindQuery(query)(deps, { caller, params, headers: {}, disconnectSignal, raw, ...(stream && { stream }) })
  }
}

/** Returns the JSON of a reply that is not sent on. */
export function bodyOf<Body>({ body }: Reply): Body {
  return (typeof body === 'string' || body instanceof Uint8Array ? JSON.parse(String(body)) : body) as Body
}
