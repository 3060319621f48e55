import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createOutboundClient } from '../../src/adapters/http/outboundCall.ts'
import { askedOrder } from '../../src/conform/pull/asked.ts'
import { pullSuite } from '../../src/conform/pull/stories.ts'
import { runSuite } from '../../src/conform/runSuite.ts'
import type { StoryResult } from '../../src/conform/story.ts'
import { OrderSnapshot } from '../../src/contract/order.ts'
import { endProcess } from '../support/childProcesses.ts'
import { SELLER_SECRET, type SellerCall, type SellerReply, startSellerServer } from '../support/http/sellerServer.ts'
import { runProgram } from '../support/runProgram.ts'

const outbound = createOutboundClient({ allowLoopback: true })
afterAll(() => outbound.close())

const conform = async (base_url: string, deadlines = { decision: 10_000, availability: 10_000 }) =>
  (await runSuite(pullSuite({ outbound, base_url, secret: SELLER_SECRET, deadlines, patience: 20_000 }))).stories
/** For servers that hang. */
const SOON = { decision: 500, availability: 500 }
const failedOf = (stories: readonly StoryResult[]) => stories.filter(({ grade }) => grade === 'failed').map(({ id }) => id)
const saidOf = (story: StoryResult | undefined) => `${story?.cause}: ${story?.fix}`

