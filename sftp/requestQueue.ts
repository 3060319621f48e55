import type { Socket } from 'node:net'
import type { SFTPWrapper } from 'ssh2'
import { isWaitingForWindow } from './ssh2Internals.ts'

/** The requests of one connection, handled one at a time. */
export interface RequestQueue {
  /** Queues a request; `bytes` is the memory that it occupies until it has been handled. */
  add(bytes: number, work: () => Promise<void>): void
  /** Call this when the client may have read earlier responses. */
  proceed(): void
  readonly isBusy: boolean
  /** The time of the last request, in epoch milliseconds. */
  readonly lastRequestAt: number
  /** Drops the requests that have not begun. Resolves when no request is being handled. */
  close(): Promise<void>
}

/** Limits of waiting requests and unsent responses; beyond them nothing more is read from the client. */
const HELD_BYTES = 1_048_576
const UNSENT_BYTES = 1_048_576
const WAITING = 512
/**
 * A client that reads no responses must still be read from, since only its requests can open its window again. Some clients request all
 * parts of a large file at once; a client that exceeds this limit is disconnected.
 */
const MOST_WAITING = 20_000

/**
 * The library accepts requests as fast as they arrive and buffers responses until the client reads them. So this queue pauses the socket
 * when it holds too much, and begins a request only after the responses before it have been sent.
 */
export function requestQueue(socket: Socket, sftp: SFTPWrapper, onOverflow: () => void, now: () => number): RequestQueue {
  const waiting: { bytes: number; work: () => Promise<void> }[] = []
  let held = 0
  let lastRequestAt = now()
  let running: Promise<void> | undefined
  let isClosed = false

  const run = async () => {
    while (!isClosed && !isUnread()) {
      const next = waiting.shift()
      if (next === undefined) return
      await next.work()
      held -= next.bytes
      lastRequestAt = now()
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
      lastRequestAt = now()
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
