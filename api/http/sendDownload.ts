import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { Reply } from './reply.ts'
import { UNREAD_MS } from './sendReply.ts'

/** Sends a file at its reader's pace, so that the process holds none of it. Disconnects a reader that takes nothing for 30 s. */
export async function sendDownload(res: Response, { status, headers = {} }: Reply, file: Readable): Promise<void> {
  res.statusCode = status
  res.setHeader('Cache-Control', 'no-store')
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.req.socket.setTimeout(UNREAD_MS)
  try {
    await pipeline(file, res)
  } catch (error) {
    // A reader that has left is not a fault, but one that stays must not mistake a part for the whole.
    if (!res.req.socket.destroyed) {
      if (!res.headersSent) throw error
      res.destroy()
    }
  }
}
