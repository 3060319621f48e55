import type { CredentialRead } from '../../../src/contract/credential.ts'
import type { CredentialSide } from '../../../src/contract/vocabulary/access.ts'
import type { Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'

/** GET /credential: what the service knows of the caller, which it has just checked. */
export const getCredential: Handler<undefined, unknown, CredentialSide> = async ({ mode }, { caller }) => {
  const { credential_id, entity, side, scopes, expires_at, session } = caller
  return ok({
    ...{ credential_id, entity, side, scopes: [...scopes].sort() },
    expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
    person: session?.person ?? null,
    mode,
    server_time: new Date().toISOString(),
  } satisfies CredentialRead)
}
