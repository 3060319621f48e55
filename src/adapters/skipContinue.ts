import type { Socket } from 'node:net'

/**
 * Has a socket skip the `100 Continue` that some servers send unasked before their answer (RFC 9110, 15.2.1): undici breaks the connection on it.
 * Other interim replies undici skips itself. Works on what the socket reads after each request, up to the first byte of the answer.
 */
export function skipContinue<Connected extends Socket>(socket: Connected): Connected {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  /** What may still be a 100; undefined once the answer has begun. */
  let held: Buffer | undefined
  socket.write = (...args: unknown[]) => {
    held ??= Buffer.alloc(0)
    return write(...args)
  }
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size)
    if (held === undefined || chunk === null) return chunk
    const { rest, isAnswer } = withoutContinue(Buffer.concat([held, chunk]))
    held = isAnswer ? undefined : rest
    return isAnswer ? rest : null
  }
  return socket
}

/** Longer than any interim reply has a reason to be; past it the bytes are left to undici, which refuses them. */
const LONGEST = 16_384
const START = 'HTTP/1.1 100'
const END = '\r\n\r\n'

function withoutContinue(bytes: Buffer): { rest: Buffer; isAnswer: boolean } {
  let rest = bytes
  for (;;) {
    const start = rest.subarray(0, START.length).toString('latin1')
    if (start !== START) return { rest, isAnswer: !START.startsWith(start) }
    const end = rest.indexOf(END)
    if (end < 0) return { rest, isAnswer: rest.length > LONGEST }
    rest = rest.subarray(end + END.length)
  }
}
