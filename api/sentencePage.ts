import { randomBytes } from 'node:crypto'
import type { Response } from 'express'

/** Sends a page that the browser never keeps, and that loads nothing but what this origin serves. `__NONCE__` in it becomes the nonce of its styles. */
export function sendPage(res: Response, page: string, status: number): void {
  const nonce = randomBytes(16).toString('base64')
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Content-Security-Policy', policy(nonce))
  res.status(status).type('html').send(page.replaceAll('__NONCE__', nonce))
}

/** A page that says one thing. `text` and `more` are HTML. */
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

/** Scripts and calls of this origin alone; styles made at run time carry the nonce of the page. */
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
