import type { Response } from 'express'
import type { ByteBudget } from './byteBudget.ts'
import { readAhead } from './readAhead.ts'
import type { Reply } from './reply.ts'
import { UNREAD_MS, writeHead } from './sendReply.ts'
import { openSpoolFile } from './spoolFile.ts'

export interface ReplySpool {
  readonly folder: string
  /** Counts bytes on disk until their reader has received them or left. */
  readonly bytes: ByteBudget
  /** The total time that a database read may wait for its reader before the rest is kept on disk. */
  readonly patienceMs: number
}

export const PATIENCE_MS = 2_000

export interface Streaming {
  readonly tenant: string
  readonly replyBytes: ByteBudget
  readonly spool: ReplySpool
  /** Aborts when the reader has disconnected or is no longer allowed to read. */
  readonly disconnectSignal: AbortSignal
}

/**
 * Sends a reply whose text is still being read, at its reader's pace. Resolves when all of it is sent or the reader has disconnected. Fails
 * if the text ends early; the caller must then close the connection.
 */
export async function sendStream(
  res: Response,
  { rest, ...reply }: Reply & { readonly rest: AsyncGenerator<string> },
  { tenant, replyBytes, spool, disconnectSignal }: Streaming,
): Promise<void> {
  try {
    writeHead(res, reply)
    if (res.req.method === 'HEAD') return void res.end()
    res.req.socket.setTimeout(UNREAD_MS)
    const written = spool.bytes.count(tenant, 0)
    const chunks = readAhead(following(reply.body as string, rest), {
      hold: (bytes) => replyBytes.count(tenant, bytes),
      spool: () => openSpoolFile(spool.folder, written),
      patienceMs: spool.patienceMs,
    })
    const write = writerTo(res, disconnectSignal)
    for await (const chunk of chunks) await write(chunk)
    res.end()
  } catch (error) {
    if (!disconnectSignal.aborted) throw error
    res.destroy()
  } finally {
    await rest.return(undefined)
  }
}

async function* following(begun: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield begun
  yield* rest
}

/**
 * Returns a writer that sends each chunk after the client has taken the previous one. Node's pipeline would wait forever for a reply that
 * is queued behind another on a closed connection.
 */
function writerTo(res: Response, disconnectSignal: AbortSignal): (chunk: Uint8Array) => Promise<void> {
  let resume = () => {}
  res.on('drain', () => resume())
  disconnectSignal.addEventListener('abort', () => resume(), { once: true })
  return async (chunk) => {
    disconnectSignal.throwIfAborted()
    if (res.write(chunk)) return
    await new Promise<void>((resolve) => {
      resume = resolve
    })
    disconnectSignal.throwIfAborted()
  }
}
