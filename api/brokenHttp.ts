import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { envelopeOf } from '../src/domain/envelope.ts'
import { Refusal } from '../src/domain/refusal.ts'

/** What Node's parser refuses never comes to the app: it gets the envelope here, where Node itself would answer without a body. */
export function answerBrokenHttp(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const body = JSON.stringify(
      envelopeOf(new Refusal('MALFORMED_REQUEST', SENTENCES[error.code ?? ''] ?? 'The request is not valid HTTP.')),
    )
    const head = [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}

const SENTENCES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KiB.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The chunk extensions are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
}
