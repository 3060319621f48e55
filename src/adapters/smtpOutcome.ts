import type { MailOutcome } from '../edi/mailer.ts'

/** What nodemailer says of an attempt that failed. */
export interface SmtpError extends Error {
  /** Where it failed, in the library's words. */
  readonly code?: string
  /** The command that failed; `CONN` outside of one. */
  readonly command?: string
  /** Of the system or of TLS. */
  readonly originalCode?: string
  /** The server's reply; undefined when it gave none. */
  readonly response?: string
  readonly responseCode?: number
}

/** What the server made of an attempt, without the time that it took. */
export type Outcome = Omit<MailOutcome, 'latency_ms'>

/** The outcome of an attempt that the server accepted with this reply. */
export function acceptedBy(reply: string): Outcome {
  return { outcome: 'accepted', ...codesOf(reply) }
}

/** The outcome of any other attempt: `refused` where another attempt of the same mail to the same address would be refused too. */
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

/** "Authentication required": the reply to a command of a client without a login. */
const UNAUTHENTICATED = 530

/** Every other error of a socket is one of TLS, such as CERT_HAS_EXPIRED. */
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

/** The reply code and, where it agrees with it, the enhanced code (RFC 3463) at the head of a reply. */
function codesOf(reply: string): Pick<MailOutcome, 'code' | 'enhanced'> {
  const [, code, enhanced] = /^([245]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})(?![\d.]))?/.exec(reply) ?? []
  if (code === undefined) return {}
  return { code: Number(code), ...(enhanced?.startsWith(code.slice(0, 1)) ? { enhanced } : {}) }
}
