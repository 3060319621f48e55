import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createOutboundClient } from '../../../src/adapters/http/outboundCall.ts'
import { OrderSnapshot } from '../../../src/contract/order.ts'
import { askedOrder } from '../../../src/operations/pull/conform/asked.ts'
import { conformPull, type Finding } from '../../../src/operations/pull/conform/conformPull.ts'
import { endProcess } from '../../support/childProcesses.ts'
import { SELLER_SECRET, type SellerCall, type SellerReply, startSellerServer } from '../../support/http/sellerServer.ts'
import { runProgram } from '../../support/runProgram.ts'

const outbound = createOutboundClient({ allowLoopback: true })
afterAll(() => outbound.close())

const conform = (base_url: string, deadlines = { decision: 10_000, availability: 10_000 }) =>
  conformPull({ outbound, base_url, secret: SELLER_SECRET, deadlines, patience: 20_000 })
/** For servers that hang. */
const SOON = { decision: 500, availability: 500 }
const failedOf = (findings: readonly Finding[]) => findings.filter(({ verdict }) => verdict === 'fail').map(({ check }) => check)

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
    expect((await conform(url)).filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  })

  it('passes in the command, which names what a server must change when it is called with another secret', async () => {
    const run = (...args: string[]) => runProgram('src/cli/conformPull', args)
    const [good, bad, bare, query] = await Promise.all([
      run(url, '--secret', SELLER_SECRET),
      run(url, '--secret', 'another secret'),
      run(url),
      run(`${url}/?a=b`, '--secret', SELLER_SECRET),
    ])
    expect(good.code).toBe(0)
    expect(good.out).toContain('The server conforms to the contract.')
    expect(bad.code).toBe(1)
    expect(bad.out).toMatch(/^FAIL {2}a decision or a 202 comes in time +401: accept the signature: use this secret, /m)
    expect([bare.code, query.code]).toEqual([2, 2])
    expect(bare.err).toContain('Usage: npm run conform:pull')
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
    ['a wrong signature is refused', 'a replayed request is refused'],
    /answer 401 to a request signed with another secret/,
  ],
  [
    'takes old requests',
    ({ operation, headers }) => {
      const old = Date.now() / 1_000 - Number(headers['webhook-timestamp']) > 300
      return operation === 'POST /decisions' && old ? { status: 202 } : undefined
    },
    ['a replayed request is refused'],
    /answer 401 to a signature older than five minutes/,
  ],
  [
    'decides again each time',
    ({ operation, signed }) => {
      if (!signed || operation !== 'POST /decisions') return undefined
      asked += 1
      return { status: 200, body: { decision: asked % 2 === 0 ? 'approve' : 'reject', actor: 'a' } }
    },
    ['an order is decided only once', 'a decision can be polled'],
    /give the same order the same answer/,
  ],
  [
    'hangs',
    ({ operation }) => (operation === 'POST /availability' ? 'hang' : undefined),
    ['availability by line comes in time'],
    /answer within 0.5 s/,
  ],
  [
    'answers in words of its own',
    ({ operation, signed }) => (signed && operation === 'POST /decisions' ? { status: 200, body: { approved: true } } : undefined),
    ['a decision or a 202 comes in time'],
    /send exactly the body of POST .*: decision is required/,
  ],
  [
    'decides on lines that there are not',
    ({ operation, signed }) =>
      signed && operation === 'POST /decisions'
        ? { status: 200, body: { decision: 'approve', actor: 'a', units: [{ unit_id: 'line-1', action: 'accept' }] } }
        : undefined,
    ['a decision or a 202 comes in time'],
    /line-1 is not a line of this order\. \(units\.0\.unit_id\)/,
  ],
  [
    'says two things at once',
    ({ operation, signed, body }) =>
      signed && operation === 'POST /decisions'
        ? { status: 200, body: { decision: 'reject', actor: 'a', units: [{ unit_id: body.line_items[0].unit_id, action: 'accept' }] } }
        : undefined,
    ['a decision or a 202 comes in time'],
    /units\.0\.action must be reject when the decision is reject/,
  ],
  [
    'lets anybody end a hold',
    ({ operation }) => (operation === 'DELETE /holds' ? { status: 204 } : undefined),
    ['a wrong signature is refused', 'a replayed request is refused'],
    /^DELETE \/holds\/\{id\} 204: answer 401/,
  ],
  [
    'compresses what it says',
    ({ operation, signed }) =>
      signed && operation === 'POST /availability' ? { status: 200, raw: '{}', headers: { 'content-encoding': 'gzip' } } : undefined,
    ['availability by line comes in time'],
    /send no content encoding/,
  ],
]

describe('a server', () => {
  it('that keeps the contract, deciding later, passes', async () => {
    const server = await goodServer()
    expect((await conform(server.url)).filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    await server.stop()
  })

  it.each(VARIANTS)('that %s fails for that, with advice on what to change', async (how, broken, checks, advice) => {
    const server = await goodServer(broken)
    const findings = await conform(server.url, how === 'hangs' ? { ...SOON, decision: 10_000 } : undefined)
    expect(failedOf(findings)).toEqual(checks)
    expect(findings.find(({ verdict }) => verdict === 'fail')?.said).toMatch(advice)
    await server.stop()
  })

  it('that serves decisions alone gets a list of what to leave undeclared', async () => {
    const server = await goodServer(({ operation }) => (/availability|holds/.test(operation) ? { status: 404 } : undefined))
    expect((await conform(server.url)).filter(({ verdict }) => verdict !== 'ok')).toMatchObject([
      { verdict: 'skipped', said: expect.stringContaining('realtime_availability') },
      { verdict: 'skipped', said: expect.stringContaining('holds') },
    ])
    await server.stop()
  })

  it('that is a web page fails for what it says', async () => {
    const server = await startSellerServer(() => ({ status: 200, raw: '<html>It works!</html>', headers: { 'content-type': 'text/html' } }))
    const findings = await conform(server.url)
    expect(failedOf(findings)).toEqual([
      'a decision or a 202 comes in time',
      'an unknown order is answered 404',
      'a wrong signature is refused',
      'a replayed request is refused',
      'availability by line comes in time',
    ])
    expect(findings.find(({ check }) => check.startsWith('a decision or'))?.said).toBe('200: send JSON in UTF-8, each key once')
    await server.stop()
  })

  it('that redirects fails, since redirects are not followed, and holds nothing', async () => {
    const server = await startSellerServer(() => ({ status: 302, headers: { location: '/elsewhere' } }))
    const findings = await conform(server.url)
    expect(findings[0]).toMatchObject({ verdict: 'fail', said: '302: answer directly: redirects are not followed' })
    expect(failedOf(findings)).toContain('a hold is kept and released')
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
    expect(only).toMatchObject({ check: 'a decision or a 202 comes in time', verdict: 'fail', said: expect.stringMatching(said) })
    expect(rest.map(({ verdict }) => verdict)).toEqual(Array(7).fill('skipped'))
    expect(server.calls).toHaveLength(1)
    await server.stop()
  })

  it('that is not there fails with a message that says so', async () => {
    const server = await startSellerServer(() => 'hang')
    await server.stop()
    expect((await conform(server.url))[0]).toMatchObject({ verdict: 'fail', said: 'connect: start the server: the connection was refused' })
  })

  it('is asked about an order as the platform would ask', () => {
    expect(OrderSnapshot.safeParse(askedOrder()).error).toBeUndefined()
  })
})
