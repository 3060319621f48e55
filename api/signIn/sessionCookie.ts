import { createHash, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import { isLoopbackAddress } from '../../src/config/publicAddress.ts'
import type { Deps } from '../http/handler.ts'

/** The name and attributes of the session cookie, depending on the service's address. */
export interface SessionCookie {
  readonly name: string
  readonly attributes: string
}

type Settings = Pick<Deps, 'publicUrl'>

const SECURE: SessionCookie = { name: '__Host-session', attributes: 'Path=/; HttpOnly; Secure; SameSite=Strict' }
/** Browsers store no Secure cookie for an http address, and http is accepted only on this machine. */
const LOOPBACK: SessionCookie = { name: 'session', attributes: 'Path=/; HttpOnly; SameSite=Strict' }

/** Returns the cookie for a request: Secure, except at an http address of this machine. */
export function sessionCookie({ publicUrl }: Settings, { headers, protocol }: Request): SessionCookie {
  const isPlain = publicUrl === undefined ? protocol === 'http' && isLoopback(headers.host) : publicUrl.protocol === 'http:'
  return isPlain ? LOOPBACK : SECURE
}

/** Returns the session secret that a request presents, if any. */
export function presentedSecret(settings: Settings, req: Request): string | undefined {
  return sentCookie(req, sessionCookie(settings, req).name)
}

/** Returns a sent cookie. One that is sent twice counts as missing, since one of the two is not ours. */
export function sentCookie({ headers }: Request, name: string): string | undefined {
  const sent = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
  return sent.length === 1 ? sent[0] : undefined
}

/** Returns the token that writes repeat in a header, which no other site can send. It derives from the secret, which no script can read. */
export function csrfOf(secret: string): string {
  return createHash('sha256').update(`csrf:${secret}`).digest('base64url')
}

export function isCsrfOf(secret: string, sent: string | string[] | undefined): boolean {
  const [expected, given] = [Buffer.from(csrfOf(secret)), Buffer.from(String(sent ?? ''))]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/**
 * Whether a request names the public address or, without one, comes from this machine and names it. Otherwise a page of another name that
 * resolves to this machine could sign in as a persona, and so could any machine, since a Host header can contain anything.
 */
export function isOwnHost({ publicUrl }: Settings, { headers, socket }: Request): boolean {
  if (publicUrl !== undefined) return headers.host?.toLowerCase() === publicUrl.host
  return isLoopback(headers.host) && isLoopbackAddress((socket.remoteAddress ?? '').replace('::ffff:', ''))
}

function isLoopback(host = ''): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host)
}
