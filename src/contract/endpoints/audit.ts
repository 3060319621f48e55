import { SecurityEventList, SecurityEventQuery } from '../securityEvent.ts'
import type { Side } from '../vocabulary.ts'
import { endpoint, named } from './endpoint.ts'

/** Who changed what for a tenant, and who was refused. */
export const AUDIT = named({ listAudit: auditOf('buyer', '/audit'), listOwnAudit: auditOf('seller', '/me/audit') })

function auditOf(side: Side, path: string) {
  return endpoint({
    method: 'get',
    path,
    side,
    scope: 'audit:read',
    summary: "The tenant's audit log, newest first: refused sign-ins, tokens, rules, capabilities, secrets, agreements, endpoints",
    query: SecurityEventQuery,
    replies: { 200: SecurityEventList },
  })
}
