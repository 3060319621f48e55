import type { Socket } from 'node:net'

/**
 * Makes a socket skip the unsolicited `100 Continue` that some servers send before their response (RFC 9110, 15.2.1), on which undici closes
 * the connection. undici itself skips other interim responses. Filters what the socket reads after each request, up to the first byte of
 * the response.
 */
export function skipContinue<Connected extends Socket>(socket: Connected): Connected {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  /** Bytes that may still be a 100; undefined once the response has begun. */
  let held: Buffer | undefined
  socket.write = (...args: unknown[]) => {
    held ??= NOTHING
    return write(...args)
  }
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size)
    if (held === undefined || chunk === null) return chunk
    const { rest, isAnswer } = withoutContinue(held.length === 0 ? chunk : Buffer.concat([held, chunk]))
    held = isAnswer ? undefined : rest
    return isAnswer ? rest : null
  }
  return socket
}

const NOTHING = Buffer.alloc(0)

/** Longer than any reasonable interim response. Beyond it the bytes go to undici, which rejects them. */
const LONGEST = 16_384
const START = 'HTTP/1.1 100'
const END = '\r\n\r\n'
const FIRST_DIGIT = START.indexOf('100')
const ONE = 0x31

function withoutContinue(bytes: Buffer): { rest: Buffer; isAnswer: boolean } {
  let rest = bytes
  for (;;) {
    // The first digit of the status shows that this is a final response, as almost all are.
    if (rest.length > FIRST_DIGIT && rest[FIRST_DIGIT] !== ONE) return { rest, isAnswer: true }
    const start = rest.subarray(0, START.length).toString('latin1')
    if (start !== START) return { rest, isAnswer: !START.startsWith(start) }
    const end = rest.indexOf(END)
    if (end < 0) return { rest, isAnswer: rest.length > LONGEST }
    rest = rest.subarray(end + END.length)
  }
}
