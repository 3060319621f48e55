import type { Database } from '../../src/store/connection/database.ts'
import { findCredential } from '../../src/store/tenants/findCredential.ts'
import { isTokenForm } from '../../src/store/tenants/token.ts'
import { type SignInWay, unauthenticated } from './auth.ts'

/** Signs in with a token of this service. Accepts every bearer that no earlier way accepted, since it was meant to be a token. */
export function tokenSignIn(db: Pick<Database, 'pool'>): SignInWay {
  return {
    presented: ({ headers }) => /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1],
    async find(token) {
      if (!isTokenForm(token)) throw unauthenticated('The token is not valid: it is not of this service or was mistyped.')
      return findCredential(db, token)
    },
    refusals: { revoked: 'The token is not valid: it is unknown or was revoked.', expired: 'The token has expired.' },
  }
}
