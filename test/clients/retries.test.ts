import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type ClientOptions, MarketplaceError, NoAnswerError, openClient } from '../../client/src/index.ts'

/** A server between a client and the API: it answers by these in order, and repeats the last. */
type Answer = (req: IncomingMessage, res: ServerResponse) => void
let answers: Answer[]
let came: { path: string; headers: IncomingMessage['headers']; body: string }[]
let server: Server
let access: ClientOptions

beforeEach(async () => {
  answers = []
  came = []
  server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    came.push({ path: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString() })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  access = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'a-token' }
})

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const withStatus =
  (status: number, headers: Record<string, string> = {}, text = '{}'): Answer =>
  (_, res) =>
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text)
const nothing: Answer = (_, res) => void res.destroy()
const half: Answer = (_, res) => {
  res.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '100' })
  res.write('{"order_id":')
  setTimeout(() => res.destroy(), 20)
}
const silence: Answer = () => undefined
const BODY = '{"a":1}'
const create = (more: Partial<ClientOptions> = {}) => openClient({ ...access, ...more }).operations.createOrder({ body: BODY })
const single = { retry: { attempts: 1 } }
const quickly = { retry: { longestWaitMs: 10 } }

describe('a request of the client', () => {
  it('carries the token, the bytes and their type, to the version segment', async () => {
    answers = [withStatus(200)]
    await create()
    await openClient({ ...access, baseUrl: `${access.baseUrl}/v1/` }).operations.listSellers()
    expect(came.map(({ path, body, headers }) => [path, body, headers.authorization, headers['content-type']])).toEqual([
      ['/v1/orders', BODY, 'Bearer a-token', 'application/json'],
      ['/v1/sellers', '', 'Bearer a-token', undefined],
    ])
  })
})

describe('the client tries again', () => {
  it.each([
    ['429', withStatus(429)],
    ['502 of a proxy', withStatus(502, { 'Content-Type': 'text/html' }, '<html>')],
    ['503', withStatus(503)],
    ['504', withStatus(504)],
    ['no reply', nothing],
    ['half a reply', half],
  ])('after %s, with the same bytes and the same key', async (_, fault) => {
    answers = [fault, fault, withStatus(201)]
    expect((await create(quickly)).status).toBe(201)
    expect(came.map(({ body }) => body)).toEqual([BODY, BODY, BODY])
    expect(new Set(came.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('once Retry-After is over, and not before', async () => {
    let at = 0
    answers = [
      (req, res) => {
        at = performance.now()
        withStatus(429, { 'Retry-After': '1' })(req, res)
      },
      withStatus(201),
    ]
    expect((await create()).status).toBe(201)
    expect(performance.now() - at).toBeGreaterThan(950)
  })

  it('no more than it is set to, and after no other refusal', async () => {
    answers = [withStatus(503)]
    await expect(create(single)).rejects.toMatchObject({ status: 503 })
    await expect(create({ retry: { attempts: 3, longestWaitMs: 1 } })).rejects.toMatchObject({ status: 503 })
    expect(came).toHaveLength(4)
    answers = [withStatus(409)]
    await expect(create(quickly)).rejects.toMatchObject({ status: 409 })
    expect(came).toHaveLength(5)
  })

  it('not where Retry-After is longer than the time that is left', async () => {
    answers = [withStatus(429, { 'Retry-After': '60' })]
    await expect(create({ retry: { withinMs: 5_000, longestWaitMs: 120_000 } })).rejects.toMatchObject({ status: 429 })
    expect(came).toHaveLength(1)
  })
})

describe('no answer', () => {
  it.each([
    ['a connection that breaks', () => [nothing], {}, /^POST \/v1\/orders was not answered \(.+\)\.$/],
    ['a reply that breaks off', () => [half], {}, /^POST \/v1\/orders was not answered \(.+\)\.$/],
    ['a reply that is late', () => [silence], { retry: { attempts: 1, timeoutMs: 50 } }, 'POST /v1/orders was not answered (timeout).'],
    ['nobody there', () => [], { baseUrl: 'http://127.0.0.1:1' }, /^POST \/v1\/orders was not answered \(.+\)\.$/],
  ])('%s is a NoAnswerError', async (_, make, more, message) => {
    answers = make()
    const error = await create({ ...single, ...more }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NoAnswerError)
    expect((error as Error).message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })

  it("ends by the caller's signal, with its reason, in a request and in a wait", async () => {
    for (const answer of [silence, withStatus(429, { 'Retry-After': '60' })]) {
      const stopping = new AbortController()
      answers = [
        (req, res) => {
          // After the reply has been read, where there is one.
          setTimeout(() => stopping.abort(new Error('stop')), 50)
          answer(req, res)
        },
      ]
      await expect(create({ signal: stopping.signal })).rejects.toThrow('stop')
    }
  })
})

it('quotes what is not an envelope', async () => {
  answers = [withStatus(400, { 'Content-Type': 'text/html' }, '<h1>Bad gateway</h1>')]
  const error = await openClient(access)
    .operations.listSellers()
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(MarketplaceError)
  expect(error).toMatchObject({ status: 400, code: undefined, message: 'GET /v1/sellers was refused with 400: <h1>Bad gateway</h1>' })
})
