import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RequestHandler, type Response, Router } from 'express'
import { ROOT } from '../../src/config/root.ts'
import { openapi } from '../pages/openapi.ts'
import { type Described, type Operation, operationsOf } from './described.ts'
import { operationPage, startPage } from './html.ts'

/**
 * Serves `/docs`: the contract as pages on which to read and try calls, one for each operation, made from the OpenAPI document when they are first
 * asked for. They load everything from this host.
 */
export function referencePages(): RequestHandler {
  const router = Router()
  let operations: readonly Operation[] | undefined
  const document = JSON.parse(openapi()) as Described
  const made = new Map<string, string>()
  const page = (key: string, make: (all: readonly Operation[]) => string | undefined) => {
    operations ??= operationsOf(document)
    const text = made.get(key) ?? make(operations)
    if (text !== undefined) made.set(key, text)
    return text
  }
  router.get('/docs', (_req, res) =>
    sendPage(
      res,
      page('', (all) => startPage(document, all)),
    ),
  )
  for (const [name, type] of Object.entries(ASSETS)) {
    const text = readFileSync(join(ROOT, 'docs', 'reference', name), 'utf8')
    router.get(`/docs/${name}`, (_req, res) => {
      res.setHeader('Cache-Control', 'no-cache')
      res.type(type).send(text)
    })
  }
  router.get('/docs/:operation', (req, res, next) => {
    const { operation: name = '' } = req.params
    const text = page(name, (all) => {
      const found = all.find(({ operationId }) => operationId === name)
      return found && operationPage(document, all, found)
    })
    if (text === undefined) next()
    else sendPage(res, text)
  })
  return router
}

const ASSETS = { 'reference.css': 'text/css', 'reference.js': 'text/javascript' } as const

function sendPage(res: Response, text: string | undefined): void {
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Content-Security-Policy', POLICY)
  res.type('html').send(text)
}

/** Everything is from this origin, and nothing runs or is styled but the files of these pages. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'"
