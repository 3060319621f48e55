import type { Socket } from 'node:net'
import type { SFTPWrapper } from 'ssh2'
import { isWaitingForWindow } from './ssh2Internals.ts'

/** The requests of one connection, handled one at a time. Its channels take turns. */
export interface RequestQueue {
  channel(sftp: SFTPWrapper): ChannelQueue
  /** Call this when the client may have read earlier responses. */
  proceed(): void
  readonly isBusy: boolean
  /** The time of the last request, in epoch milliseconds. */
  readonly lastRequestAt: number
  /** Drops the requests that have not begun. Resolves when no request is being handled. */
  close(): Promise<void>
}

/** The requests of one channel, handled in order. */
export interface ChannelQueue {
  /** Queues a request; `bytes` is the memory that it occupies until it has been handled. */
  add(bytes: number, work: () => Promise<void>): void
  /** Drops the requests that have not begun. Resolves when none of the channel is being handled. */
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
const MAX_WAITING = 20_000

interface Channel {
  readonly sftp: SFTPWrapper
  readonly waiting: { bytes: number; work: () => Promise<void> }[]
  /** The request that is being handled. */
  current: Promise<void> | undefined
}

/**
 * The library accepts requests as fast as they arrive and buffers responses until the client reads them. So this queue pauses the socket
 * when it holds too much, and begins a request only after the responses before it have been sent.
 */
export function requestQueue(socket: Socket, onOverflow: () => void, now: () => number): RequestQueue {
  /** Those whose turn comes first are first. */
  const channels = new Set<Channel>()
  let [held, waiting] = [0, 0]
  let lastRequestAt = now()
  let running: Promise<void> | undefined
  let isClosed = false

  const isUnread = () => socket.writableLength > UNSENT_BYTES
  /** Removes the channel's requests that have not begun. */
  const drop = (channel: Channel) => {
    waiting -= channel.waiting.length
    held -= channel.waiting.reduce((sum, { bytes }) => sum + bytes, 0)
    channel.waiting.length = 0
  }
  const nextChannel = (): Channel | undefined => {
    if (isClosed || isUnread()) return undefined
    for (const channel of channels) if (channel.waiting.length > 0 && !isWaitingForWindow(channel.sftp)) return channel
    return undefined
  }
  const run = async () => {
    for (let channel = nextChannel(); channel !== undefined; channel = nextChannel()) {
      const next = channel.waiting.shift() as Channel['waiting'][number]
      waiting -= 1
      channels.delete(channel)
      channels.add(channel)
      channel.current = next.work()
      await channel.current
      channel.current = undefined
      held -= next.bytes
      lastRequestAt = now()
      regulate()
    }
  }
  const regulate = () => {
    if (isClosed) return
    const mayWait = waiting <= WAITING || [...channels].some(({ sftp }) => isWaitingForWindow(sftp))
    const isTooMuch = held > HELD_BYTES || !mayWait || isUnread()
    if (isTooMuch && !socket.isPaused()) socket.pause()
    else if (!isTooMuch && socket.isPaused()) socket.resume()
  }
  const proceed = () => {
    regulate()
    if (running !== undefined || nextChannel() === undefined) return
    running = run().finally(() => {
      running = undefined
      proceed()
    })
  }
  return {
    channel(sftp) {
      const channel: Channel = { sftp, waiting: [], current: undefined }
      channels.add(channel)
      lastRequestAt = now()
      return {
        add(bytes, work) {
          lastRequestAt = now()
          if (isClosed || !channels.has(channel)) return
          if (waiting >= MAX_WAITING) return onOverflow()
          held += bytes
          waiting += 1
          channel.waiting.push({ bytes, work })
          proceed()
        },
        async close() {
          drop(channel)
          channels.delete(channel)
          proceed()
          await channel.current
        },
      }
    },
    proceed,
    get isBusy() {
      return running !== undefined || waiting > 0
    },
    get lastRequestAt() {
      return lastRequestAt
    },
    async close() {
      isClosed = true
      for (const channel of channels) drop(channel)
      socket.resume()
      await running
    },
  }
}
