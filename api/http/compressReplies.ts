import compression from 'compression'
import type { Request, Response } from 'express'

/** Compresses replies to clients that declare an encoding they can decompress. */
export function compressReplies(): (req: Request, res: Response) => void {
  const compress = compression()
  return (req, res) => {
    if (req.headers['accept-encoding'] !== undefined) compress(req, res, () => undefined)
    // Most programs declare none. Watching a reply that will not be compressed would take a tenth of the total time of a small read.
    else res.setHeader('Vary', 'Accept-Encoding')
  }
}
