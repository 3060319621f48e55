import type { Reservation } from './byteBudget.ts'
import type { SpoolFile } from './spoolFile.ts'

export interface ReadAhead {
  /** Counts bytes that are held in memory until they are released. */
  readonly hold: (bytes: number) => Reservation
  /** Opens the file for text that does not fit in memory. */
  readonly spool: () => Promise<SpoolFile>
  /** The total time that the source may wait for its reader. */
  readonly patienceMs: number
}

/** The bytes in memory at which the source starts to wait. */
export const AHEAD_BYTES = 256 * 1024
const READ_BYTES = 64 * 1024

/**
 * Passes on what a source yields, while the source works some way ahead. The source holds shared resources (a connection, a snapshot), so
 * it waits for a slow reader only so long; then the rest goes to a file as fast as it arrives. Nothing remains if the reader leaves early.
 */
export async function* readAhead(source: AsyncGenerator<string>, { hold, spool, patienceMs }: ReadAhead): AsyncGenerator<Uint8Array> {
  const queue: { bytes: Uint8Array; held: Reservation }[] = []
  let queued = 0
  let patience = patienceMs
  let file: SpoolFile | undefined
  let isDone = false
  let isAbandoned = false
  let failure: { error: unknown } | undefined
  let wake = () => {}
  // At most one of the two sides waits: the source while the queue is full, or the reader while it is empty.
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  const waitForRoom = async () => {
    while (queued >= AHEAD_BYTES && patience > 0 && !isAbandoned) {
      const began = performance.now()
      const timer = setTimeout(() => wake(), patience)
      await changed()
      clearTimeout(timer)
      patience -= performance.now() - began
    }
  }
  const take = async (text: string) => {
    const bytes = Buffer.from(text)
    if (file === undefined) await waitForRoom()
    if (file === undefined && queued < AHEAD_BYTES) {
      queue.push({ bytes, held: hold(bytes.length) })
      queued += bytes.length
    } else if (!isAbandoned) {
      file ??= await spool()
      await file.append(bytes)
    }
    wake()
  }
  const work = async () => {
    try {
      for await (const text of source) {
        await take(text)
        if (isAbandoned) return // this ends the source
      }
      isDone = true
    } catch (error) {
      failure = { error }
    } finally {
      wake()
    }
  }

  const working = work()
  try {
    for (;;) {
      const next = queue.shift()
      if (next !== undefined) {
        try {
          yield next.bytes
        } finally {
          next.held.release()
        }
        queued -= next.bytes.length
        wake()
      } else if (file?.hasMore()) yield await file.read(READ_BYTES)
      else if (failure !== undefined) throw failure.error
      else if (isDone) return
      else await changed()
    }
  } finally {
    isAbandoned = true
    wake()
    await working
    for (const { held } of queue) held.release()
    await file?.close()
  }
}
