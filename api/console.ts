import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Request, RequestHandler, Response } from 'express'
import { type BuildFiles, buildFiles, CONSOLE_COMMAND, consoleFolder, isBuilding, textOf } from '../src/consoleBuild.ts'

/**
 * Serves the console below `/console`: hashed files for good, and for every other address the page, which the browser never keeps. Where there is no build,
 * a page says whether one is under way, or with which command to make it.
 */
export function consolePages(folder: string = consoleFolder): RequestHandler {
  const files = buildFiles(folder)
  let current: Build | undefined
  return (req, res, next) => {
    const { method, path } = req
    if (method !== 'GET' && method !== 'HEAD') return next()
    const name = textOf(files.stamp)
    if (current?.name !== name) current = name === undefined ? undefined : readBuild(files, name)
    if (path.startsWith('/assets/')) return sendAsset(req, res, current?.assets.get(path.slice('/assets/'.length)))
    sendPage(res, current?.page ?? absence(files), current === undefined ? 503 : 200)
  }
}

interface Build {
  readonly name: string
  readonly page: string
  readonly assets: ReadonlyMap<string, Asset>
}

interface Asset {
  readonly type: string
  readonly body: Buffer
  readonly compressed: Buffer | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The files of a build, of which there are a few dozen, in memory: an address can never name another file. */
function readBuild({ dist }: BuildFiles, name: string): Build | undefined {
  try {
    const assets = join(dist, name, 'assets')
    const page = readFileSync(join(dist, name, 'index.html'), 'utf8')
    return { name, page, assets: new Map(readdirSync(assets).map((file) => [file, readAsset(join(assets, file))])) }
  } catch {
    return undefined
  }
}

function readAsset(file: string): Asset {
  const body = readFileSync(file)
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  return { type, body, compressed: type.startsWith('text/') ? gzipSync(body) : undefined }
}

function sendAsset(req: Request, res: Response, asset: Asset | undefined): void {
  if (asset === undefined) {
    res.setHeader('Cache-Control', 'no-store')
    return void res.status(404).type('text/plain').send('This build has no such file.')
  }
  const isCompressed = asset.compressed !== undefined && req.acceptsEncodings('gzip') === 'gzip'
  const body = isCompressed ? asset.compressed : asset.body
  res.setHeader('Cache-Control', 'public, max-age=31536000, immutable, no-transform')
  res.setHeader('Vary', 'Accept-Encoding')
  res.setHeader('Content-Type', asset.type)
  if (isCompressed) res.setHeader('Content-Encoding', 'gzip')
  res.setHeader('Content-Length', body?.length ?? 0)
  res.end(body)
}

function sendPage(res: Response, page: string, status: number): void {
  const nonce = randomBytes(16).toString('base64')
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Content-Security-Policy', policy(nonce))
  if (status === 503) res.setHeader('Retry-After', '3')
  res.status(status).type('html').send(page.replaceAll('__NONCE__', nonce))
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

function absence(files: BuildFiles): string {
  if (isBuilding(files))
    return sentence('The console is being built', 'It takes about half a minute. This page shows it when it is ready.', true)
  const failure = textOf(files.failed)
  if (failure === undefined) return sentence('The console is not built', `Run <code>${CONSOLE_COMMAND}</code>, then load this page again.`)
  return sentence(
    'The console was not built',
    `Run <code>${CONSOLE_COMMAND}</code> to see why and to try again. The last line was: <code>${escaped(failure)}</code>`,
  )
}

function sentence(title: string, text: string, reloads = false): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${reloads ? '<meta http-equiv="refresh" content="3">' : ''}
<title>${title}</title>
<style nonce="__NONCE__">body { font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 20vh auto; padding: 0 1em } :root { color-scheme: light dark }</style></head>
<body><h1>${title}</h1><p>${text}</p><p>The API works without it: <a href="/docs">API reference</a>.</p></body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
