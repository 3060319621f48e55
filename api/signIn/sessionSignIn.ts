import type { Request } from 'express'
import { Refusal } from '../../src/domain/refusal.ts'
import { findSession } from '../../src/store/tenants/findSession.ts'
import { isSessionForm } from '../../src/store/tenants/sessions.ts'
import type { Deps } from '../http/handler.ts'
import { type SignInWay, unauthenticated } from './auth.ts'
import { isCsrfOf, presentedSecret } from './sessionCookie.ts'

const OVER = 'The session is over: sign in again.'

/** Signs in by a session cookie. Writes need its CSRF token, and no request may come from a page of another site. */
export function sessionSignIn(deps: Pick<Deps, 'db' | 'publicUrl'>): SignInWay {
  return {
    presented: (req) => presentedSecret(deps, req),
    async find(secret) {
      if (!isSessionForm(secret)) throw unauthenticated(OVER)
      return findSession(deps.db, secret)
    },
    admit: refuseOtherSites,
    refusals: { revoked: OVER, expired: OVER },
  }
}

/** Refuses a request from another site's page, and a write without the CSRF token, with FORBIDDEN (choices, Sessions: CSRF). */
function refuseOtherSites({ method, headers }: Request, secret: string): void {
  const site = headers['sec-fetch-site']
  const isRead = method === 'GET' || method === 'HEAD'
  if (site !== undefined && site !== 'same-origin' && !(isRead && site === 'none')) {
    throw new Refusal('FORBIDDEN', `A session serves the pages of this service alone; Sec-Fetch-Site is ${String(site).slice(0, 40)}.`)
  }
  if (!isRead && !isCsrfOf(secret, headers['x-csrf-token'])) {
    throw new Refusal('FORBIDDEN', 'A write by a session must send its csrf as X-CSRF-Token.')
  }
}
