/** Who may do what: the sides, their scopes, and what a tenant's audit log records. Has only constants and types, so the pure rules can import it without zod. */

export const SIDES = ['buyer', 'seller'] as const
export type Side = (typeof SIDES)[number]

/** The holder of a credential: a tenant on one of the two sides, or an operator of the marketplace. */
export const CREDENTIAL_SIDES = [...SIDES, 'operator'] as const
export type CredentialSide = (typeof CREDENTIAL_SIDES)[number]

/** Every scope with the scopes that it implies (choices, Identity: a wider scope implies its reads). */
export const SCOPES = {
  'orders:write': ['orders:read', 'catalog:read'],
  'orders:approve': ['orders:read'],
  'catalog:write': ['catalog:read'],
  'webhooks:write': [],
  'settlement:write': ['settlement:read'],
  'settlement:read': [],
  'audit:read': [],
  'ops:write': ['ops:read'],
  'ops:read': [],
  'orders:read': [],
  'catalog:read': [],
} as const satisfies Record<string, readonly string[]>
export type Scope = keyof typeof SCOPES

const BOTH_SIDES = ['webhooks:write', 'settlement:read', 'orders:read', 'catalog:read', 'audit:read'] as const
/** The scopes that a credential of a side may hold. */
export const SIDE_SCOPES: Record<CredentialSide, readonly Scope[]> = {
  buyer: ['orders:write', ...BOTH_SIDES],
  seller: ['orders:approve', 'catalog:write', 'settlement:write', ...BOTH_SIDES],
  operator: ['ops:write', 'ops:read', 'audit:read'],
}

/** The algorithms of the SSH keys with which sellers sign in to the SFTP server. */
export const SSH_KEY_ALGORITHMS = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'] as const
export type SshKeyAlgorithm = (typeof SSH_KEY_ALGORITHMS)[number]

/** The actions that a tenant's audit log records. */
export const SECURITY_ACTIONS = [
  'sign_in.refused',
  'token.issued',
  'token.revoked',
  'session.opened',
  'sftp_key.added',
  'sftp_key.revoked',
  'subject.admitted',
  'subject.revoked',
  'subject.restored',
  'capabilities.changed',
  'approval_rules.changed',
  'secret.set',
  'agreement.granted',
  'agreement.changed',
  'buyer.changed',
  'webhook_endpoint.registered',
  'webhook_endpoint.changed',
  'webhook_endpoint.enabled',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.deleted',
  'webhook_endpoint.disabled',
  'webhook_endpoint.handed_over',
  'queue.changed',
  'queue.deleted',
  'queue.stopped',
  'queue.handed_over',
  'mapping.changed',
  'mapping.deleted',
  'document_layout.remembered',
  'order.woken',
  'delivery.resent',
] as const
export type SecurityAction = (typeof SECURITY_ACTIONS)[number]

/** The interface through which an action was taken. */
export const SECURITY_VIAS = ['api', 'console', 'sftp', 'command_line', 'platform'] as const
export type SecurityVia = (typeof SECURITY_VIAS)[number]
