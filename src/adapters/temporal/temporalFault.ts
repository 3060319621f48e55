import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { TemporalOptions } from './temporalOptions.ts'

/** The reason why Temporal cannot be used with these settings. */
export interface TemporalFault {
  /** Names the setting that is wrong. */
  readonly sentence: string
  /** Whether only a change of the settings helps; otherwise the fault may pass by itself. */
  readonly isCertain: boolean
}

/**
 * Explains what is wrong with the settings after a connection or a call has failed with `error`; undefined if Temporal is just unreachable.
 * The SDK reports most TLS faults as "transport error", so this repeats the handshake to find the cause.
 */
export async function temporalFault(error: unknown, options: TemporalOptions): Promise<TemporalFault | undefined> {
  const refused = refusedCaller(error, options)
  if (refused !== undefined) return { sentence: refused, isCertain: true }
  const who = `The Temporal of TEMPORAL_ADDRESS ${options.address}`
  const end = await handshake(options)
  if (options.tls === undefined)
    return speaksTls(end) ? { sentence: `${who} speaks TLS; set TEMPORAL_TLS=on.`, isCertain: true } : undefined
  const mine = options.tls.clientCertPair !== undefined
  if (end.code === undefined) return undefined
  if (BY_CODE[end.code] !== undefined) return { sentence: `${who} ${BY_CODE[end.code]}.`, isCertain: true }
  const certificate = mine
    ? 'refuses the certificate of TEMPORAL_TLS_CERT; set one that it trusts and that has not expired'
    : 'demands a client certificate; set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY'
  if (/^ERR_SSL_.*ALERT/.test(end.code)) return { sentence: `${who} ${certificate} (${end.code}).`, isCertain: true }
  if (end.code.startsWith('ERR_SSL_')) return { sentence: `${who} fails the TLS handshake (${end.code}).`, isCertain: true }
  // A server may also close the connection without an error, as one that is shutting down does.
  return end.isSecure
    ? { sentence: `${who} ends the connection after the handshake; perhaps it ${certificate}.`, isCertain: false }
    : undefined
}

/** Returns a sentence if `error` means that Temporal refused the caller. */
export function refusedCaller(error: unknown, { address, apiKey }: { address: string; apiKey?: unknown }): string | undefined {
  if (!isRefusal(error)) return undefined
  const what = apiKey === undefined ? 'refuses callers without an API key; set' : 'refuses the API key; correct'
  return `The Temporal of TEMPORAL_ADDRESS ${address} ${what} TEMPORAL_API_KEY or TEMPORAL_API_KEY_FILE.`
}

/** Returns whether the answer was gRPC's UNAUTHENTICATED or PERMISSION_DENIED. The worker's own calls have the code only as text. */
function isRefusal(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && (at.code === 7 || at.code === 16)) return true
    if (/\b(Unauthenticated|PermissionDenied)\b|valid authentication credentials|permission to execute/.test(at.message)) return true
  }
  return false
}

const UNTRUSTED = 'has a certificate of an authority that is not trusted; set TEMPORAL_TLS_CA'
const NO_TLS = 'speaks no TLS; set TEMPORAL_TLS=off'

/** Sentences by the codes of OpenSSL and Node.js. */
const BY_CODE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has a certificate that has expired; it must be renewed there',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet; compare the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name; set TEMPORAL_SERVER_NAME to the name in it',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
}

interface Handshake {
  /** Whether both sides agreed on TLS. */
  readonly isSecure: boolean
  /** The code with which it ended, unless the server's first frame arrived. */
  readonly code: string | undefined
}

/** Makes a TLS handshake, with the settings or, if TLS is off, trusting any server. A refused client certificate shows only after it. */
function handshake({ address, tls }: TemporalOptions): Promise<Handshake> {
  const { hostname, port } = new URL(`https://${address}`)
  const host = hostname.replace(/^\[|\]$/g, '')
  const servername = tls?.serverNameOverride ?? (isIP(host) === 0 ? host : '')
  const trust = tls === undefined ? { rejectUnauthorized: false } : { ca: tls.serverRootCACertificate }
  const client = tls?.clientCertPair && { cert: tls.clientCertPair.crt, key: tls.clientCertPair.key }
  return new Promise((resolve) => {
    let isSecure = false
    const socket = connect({ host, port: Number(port || 443), servername, ALPNProtocols: ['h2'], ...trust, ...client })
    const end = (code?: string) => {
      clearTimeout(tooLate)
      resolve({ isSecure, code })
      socket.destroy()
    }
    const tooLate = setTimeout(end, HANDSHAKE_MS, 'ETIMEDOUT')
    socket.once('secureConnect', () => {
      isSecure = true
    })
    socket.once('data', () => end()) // a server's first frame
    socket.on('error', ({ code }: NodeJS.ErrnoException) => end(code ?? 'ERR_SSL_UNKNOWN'))
    socket.once('close', () => end('ECONNRESET'))
  })
}

const HANDSHAKE_MS = 5_000

function speaksTls({ isSecure, code }: Handshake): boolean {
  return isSecure || (code?.startsWith('ERR_SSL_') === true && BY_CODE[code] !== NO_TLS)
}
