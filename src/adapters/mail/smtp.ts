import { Readable } from 'node:stream'
import DKIM from 'nodemailer/lib/dkim'
import SMTPPool from 'nodemailer/lib/smtp-pool'
import type { MailSettings } from '../../config/index.ts'
import { isMailAddress } from '../../contract/mailAddress.ts'
import { DELIVERY_ATTEMPTS, DELIVERY_TIMES } from '../../metrics/work.ts'
import type { Mailer } from './mailer.ts'
import { acceptedBy, type Outcome, whyNotAccepted } from './smtpOutcome.ts'

export interface SmtpOptions {
  /** The limit until the server has greeted; after STARTTLS, until the connection is encrypted. */
  readonly connectMs: number
  /** The limit between two replies, and until an idle connection is closed. */
  readonly idleMs: number
  /** The limit of a whole attempt, including its wait for a connection. */
  readonly attemptMs: number
  /** The CA that signed the server's certificate; undefined means the CAs that Node trusts. */
  readonly ca?: string | undefined
}

const STANDARD: SmtpOptions = { connectMs: 10_000, idleMs: 30_000, attemptMs: 100_000 }
const CONNECTIONS = 4
/**
 * A new connection costs a greeting, a handshake and a login, so this raises the library's limit of a hundred mails. A server that accepts
 * fewer replies 421, and the mail goes over another connection.
 */
const MAILS_OF_A_CONNECTION = 500

/** Opens a Mailer that sends to the server of the settings over at most four connections. It signs with `dkimKey` if DKIM is set. */
export function createSmtpMailer({ server, dkim }: MailSettings, dkimKey: string | undefined, options = STANDARD): Mailer {
  const { host, port, tls, auth } = server
  const pool = new SMTPPool({
    maxConnections: CONNECTIONS,
    maxMessages: MAILS_OF_A_CONNECTION,
    // A connection that the server closed while idle is replaced once; a mail is never sent twice.
    maxRequeues: 1,
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    tls: { rejectUnauthorized: true, ...(options.ca === undefined ? {} : { ca: options.ca }) },
    ...(auth === undefined ? {} : { auth: { user: auth.user, pass: auth.password }, forceAuth: true }),
    connectionTimeout: options.connectMs,
    greetingTimeout: options.connectMs,
    dnsTimeout: options.connectMs,
    socketTimeout: options.idleMs,
    idleTimeout: options.idleMs * 0.8,
  })
  const signer =
    dkim === undefined || dkimKey === undefined
      ? undefined
      : new DKIM({ domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkimKey })
  const open = (raw: Buffer) => (signer === undefined ? Readable.from(raw, { objectMode: false }) : signer.sign(raw))
  return {
    async send({ envelope, raw, envelopeId }) {
      const [to = '', ...others] = envelope.to
      // The library inserts these values into commands unchanged.
      if (others.length > 0 || !isMailAddress(to) || !isMailAddress(envelope.from) || !/^\w{1,100}$/.test(envelopeId))
        throw new RangeError('A mail goes from one address to one address, with an envelope id of letters and digits.')
      const started = performance.now()
      const mail = madeMail({ from: envelope.from, to: [to] }, () => open(raw), {
        dsn: { ret: 'HDRS', envid: envelopeId, notify: ['FAILURE', 'DELAY'] },
        signal: AbortSignal.timeout(options.attemptMs),
      })
      const outcome = await handOver(pool, mail).catch(whyNotAccepted)
      const latency_ms = Math.round(performance.now() - started)
      DELIVERY_ATTEMPTS.inc({ kind: 'mail', outcome: outcome.reason ?? outcome.outcome })
      DELIVERY_TIMES.observe({ kind: 'mail' }, latency_ms / 1_000)
      return { ...outcome, latency_ms }
    },
    async close() {
      pool.close()
    },
  }
}

type PoolMail = Parameters<SMTPPool['send']>[0]

/**
 * Wraps a mail whose bytes are made. The pool uses no more of the library's own mail, which would compile the bytes again, than this. Each
 * connection gets its own envelope, since it writes into the one that it is given.
 */
function madeMail(envelope: { from: string; to: string[] }, createReadStream: () => Readable, data: PoolMail['data']): PoolMail {
  const message = { getEnvelope: () => ({ ...envelope }), getHeader: () => undefined, messageId: () => '', createReadStream }
  return { message, data } as unknown as PoolMail
}

function handOver(pool: SMTPPool, mail: PoolMail): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    pool.send(mail, (error, info) => (info === undefined ? reject(error) : resolve(acceptedBy(info.response))))
  })
}
