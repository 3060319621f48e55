import { connect } from 'node:net'
import type { WireReply } from './contract.ts'

/** Sends raw bytes over a socket, as no HTTP client would; returns the reply, if any. `end` closes the connection after the last byte. */
export async function overTheWire(baseUrl: string, bytes: string | Buffer, { end = false } = {}): Promise<WireReply | undefined> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    socket.setTimeout(5_000, () => socket.destroy(new Error('the service neither answered nor hung up')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(parsed(chunks)) : reject(error),
    )
    socket.on('close', () => resolve(parsed(chunks)))
    socket.on('connect', () => (end ? socket.end(bytes) : socket.write(bytes)))
  })
}

function parsed(chunks: readonly Buffer[]): WireReply | undefined {
  const [head = '', ...body] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  const [start = '', ...lines] = head.split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]
  if (status === undefined) return undefined
  const headers = Object.fromEntries(lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: ?/, '')]))
  return { status: Number(status), headers, text: body.join('\r\n\r\n') }
}
