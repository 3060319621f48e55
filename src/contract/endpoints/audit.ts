import { SecurityEventList, SecurityEventQuery } from '../securityEvent.ts'
import type { CredentialSide } from '../vocabulary/access.ts'
import { endpoint, named } from './endpoint.ts'

/** The audit logs: who changed what for a tenant, and who was refused. */
export const AUDIT = named({ listAudit: auditOf('buyer', '/audit'), listOwnAudit: auditOf('seller', '/me/audit') })

/** Declares the read of the caller's own audit log. */
export function auditOf<Path extends string>(side: CredentialSide, path: Path) {
  return endpoint({
    method: 'get',
    path,
    side,
    scope: 'audit:read',
    summary: 'List audit log entries',
    description:
      'Returns what changed for the tenant and who changed it, newest first: tokens, rules, capabilities, secrets, agreements, ' +
      'endpoints and refused sign-ins. Order events are not included, and no entry shows a secret.',
    query: SecurityEventQuery,
    replies: { 200: SecurityEventList },
  })
}
