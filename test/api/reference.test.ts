import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { parse } from '@babel/parser'
import { describe, expect, it } from '@jest/globals'
import { type Described, operationsOf } from '../../api/reference/described.ts'
import { methodName, samplesOf } from '../../api/reference/samples.ts'
import { succeeds } from '../support/succeeds.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
const document = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as Described
const operations = operationsOf(document)

describe('GET /docs: 200', () => {
  it('lists every operation, and has a page for each, whose links are served', async () => {
    const start = await app.request.get('/docs')
    expect([start.status, start.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const links = new Set([...start.text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href))
    for (const { operationId } of operations) expect(links).toContain(`/docs/${operationId}`)
    for (const href of links)
      expect([href, (await app.request.get(href)).status]).toEqual([href, href === '/console/' ? expect.any(Number) : 200])
  })

  it('loads and calls nothing but this origin, and runs no text as code', async () => {
    for (const path of ['/docs', '/docs/createOrder']) {
      const { text, headers } = await app.request.get(path)
      const policy = headers['content-security-policy']
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).not.toMatch(/unsafe|https?:/)
      expect(text.replaceAll(/<(pre|textarea)[\s\S]*?<\/\1>/g, '').match(/(?:src|href)="(?:https?:)?\/\//g)).toBeNull()
      expect(text.match(/<script(?! type="module" src="\/docs\/reference\.js")|\son\w+=|\sstyle=/g)).toBeNull()
    }
    const [script, sheet] = [await app.request.get('/docs/reference.js'), await app.request.get('/docs/reference.css')]
    expect([script.headers['content-type'], sheet.headers['content-type']]).toEqual([
      'text/javascript; charset=utf-8',
      'text/css; charset=utf-8',
    ])
    expect(script.text).not.toMatch(/\beval\b|Function\(|innerHTML/)
    expect(sheet.text).toContain('prefers-color-scheme: dark')
  })

  it('says what goes in and comes out, with the codes of each refusal', async () => {
    const { text } = await app.request.get('/docs/createOrder')
    for (const said of ['external_order_id', 'Members of LineItem', 'locked_rate_id', 'CREDIT_LIMIT', 'dry_run'])
      expect(text).toContain(said)
    expect(text.match(/<th scope="row"><code>seller<\/code> <span class="required">/)).not.toBeNull()
  })

  it('is 404 for an operation that there is not', async () => {
    expect((await app.request.get('/docs/launchRocket')).status).toBe(404)
  })
})

describe('the samples of every operation', () => {
  const samples = operations.map((operation) => ({ ...operation, ...samplesOf(operation) }))

  it('are shell that can be read', () => {
    for (const { curl } of samples) execFileSync('sh', ['-n'], { input: curl, stdio: ['pipe', 'ignore', 'pipe'] })
  })

  it('are TypeScript of the client', () => {
    for (const { typescript } of samples) parse(typescript, { sourceType: 'module', plugins: ['typescript'] })
  })

  ;(succeeds('python3', '--version') ? it : it.skip)('are Python of the client, which has the method', async () => {
    const client = await readFile('clients/python/src/order_marketplace/_sync/operations.py', 'utf8')
    expect(
      operations.filter(({ operationId }) => !client.includes(`def ${methodName(operationId)}(`)).map(({ operationId }) => operationId),
    ).toEqual([])
    const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)'
    execFileSync('python3', ['-c', program], {
      input: JSON.stringify(samples.map(({ python }) => python)),
      stdio: ['pipe', 'ignore', 'pipe'],
    })
  })
})
