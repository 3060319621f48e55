import type { Socket } from 'node:net'
import type { Response } from 'express'
import type { Reservation } from './byteBudget.ts'
import type { Reply } from './reply.ts'

/** The time after which a client that reads nothing of its reply is disconnected. */
export const UNREAD_MS = 30_000

/**
 * Sends a reply, whose bytes stay reserved until the client has received them. Bypasses Express's `send`, which would compute for each
 * reply values that are the same for all replies.
 */
export function sendReply(res: Response, { status, body, headers = {} }: Reply, reserve: (bytes: number) => Reservation): void {
  const text = typeof body === 'object' && !(body instanceof Uint8Array) ? JSON.stringify(body) : body
  const length = text === undefined ? 0 : Buffer.byteLength(text)
  holdUntilTaken(res, reserve(length))
  writeHead(res, { status, body: text, headers })
  if (text === undefined) return void res.end()
  res.setHeader('Content-Length', length)
  // A view, since the middleware that compresses would copy any other array.
  if (typeof text !== 'string') res.end(Buffer.from(text.buffer, text.byteOffset, text.byteLength))
  else if (length < LARGE) res.end(text, encodingOf(text, length))
  else res.end(Buffer.from(text, encodingOf(text, length)))
}

/** Bytes from which Node sends a buffer for less than a text, although the head of the reply is then a write of its own. */
const LARGE = 128 * 1024

/** Returns latin1 for ASCII, whose bytes are the same in both encodings, since Node then copies the text instead of encoding it. */
function encodingOf(text: string, bytes: number): 'latin1' | 'utf8' {
  return text.length === bytes ? 'latin1' : 'utf8'
}

export function writeHead(res: Response, { status, body, headers = {} }: Reply): void {
  res.statusCode = status
  res.setHeader('Cache-Control', 'no-store')
  if (body !== undefined) res.setHeader('Content-Type', 'application/json; charset=utf-8')
  for (const name of Object.keys(headers)) res.setHeader(name, headers[name] as string)
}

/** The reservations of each socket, since replies to pipelined requests wait for each other and are not closed with the connection. */
const heldBy = new WeakMap<Socket, Set<Reservation>>()

function holdUntilTaken(res: Response, reservation: Reservation): void {
  const { socket } = res.req
  if (socket.destroyed) {
    reservation.release()
    return
  }
  const held = heldBy.get(socket) ?? listOf(socket)
  held.add(reservation)
  socket.setTimeout(UNREAD_MS) // Node resets it when the reply is sent, and ends the connection if it passes without progress
  res.once('finish', () => {
    held.delete(reservation)
    reservation.release()
  })
}

function listOf(socket: Socket): Set<Reservation> {
  const held = new Set<Reservation>()
  heldBy.set(socket, held)
  socket.once('close', () => {
    for (const reservation of held) reservation.release()
    held.clear()
  })
  return held
}
