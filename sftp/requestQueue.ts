import type { Socket } from 'node:net'
import type { SFTPWrapper } from 'ssh2'
import { isWaitingForWindow } from './ssh2Internals.ts'

/** The requests of one connection, worked on one at a time. */
export interface RequestQueue {
  /** `bytes` is what the request holds until it has been worked on. */
  add(bytes: number, work: () => Promise<void>): void
  /** Called when the client may have taken what was sent to it. */
  proceed(): void
  readonly isBusy: boolean
  /** Epoch milliseconds. */
  readonly lastRequestAt: number
  /** Forgets what has not begun. Resolves when nothing is being worked on. */
  close(): Promise<void>
}

/** Of requests that wait, and of answers on their way: beyond these the client is read no further. */
const HELD_BYTES = 1_048_576
const UNSENT_BYTES = 1_048_576
const WAITING = 512
/**
 * A client that takes no answers must be read on, since only it can open its window again. Some ask for all parts of a large file at once; what
 * asks for more than this is ended.
 */
const MOST_WAITING = 20_000

/**
 * The library itself takes requests as fast as they come and keeps answers until the client reads them. So the socket is paused while what
 * is held is too much, and a request is begun when the answers before it are out.
 */
export function requestQueue(socket: Socket, sftp: SFTPWrapper, onOverflow: () => void): RequestQueue {
  const waiting: { bytes: number; work: () => Promise<void> }[] = []
  let held = 0
  let lastRequestAt = Date.now()
  let running: Promise<void> | undefined
  let isClosed = false

  const run = async () => {
    while (!isClosed && !isUnread()) {
      const next = waiting.shift()
      if (next === undefined) return
      await next.work()
      held -= next.bytes
      lastRequestAt = Date.now()
      regulate()
    }
  }
  const isUnread = () => socket.writableLength > UNSENT_BYTES || isWaitingForWindow(sftp)
  const regulate = () => {
    if (isClosed) return
    const isTooMuch = held > HELD_BYTES || (waiting.length > WAITING && !isWaitingForWindow(sftp)) || socket.writableLength > UNSENT_BYTES
    if (isTooMuch && !socket.isPaused()) socket.pause()
    else if (!isTooMuch && socket.isPaused()) socket.resume()
  }
  const proceed = () => {
    regulate()
    if (running !== undefined || isClosed || waiting.length === 0 || isUnread()) return
    running = run().finally(() => {
      running = undefined
      proceed()
    })
  }
  return {
    add(bytes, work) {
      lastRequestAt = Date.now()
      if (isClosed) return
      if (waiting.length >= MOST_WAITING) return onOverflow()
      held += bytes
      waiting.push({ bytes, work })
      proceed()
    },
    proceed,
    get isBusy() {
      return running !== undefined || waiting.length > 0
    },
    get lastRequestAt() {
      return lastRequestAt
    },
    async close() {
      isClosed = true
      waiting.length = 0
      socket.resume()
      await running
    },
  }
}
