import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Closes the connection after the reply instead of reading the rest of the body. Briefly discards what the client still sends, since
 * closing a socket with unread bytes resets the connection, and the client would lose the reply.
 */
export function closeAfterReply({ socket }: Pick<IncomingMessage, 'socket'>, res: ServerResponse): void {
  res.setHeader('Connection', 'close')
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}

const LINGER_MS = 1_000

/** Whether so much of a body is unread that reading it just to keep the connection would not pay off. */
export function hasMuchUnread(req: IncomingMessage): boolean {
  if (req.complete) return false
  const { 'content-length': length, 'transfer-encoding': transfer } = req.headers
  return transfer !== undefined || Number(length ?? 0) > WORTH_READING
}

const WORTH_READING = 64 * 1024