describe('the reference server', () => {
  let child: ChildProcess
  let url: string
  beforeAll(async () => {
    child = spawn(process.execPath, ['docs/examples/pull-seller/server.mjs'], {
      env: { PATH: process.env.PATH, SECRET: SELLER_SECRET, PORT: '0', APPROVE_UP_TO: '2000', DECIDE_AFTER_S: '1', SOLD_OUT: 'sold-out' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (child.stdout === null) throw new Error('it has no output')
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    url = String(line).replace('listening ', '')
  })
  afterAll(async () => {
    await endProcess(child, 'SIGTERM')
  })

  it('is plain Node, and short enough to be read before it is copied', async () => {
    const text = await readFile('docs/examples/pull-seller/server.mjs', 'utf8')
    expect(text.split('\n').length).toBeLessThan(150)
    for (const [, source] of text.matchAll(/\bfrom '([^']+)'/g)) expect(source).toMatch(/^node:/)
  })

  it('keeps the contract in every respect', async () => {
    expect((await conform(url)).filter(({ grade }) => grade !== 'passed')).toEqual([])
  })

  it('passes in the command, which names what a server must change when it is called with another secret', async () => {
    const run = (...args: string[]) => runProgram('src/commandLine/main', ['conform', 'pull', ...args])
    const [good, bad, bare, query] = await Promise.all([
      run(url, '--secret', SELLER_SECRET),
      run(url, '--secret', 'another secret'),
      run(url),
      run(`${url}/?a=b`, '--secret', SELLER_SECRET),
    ])
    expect(good.code).toBe(0)
    expect(good.out).toContain(`${url}: done`)
    expect(bad.code).toBe(1)
    expect(bad.out).toMatch(
      /^FAILED +pull\.decides .+\n +step .+\n +cause +401\n +fix +accept the signature: use this secret, .+\n +rule +docs\/contract\//m,
    )
    expect([bare.code, query.code]).toEqual([2, 2])
    expect(bare.err).toContain("required option '--secret <secret>' not specified")
    expect(query.err).toContain('must not have a query')
  })
})

/** A server that keeps the contract; a variant breaks one thing of it. */
function goodServer(broken: (call: SellerCall) => SellerReply | Promise<SellerReply> | undefined = () => undefined) {
  const decided = new Map<string, unknown>()
  return startSellerServer((call) => {
    const reply = broken(call)
    if (reply !== undefined) return reply
    const { operation, body, path, signed } = call
    if (!signed) return { status: 401 }
    switch (operation) {
      case 'POST /decisions':
        decided.set(body.order_id, { decision: 'approve', actor: 'a' })
        return { status: 202 }
      case 'GET /decisions': {
        const decision = decided.get(path.split('/')[2] ?? '')
        return decision === undefined ? { status: 404 } : { status: 200, body: decision }
      }
      case 'POST /availability':
        return { status: 200, body: { lines: body.lines.map(({ unit_id }: { unit_id: string }) => ({ unit_id, state: 'available' })) } }
      default:
        return { status: 204 }
    }
  })
}

let asked = 0
const VARIANTS: [string, Parameters<typeof goodServer>[0], string[], RegExp][] = [
  [
    'verifies no signature',
    ({ operation, signed }) => (operation === 'POST /decisions' && !signed ? { status: 202 } : undefined),
    ['pull.signature', 'pull.replayed'],
    /answer 401 to a request signed with another secret/,
  ],
  [
    'takes old requests',
    ({ operation, headers }) => {
      const old = Date.now() / 1_000 - Number(headers['webhook-timestamp']) > 300
      return operation === 'POST /decisions' && old ? { status: 202 } : undefined
    },
    ['pull.replayed'],
    /answer 401 to a signature older than five minutes/,
  ],
  [
    'decides again each time',
    ({ operation, signed }) => {
      if (!signed || operation !== 'POST /decisions') return undefined
      asked += 1
      return { status: 200, body: { decision: asked % 2 === 0 ? 'approve' : 'reject', actor: 'a' } }
    },
    ['pull.once', 'pull.polled'],
    /give the same order the same answer/,
  ],
  ['hangs', ({ operation }) => (operation === 'POST /availability' ? 'hang' : undefined), ['pull.availability'], /answer within 0.5 s/],
  [
    'answers in words of its own',
    ({ operation, signed }) => (signed && operation === 'POST /decisions' ? { status: 200, body: { approved: true } } : undefined),
    ['pull.decides'],
    /send exactly the body of POST .*: decision is required/,
  ],
  [
    'decides on lines that there are not',
    ({ operation, signed }) =>
      signed && operation === 'POST /decisions'
        ? { status: 200, body: { decision: 'approve', actor: 'a', units: [{ unit_id: 'line-1', action: 'accept' }] } }
        : undefined,
    ['pull.decides'],
    /line-1 is not a line of this order\. \(units\.0\.unit_id\)/,
  ],
  [
    'says two things at once',
    ({ operation, signed, body }) =>
      signed && operation === 'POST /decisions'
        ? { status: 200, body: { decision: 'reject', actor: 'a', units: [{ unit_id: body.line_items[0].unit_id, action: 'accept' }] } }
        : undefined,
    ['pull.decides'],
    /units\.0\.action must be reject when the decision is reject/,
  ],
  [
    'lets anybody end a hold',
    ({ operation }) => (operation === 'DELETE /holds' ? { status: 204 } : undefined),
    ['pull.signature', 'pull.replayed'],
    /^DELETE \/holds\/\{id\} 204: answer 401/,
  ],
  [
    'compresses what it says',
    ({ operation, signed }) =>
      signed && operation === 'POST /availability' ? { status: 200, raw: '{}', headers: { 'content-encoding': 'gzip' } } : undefined,
    ['pull.availability'],
    /send no content encoding/,
  ],
]

describe('a server', () => {
  it('that keeps the contract, deciding later, passes', async () => {
    const server = await goodServer()
    expect((await conform(server.url)).filter(({ grade }) => grade !== 'passed')).toEqual([])
    await server.stop()
  })

  it.each(VARIANTS)('that %s fails for that, with advice on what to change', async (how, broken, checks, advice) => {
    const server = await goodServer(broken)
    const findings = await conform(server.url, how === 'hangs' ? { ...SOON, decision: 10_000 } : undefined)
    expect(failedOf(findings)).toEqual(checks)
    expect(saidOf(findings.find(({ grade }) => grade === 'failed'))).toMatch(advice)
    await server.stop()
  })

  it('that serves decisions alone gets a list of what to leave undeclared', async () => {
    const server = await goodServer(({ operation }) => (/availability|holds/.test(operation) ? { status: 404 } : undefined))
    expect((await conform(server.url)).filter(({ grade }) => grade !== 'passed')).toMatchObject([
      { grade: 'not_applicable', cause: expect.stringContaining('realtime_availability') },
      { grade: 'not_applicable', cause: expect.stringContaining('holds') },
    ])
    await server.stop()
  })

  it('that is a web page fails for what it says', async () => {
    const server = await startSellerServer(() => ({ status: 200, raw: '<html>It works!</html>', headers: { 'content-type': 'text/html' } }))
    const findings = await conform(server.url)
    expect(failedOf(findings)).toEqual(['pull.decides', 'pull.unknown', 'pull.signature', 'pull.replayed', 'pull.availability'])
    expect(saidOf(findings[0])).toBe('200: send JSON in UTF-8, each key once')
    await server.stop()
  })

  it('that redirects fails, since redirects are not followed, and holds nothing', async () => {
    const server = await startSellerServer(() => ({ status: 302, headers: { location: '/elsewhere' } }))
    const findings = await conform(server.url)
    expect(saidOf(findings[0])).toBe('302: answer directly: redirects are not followed')
    expect(failedOf(findings)).toContain('pull.holds')
    await server.stop()
  })

  it.each<[string, SellerReply, RegExp]>([
    ['hangs', 'hang', /^timeout: answer within 0.5 s/],
    ['hangs up', 'reset', /^reset: send a response/],
    ['does not take our signature', { status: 401 }, /^401: accept the signature: use this secret/],
    ['does not let us in', { status: 403 }, /^403: accept the signature/],
  ])('that %s is told so once, and asked nothing more', async (_, reply, said) => {
    const server = await startSellerServer(() => reply)
    const [only, ...rest] = await conform(server.url, reply === 'hang' ? SOON : undefined)
    expect([only?.id, only?.grade, saidOf(only)]).toEqual(['pull.decides', 'failed', expect.stringMatching(said)])
    expect(rest.map(({ grade }) => grade)).toEqual(Array(7).fill('fixture_unsatisfied'))
    expect(server.calls).toHaveLength(1)
    await server.stop()
  })

  it('that is not there fails with a message that says so', async () => {
    const server = await startSellerServer(() => 'hang')
    await server.stop()
    expect(saidOf((await conform(server.url))[0])).toBe('connect: start the server: the connection was refused')
  })

  it('is asked about an order as the platform would ask', () => {
    expect(OrderSnapshot.safeParse(askedOrder()).error).toBeUndefined()
  })
})
