import compression from 'compression'
import type { Request, Response } from 'express'

/** Compresses the reply to a client that says what it can decompress. */
export function compressReplies(): (req: Request, res: Response) => void {
  const compress = compression()
  return (req, res) => {
    if (req.headers['accept-encoding'] !== undefined) compress(req, res, () => undefined)
    // Most programs say nothing. To watch over a reply that will not be compressed would take a tenth of what a small read takes in all.
    else res.setHeader('Vary', 'Accept-Encoding')
  }
}
