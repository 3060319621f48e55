import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type RequestHandler, Router } from 'express'
import { ROOT } from '../../src/config/root.ts'

const EXPLORER = 'openapi-explorer.min.js'

/** Serves `/docs`: the contract as a page on which to read and try calls. The page loads everything from this host. */
export function referencePages(): RequestHandler {
  const script = readFileSync(join(ROOT, 'docs', 'reference', EXPLORER))
  const compressed = gzipSync(script)
  const router = Router()
  router.get('/docs', (_req, res) => {
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('Content-Security-Policy', POLICY)
    res.type('html').send(PAGE)
  })
  router.get(`/docs/${EXPLORER}`, (req, res) => {
    const isCompressed = req.acceptsEncodings('gzip') === 'gzip'
    res.setHeader('Cache-Control', 'public, max-age=86400, no-transform')
    res.setHeader('Vary', 'Accept-Encoding')
    res.setHeader('Content-Type', 'text/javascript; charset=utf-8')
    if (isCompressed) res.setHeader('Content-Encoding', 'gzip')
    res.end(isCompressed ? compressed : script)
  })
  return router
}

/** The policy of this page alone, since the explorer sets style attributes. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>API reference · Order Marketplace</title>
<style>body { margin: 0; font-family: system-ui, sans-serif }</style>
<script type="module" src="/docs/${EXPLORER}"></script>
</head>
<body>
<openapi-explorer spec-url="/v1/openapi.json" hide-server-selection show-components table="true" collapse primary-color="#3b5bdb" secondary-color="#3b5bdb" nav-bg-color="#f8f9fb" nav-text-color="#20242c" nav-hover-bg-color="#eef2ff" nav-hover-text-color="#20242c">
<p slot="nav-logo"><a href="/">Order Marketplace</a></p>
</openapi-explorer>
<noscript>This page needs JavaScript. The contract is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
</body>
</html>
`
