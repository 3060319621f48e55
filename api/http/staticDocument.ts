import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { RequestHandler } from 'express'

/** Serves a JSON document that never changes during the process: compresses it once, and sends nothing on a match of `If-None-Match`. */
export function staticDocument(text: string): RequestHandler {
  const plain = Buffer.from(text)
  const compressed = gzipSync(plain)
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  return (req, res) => {
    const takesGzip = req.acceptsEncodings('gzip') === 'gzip'
    // The compressed text is another representation, so it has its own tag.
    const etag = `"${hash}${takesGzip ? '-gzip' : ''}"`
    res.setHeader('ETag', etag)
    res.setHeader('Cache-Control', 'no-cache, no-transform') // clients keep and revalidate it; proxies must not compress it again
    res.setHeader('Vary', 'Accept-Encoding')
    if (tagsOf(req.headers['if-none-match']).includes(etag)) return void res.status(304).end()
    const body = takesGzip ? compressed : plain
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    if (takesGzip) res.setHeader('Content-Encoding', 'gzip')
    res.setHeader('Content-Length', body.length)
    res.end(body)
  }
}

function tagsOf(ifNoneMatch: string | undefined): string[] {
  return (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
}
