import { SecurityEventList, SecurityEventQuery } from '../src/contract/securityEvent.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { getSecurityEvents } from './securityEvents.ts'

/** Who changed what for a tenant, and who was refused. */
export const AUDIT_ENDPOINTS: readonly Endpoint[] = (['buyer', 'seller'] as const).map((side) =>
  endpoint({
    name: side === 'buyer' ? 'listAudit' : 'listOwnAudit',
    method: 'get',
    path: side === 'buyer' ? '/audit' : '/me/audit',
    side,
    scope: 'audit:read',
    summary: "The tenant's audit log, newest first: refused sign-ins, tokens, rules, capabilities, secrets, agreements, endpoints",
    query: SecurityEventQuery,
    replies: { 200: SecurityEventList },
    handler: getSecurityEvents,
  }),
)
