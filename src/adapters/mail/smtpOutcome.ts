import type { MailOutcome } from './mailer.ts'

/** An error that nodemailer reports for a failed attempt. */
export interface SmtpError extends Error {
  /** The stage that failed, in the library's words. */
  readonly code?: string
  /** The command that failed; `CONN` outside of a command. */
  readonly command?: string
  /** The error code of the system or of TLS. */
  readonly originalCode?: string
  /** The server's reply; undefined if it gave none. */
  readonly response?: string
  readonly responseCode?: number
}

/** The outcome of an attempt, without the time that it took. */
export type Outcome = Omit<MailOutcome, 'latency_ms'>

/** Returns the outcome of an attempt that the server accepted with this reply. */
export function acceptedBy(reply: string): Outcome {
  return { outcome: 'accepted', ...codesOf(reply) }
}

/** Returns the outcome of any other attempt: `refused` if another attempt of the same mail to the same address would also be refused. */
export function whyNotAccepted({ code = '', command = '', originalCode = '', response = '' }: SmtpError): Outcome {
  const said = codesOf(response)
  if (code === 'EDNS') return { outcome: 'unreachable', reason: 'dns' }
  if (code === 'ETLS' || (code === 'ESOCKET' && !OF_THE_NETWORK.has(originalCode)))
    return { outcome: 'unreachable', reason: 'tls', ...said }
  if (code === 'EAUTH' || said.code === UNAUTHENTICATED) return { outcome: 'deferred', reason: 'auth', ...said }
  if (said.code === undefined) return { outcome: 'unreachable', reason: 'connect' }
  const refused = said.code >= 500 && (command === 'RCPT TO' || command === 'DATA')
  return refused ? { outcome: 'refused', ...said } : { outcome: 'deferred', reason: 'deferred', ...said }
}

/** "Authentication required": the reply to a client that has not logged in. */
const UNAUTHENTICATED = 530

/** Codes of network errors. Every other error of a socket is a TLS error, such as CERT_HAS_EXPIRED. */
const OF_THE_NETWORK = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTCONN',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_SOCKET_CLOSED',
])

/** Returns the reply code at the head of a reply and, if it agrees with that, the enhanced code (RFC 3463). */
function codesOf(reply: string): Pick<MailOutcome, 'code' | 'enhanced'> {
  const [, code, enhanced] = /^([245]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})(?![\d.]))?/.exec(reply) ?? []
  if (code === undefined) return {}
  return { code: Number(code), ...(enhanced?.startsWith(code.slice(0, 1)) ? { enhanced } : {}) }
}
