import { randomBytes } from 'node:crypto'
import type { Response } from 'express'

/** Sends a page that browsers never cache and that loads only from this origin. Replaces `__NONCE__` in it with its styles' nonce. */
export function sendPage(res: Response, page: string, status: number): void {
  const nonce = randomBytes(16).toString('base64')
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Content-Security-Policy', policy(nonce))
  res.status(status).type('html').send(page.replaceAll('__NONCE__', nonce))
}

/** Returns a page with a single message. `text` and `more` are HTML. */
export function sentencePage(title: string, text: string, { more = '', reloads = false } = {}): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${reloads ? '<meta http-equiv="refresh" content="3">' : ''}
<title>${title}</title>
<style nonce="__NONCE__">body { font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 20vh auto; padding: 0 1em } :root { color-scheme: light dark }</style></head>
<body><main><h1>${title}</h1><p>${text}</p>${more}</main></body>
</html>
`
}

export function escapedHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Allows only scripts and calls of this origin; styles created at run time carry the page's nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
