import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ERRORS } from '../../src/contract/vocabulary/codes.ts'
import { envelopeOf } from '../../src/domain/envelope.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { closeAfterReply } from './closeAfterReply.ts'

/** Sends the envelope for requests that Node's parser refuses, since they never reach the app and Node would answer without a body. */
export function answerBrokenHttp(server: Server, mark: Mark): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    refuseOnSocket(socket as Socket, malformed(SENTENCES[error.code ?? ''] ?? 'The request is not valid HTTP.'), mark)
  })
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    const { status, headers, body } = rendered(malformed('Expect may say "100-continue" and nothing else.'))
    for (const [name, value] of Object.entries({ ...headers, ...mark })) res.setHeader(name, value)
    closeAfterReply(req, res)
    res.writeHead(status).end(body)
  })
}

/** The headers that every reply of the service carries. */
export type Mark = Readonly<Record<string, string>>

/** Writes a refusal to a socket whose requests are no longer read, then closes the socket. */
export function refuseOnSocket(socket: Socket, refusal: Refusal, mark: Mark): void {
  const { status, headers, body } = rendered(refusal)
  const head = Object.entries({ ...headers, ...mark, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => undefined)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), CLOSING_MS).unref()
}

/** The time that a client gets to close its side. */
const CLOSING_MS = 1_000

function rendered(refusal: Refusal): { status: number; headers: Record<string, string>; body: string } {
  const body = JSON.stringify(envelopeOf(refusal))
  const { status } = ERRORS[refusal.code]
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Request-Id': randomUUID(),
    ...(status === 429 || status === 503 ? { 'Retry-After': '1' } : {}),
  }
  return { status, headers, body }
}

function malformed(message: string): Refusal {
  return new Refusal('MALFORMED_REQUEST', message)
}

const SENTENCES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KiB.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The chunk extensions are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
}
