import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Request, RequestHandler, Response } from 'express'
import { type BuildFiles, buildFiles, CONSOLE_COMMAND, consoleFolder, isBuilding, textOf } from '../../src/adapters/files/consoleBuild.ts'
import { escapedHtml, sendPage, sentencePage } from './sentencePage.ts'

/**
 * Serves the console below `/console`: hashed files, which browsers cache, and for every other address the page, which they never cache.
 * Without a build, a page says whether one is in progress, or which command makes it.
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
    if (current !== undefined) return sendPage(res, current.page, 200)
    res.setHeader('Retry-After', '3')
    sendPage(res, absence(files), 503)
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

/** Reads the few dozen files of a build into memory, so that an address can never name another file. */
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
  return { type, body, compressed: type.startsWith('text/') ? gzipSync(body, { level: 9 }) : undefined }
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

function absence(files: BuildFiles): string {
  if (isBuilding(files))
    return sentencePage('The console is being built', 'It takes about half a minute. This page shows it when it is ready.', {
      more: WITHOUT,
      reloads: true,
    })
  const failure = textOf(files.failed)
  if (failure === undefined)
    return sentencePage('The console is not built', `Run <code>${CONSOLE_COMMAND}</code>, then load this page again.`, { more: WITHOUT })
  return sentencePage(
    'The console was not built',
    `Run <code>${CONSOLE_COMMAND}</code> to see why and to try again. The last line was: <code>${escapedHtml(failure)}</code>`,
    { more: WITHOUT },
  )
}

const WITHOUT = '<p>The API works without it: <a href="/docs">API reference</a>.</p>'
