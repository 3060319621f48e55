import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { ApiError, NoAnswerError } from '../../../src/sdk/client/apiError.ts'
import { openClient } from '../../../src/sdk/client/client.ts'
import { type Access, exchange } from '../../../src/sdk/client/exchange.ts'

/** A server between a client and the API: it answers by these in order, and repeats the last. */
type Answer = (req: IncomingMessage, res: ServerResponse) => void
let answers: Answer[]
let came: { path: string; headers: IncomingMessage['headers']; body: string }[]
let server: Server
let access: Access

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
    res.writeHead(status, headers).end(text)
const nothing: Answer = (_, res) => void res.destroy()
const silence: Answer = () => undefined
const create = { method: 'POST', path: '/orders', body: '{"a":1}' } as const

describe('exchange: the request', () => {
  it('carries the token, the bytes and their type, to the version segment', async () => {
    answers = [withStatus(200)]
    await exchange(access, create)
    await exchange({ ...access, baseUrl: `${access.baseUrl}/v1/` }, { method: 'GET', path: '/sellers' })
    expect(came.map(({ path, body, headers }) => [path, body, headers.authorization, headers['content-type']])).toEqual([
      ['/v1/orders', '{"a":1}', 'Bearer a-token', 'application/json'],
      ['/v1/sellers', '', 'Bearer a-token', undefined],
    ])
  })
})

describe('exchange: retries', () => {
  it('sends the same bytes again after 503', async () => {
    answers = [withStatus(503), withStatus(201)]
    expect((await exchange({ ...access, retry: { withinMs: 10_000 } }, create)).status).toBe(201)
    expect(came.map(({ body }) => body)).toEqual([create.body, create.body])
  })

  it('sends the same bytes again after 429 once Retry-After is over, and not before', async () => {
    let status = 429
    answers = [
      (req, res) => {
        // Within the second that the client must wait.
        if (came.length === 1)
          setTimeout(() => {
            status = 201
          }, 800)
        withStatus(status, { 'Retry-After': '1' })(req, res)
      },
    ]
    expect((await exchange({ ...access, retry: { withinMs: 10_000 } }, create)).status).toBe(201)
    expect(came.map(({ body }) => body)).toEqual([create.body, create.body])
  })

  it('takes every reply for final without retry, and every other refusal with it', async () => {
    answers = [withStatus(503)]
    expect((await exchange(access, create)).status).toBe(503)
    answers = [withStatus(409)]
    expect((await exchange({ ...access, retry: { withinMs: 10_000, unanswered: true } }, create)).status).toBe(409)
    expect(came).toHaveLength(2)
  })

  it('returns the refusal where Retry-After is longer than the time that is left', async () => {
    answers = [withStatus(429, { 'Retry-After': '60' })]
    expect((await exchange({ ...access, retry: { withinMs: 5_000 } }, create)).status).toBe(429)
    expect(came).toHaveLength(1)
  })

  it('waits no longer than it is set to', async () => {
    answers = [withStatus(429, { 'Retry-After': '60' }), withStatus(200)]
    expect((await exchange({ ...access, retry: { withinMs: 5_000, longestWaitMs: 10 } }, create)).status).toBe(200)
    expect(came).toHaveLength(2)
  })

  it('sends again what was not answered, where that is asked for', async () => {
    answers = [nothing, nothing, withStatus(201)]
    expect((await exchange({ ...access, retry: { withinMs: 10_000, unanswered: true } }, create)).status).toBe(201)
    answers = [nothing]
    await expect(exchange({ ...access, retry: { withinMs: 10_000 } }, create)).rejects.toThrow(NoAnswerError)
  })

  it("sends the same bytes again after a proxy's 502 and 504 only where that is asked for too", async () => {
    answers = [withStatus(502, {}, '<html>'), withStatus(504), withStatus(201)]
    expect((await exchange({ ...access, retry: { withinMs: 10_000, unanswered: true } }, create)).status).toBe(201)
    expect(came.map(({ body }) => body)).toEqual([create.body, create.body, create.body])
    answers = [withStatus(502)]
    expect((await exchange({ ...access, retry: { withinMs: 10_000 } }, create)).status).toBe(502)
    expect(came).toHaveLength(4)
  })
})

describe('exchange: no answer', () => {
  it.each([
    ['a connection that breaks', () => [nothing], {}, /^POST \/v1\/orders was not answered \(.+\)\.$/],
    ['a reply that is late', () => [silence], { timeoutMs: 50 }, 'POST /v1/orders was not answered (timeout).'],
    ['nobody there', () => [], { baseUrl: 'http://127.0.0.1:1' }, /^POST \/v1\/orders was not answered \(.+\)\.$/],
  ])('%s is a NoAnswerError', async (_, make, more, message) => {
    answers = make()
    const error = await exchange({ ...access, ...more }, create).catch((reason: unknown) => reason)
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
      const asked = exchange({ ...access, signal: stopping.signal, retry: { withinMs: 600_000 } }, create)
      await expect(asked).rejects.toThrow('stop')
    }
  })
})

describe('ApiError', () => {
  it('quotes what is not an envelope', async () => {
    answers = [withStatus(502, { 'Content-Type': 'text/html' }, '<h1>Bad gateway</h1>')]
    const error = await openClient(access)
      .listSellers()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 502, code: undefined, message: 'GET /v1/sellers was refused with 502: <h1>Bad gateway</h1>' })
  })
})
