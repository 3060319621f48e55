import { createTransport } from 'nodemailer'
import type { Mailer, MailOutcome } from '../../../src/edi/mailer.ts'

/** Hands mails to a server of a test, over a pool of connections without TLS, and reads its replies as simply as can be. */
export function plainMailer(port: number, connections = 4): Mailer {
  const transport = createTransport({ host: '127.0.0.1', port, pool: true, maxConnections: connections, ignoreTLS: true, secure: false })
  return {
    async send({ envelope, raw }) {
      const begun = performance.now()
      const outcome = await transport
        .sendMail({ envelope, raw })
        .then((): Omit<MailOutcome, 'latency_ms'> => ({ outcome: 'accepted' }), failed)
      return { ...outcome, latency_ms: Math.round(performance.now() - begun) }
    },
    close: async () => transport.close(),
  }
}

function failed({ responseCode, command }: { responseCode?: number; command?: string }): Omit<MailOutcome, 'latency_ms'> {
  if (responseCode === undefined) return { outcome: 'unreachable', reason: 'connect' }
  const refuses = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
  return refuses ? { outcome: 'refused', code: responseCode } : { outcome: 'deferred', reason: 'deferred', code: responseCode }
}
