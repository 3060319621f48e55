import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from 'pino'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { listen } from '../src/adapters/http/listen.ts'
import { sourceNetwork } from '../src/adapters/http/sourceNetwork.ts'
import { bouncedMessage } from '../src/adapters/mail/bounceToken.ts'
import { whoGivesWay } from '../src/domain/whoGivesWay.ts'
import type { Database } from '../src/store/connection/database.ts'
import { bounceMessage } from '../src/store/edi/bounceMessage.ts'
import { LIMITS } from './limits.ts'
import { readBounce } from './readBounce.ts'

export interface BounceServer {
  listen(port: number, host: string): Promise<void>
  /** The port that the server listens on. */
  readonly port: number
  close(): Promise<void>
}

export interface BounceDeps {
  readonly db: Pick<Database, 'pool'>
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** The domain of return paths. */
  readonly domain: string
  /** The key with which return paths are made. */
  readonly key: Buffer
}

/** The mail server for bounces of order mails. It accepts no other mail: the recipient must be a return path that the platform made. */
export function bounceServer(deps: BounceDeps, limits = LIMITS): BounceServer {
  const { domain, key, log } = deps
  const server = new SMTPServer({
    name: domain,
    disableReverseLookup: true,
    // The library's default certificate has a publicly known private key, so encrypting with it would protect nothing.
    disabledCommands: ['AUTH', 'STARTTLS'],
    hideENHANCEDSTATUSCODES: false,
    logger: false,
    size: limits.bytes,
    maxRecipients: 1,
    maxCommandLength: 1_024,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.closeMs,
    onRcptTo: ({ address }, _session, done) => {
      done(bouncedMessage(address, domain, key) === undefined ? reply(550, 'No such return path.') : null)
    },
    onData: (stream, { envelope }, done) => {
      const message_id = bouncedMessage(envelope.rcptTo[0]?.address ?? '', domain, key) ?? ''
      take(deps, message_id, stream).then(done, (err: unknown) => {
        log.warn({ err, message_id }, 'a bounce cannot be read now; its sender tries again')
        done(reply(451, 'Try again later.'))
      })
    },
  })
  limitRefusals(server, limits.refusedCommands)
  server.on('error', () => undefined) // an error of a single connection
  const places = new Map<Socket, Place>()
  // Counted by bytes, since a listener of the data would take it before the library does.
  const noteActivity = () => {
    for (const [socket, place] of places)
      if (socket.bytesRead > place.bytes) Object.assign(place, { bytes: socket.bytesRead, quietSince: Date.now() })
  }
  server.server.on('connection', (socket: Socket) => {
    const source = sourceNetwork(socket.remoteAddress)
    const others = [...places.values()].filter((one) => one.source === source)
    if (others.length >= limits.perSource) return void socket.destroy()
    noteActivity()
    if (places.size >= limits.connections) whoGivesWay([...places.values()])?.end()
    const now = Date.now()
    const end = () => {
      places.delete(socket)
      socket.destroy()
    }
    places.set(socket, { source, since: now, quietSince: now, bytes: 0, end })
    socket.once('close', () => places.delete(socket))
  })
  const timer = setInterval(() => {
    noteActivity()
    const oldest = Date.now() - limits.connectionMs
    for (const [socket, { since, end }] of places) if (since < oldest || socket.bytesRead > limits.connectionBytes) end()
  }, 250)
  return {
    listen: (port, host) => listen(server.server, port, host),
    get port() {
      return (server.server.address() as AddressInfo | null)?.port ?? 0
    },
    close: () => {
      clearInterval(timer)
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface Place {
  readonly source: string
  readonly since: number
  /** Since when nothing has been read from it, and the bytes that had been read by then. */
  quietSince: number
  bytes: number
  end(): void
}

/** Ends a connection that guesses, after a number of refusals: the library itself counts only commands that it does not know. */
function limitRefusals(server: SMTPServer, max: number): void {
  const connect = server.connect.bind(server)
  server.connect = (...accepted) => {
    connect(...accepted)
    const connection = [...server.connections].at(-1)
    if (connection === undefined) return
    const send = connection.send.bind(connection)
    let refused = 0
    connection.send = (code, ...more) => {
      if (code >= 400) refused += 1
      if (refused <= max) send(code, ...more)
      else send(421, 'Too many refused commands.')
    }
  }
}

/** Takes one mail. Returns the error that refuses it, or null. */
async function take({ db, log }: BounceDeps, message_id: string, stream: SMTPServerDataStream): Promise<Error | null> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer)
  if (stream.sizeExceeded) return reply(552, 'A bounce may have 64 KiB.')
  const code = await readBounce(Buffer.concat(chunks))
  if (code === undefined) return null
  const status = await bounceMessage(db, message_id, code)
  // A bounce can arrive before its mail has been recorded as sent.
  if (status === 'queued') return reply(451, 'Try again later.')
  log.info({ message_id, code, status }, 'a mail has bounced')
  return null
}

function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
