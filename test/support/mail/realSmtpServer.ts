import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export interface Received {
  readonly session: SMTPServerSession
  readonly raw: Buffer
}

export interface RealSmtpServer {
  readonly port: number
  /** The mails that it accepted, in order. */
  readonly received: Received[]
  /** Returns how many connections it has accepted so far. */
  connections(): number
  stop(): Promise<void>
}

/** Starts a mail server that accepts everything, except as `options` say. */
export async function realSmtpServer(options: SMTPServerOptions = {}, port = 0): Promise<RealSmtpServer> {
  const received: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    disableReverseLookup: true,
    authOptional: true,
    hideDSN: false,
    hideENHANCEDSTATUSCODES: false,
    logger: false,
    closeTimeout: 100,
    onConnect: (_session, done) => {
      connections += 1
      done()
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({ session: asItIs(session), raw: Buffer.concat(chunks) })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Returns a copy of the session at the end of this mail, since the session continues. */
function asItIs(session: SMTPServerSession): SMTPServerSession {
  return { ...session, envelope: structuredClone(session.envelope) }
}

/** Returns an error with which a handler of the server refuses. */
export function refusal(responseCode: number): Error {
  return Object.assign(new Error('Secret words of the server'), { responseCode })
}
