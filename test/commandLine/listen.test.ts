import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { verifyWebhook } from '../../client/src/index.ts'
import { type Attempt, bring } from '../../src/commandLine/listen/bring.ts'
import { COMMAND_LINE, useCommandLine } from '../support/commandLine.ts'
import { spawnProgram } from '../support/runProgram.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const line = useCommandLine()
let acme: { baseUrl: string; token: string }
beforeAll(() => {
  acme = { baseUrl: market.baseUrl, token: market.acme.token }
})

/** A receiver that answers with these in order, and then 204. */
let answers: number[]
let came: { headers: IncomingHttpHeaders; body: string }[]
let server: Server
let url: string
beforeEach(async () => {
  answers = []
  came = []
  server = createServer(async (req, res) => {
    came.push({ headers: req.headers, body: await text(req) })
    res.writeHead(answers.shift() ?? 204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const POST = { event_id: 'ord_1:1', body: '{"event_type":"order.status_changed"}' }
const times = { attemptMs: 200, shortestMs: 10, waitsMs: [5, 10], latestEndMs: 2_000 }
const brought = async (more: Partial<Parameters<typeof bring>[1]> = {}) => {
  const attempts: Attempt[] = []
  const onAttempt = (_: unknown, attempt: Attempt) => void attempts.push(attempt)
  const { all } = await bring(POST, {
    url,
    secrets: [SECRET],
    headers: {},
    signal: new AbortController().signal,
    times,
    onAttempt,
    ...more,
  })
  await all
  return attempts.map(({ number, status, error, outcome }) => [number, status ?? error, outcome])
}

describe('an event is brought', () => {
  it('signed with every secret, under an id that is the same in each attempt', async () => {
    answers = [500, 503]
    expect(await brought({ secrets: [OTHER, SECRET], headers: { 'x-tenant': 'acme' } })).toEqual([
      [1, 500, 'again'],
      [2, 503, 'again'],
      [3, 204, 'delivered'],
    ])
    expect(new Set(came.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['ord_1:1']))
    for (const secret of [SECRET, OTHER])
      for (const request of came) expect(await verifyWebhook(request, secret)).toEqual(JSON.parse(POST.body))
    expect(came[0]?.headers).toMatchObject({ 'x-tenant': 'acme', 'content-type': 'application/json' })
  })

  it.each([
    [
      'three failures',
      () => (answers = [500, 500, 500]),
      [
        [1, 500, 'again'],
        [2, 500, 'again'],
        [3, 500, 'dropped'],
      ],
    ],
    ['a receiver that is gone', () => (answers = [410]), [[1, 410, 'dropped']]],
    [
      'a redirect, which is not followed',
      () => (answers = [302]),
      [
        [1, 302, 'again'],
        [2, 204, 'delivered'],
      ],
    ],
  ])('and ends after %s', async (_, given, outcome) => {
    given()
    expect(await brought()).toEqual(outcome)
  })

  it('again after answers that are taken for failures, and while nobody is there', async () => {
    expect(await brought({ fail: { status: 500, times: 2 } })).toEqual([
      [1, 500, 'again'],
      [2, 500, 'again'],
      [3, 204, 'delivered'],
    ])
    expect(came).toHaveLength(3)
    const nobody = await brought({ url: 'http://127.0.0.1:1/' })
    expect(nobody.map(([, , outcome]) => outcome)).toEqual(['again', 'again', 'dropped'])
  })
})

describe('listen', () => {
  function listening(...args: string[]) {
    const settings = { MARKETPLACE_URL: acme.baseUrl, MARKETPLACE_TOKEN: acme.token, XDG_CONFIG_HOME: line.folder }
    const child = spawnProgram(COMMAND_LINE, ['listen', '--forward', url, ...args], settings)
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    const secret = async () => {
      await until(() => /whsec_\S+/.test(err))
      return /whsec_[A-Za-z0-9+/=]+/.exec(err)?.[0] ?? ''
    }
    const end = async () => {
      child.kill('SIGINT')
      const [code] = (await once(child, 'close')) as [number]
      return { code, out, err }
    }
    return { secret, end, out: () => out }
  }

  it('brings what happens, again after a failure, signed with a secret that survives a restart', async () => {
    const first = listening('--statuses', 'submitted')
    const secret = await first.secret()
    await new Promise((resolve) => setTimeout(resolve, 500)) // the feed is read from now on
    answers = [500]
    const order = await market.created()
    await until(() => came.length === 2)
    expect(came.map(({ headers }) => headers['webhook-id'])).toEqual([`${order}:1`, `${order}:1`])
    expect(await verifyWebhook(came[1] as never, secret)).toMatchObject({ order_id: order, status: 'submitted' })
    await until(() => first.out().includes('attempt 2: 204'))
    const { code, out } = await first.end()
    expect([code, out]).toEqual([0, expect.stringMatching(/attempt 1: 500 in \d+ ms, again soon\n.*attempt 2: 204/)])
    const second = listening('--rotate-secret')
    expect(await second.secret()).not.toBe(secret)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const next = await market.created()
    await until(() => came.length === 3)
    expect(await verifyWebhook(came[2] as never, secret)).toMatchObject({ order_id: next })
    expect(await verifyWebhook(came[2] as never, await second.secret())).toMatchObject({ order_id: next })
    await second.end()
  }, 60_000)

  it('brings the tests and redeliveries of endpoints, which the feed lacks', async () => {
    const { body: endpoint } = await market.acme.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
    const order = await market.created()
    await market.owner().query("update deliveries set status = 'delivered'")
    const of = `/webhooks/endpoints/${endpoint.endpoint_id}`
    const { body: log } = await market.acme.get(`${of}/deliveries`)
    const listener = listening()
    const secret = await listener.secret()
    await new Promise((resolve) => setTimeout(resolve, 1_000)) // what there is before the first look is not brought
    await market.acme.post(`${of}/test`, {})
    await market.acme.post(`${of}/deliveries/${log.items[0].delivery_id}/redeliver`, {})
    await until(() => came.length === 2)
    const events = await Promise.all(came.map((request) => verifyWebhook<Record<string, unknown>>(request, secret)))
    expect(events.map(({ event_type, order_id }) => [event_type, order_id])).toEqual([
      ['webhook.test', undefined],
      ['order.status_changed', order],
    ])
    await listener.end()
    await market.owner().query("update deliveries set status = 'pending' where redelivery_of is null")
  }, 60_000)

  it.each([
    ['no receiver', ['listen'], /^Name the receiver by --forward, or print the events by --print-json\.\n$/],
    ['a receiver that is none', ['listen', '--forward', 'localhost'], /^"localhost" is not the address of a receiver, .*\n$/],
    [
      'a header that is none',
      ['listen', '--forward', 'http://localhost:1', '--headers', 'colour red'],
      /^"colour red" is not a header, .*\n$/,
    ],
    [
      'a failure that is none',
      ['listen', '--forward', 'http://localhost:1', '--fail', 'often'],
      /It is a status and how often, such as 500x2\./,
    ],
  ])('refuses %s in one sentence', async (_, args, err) => {
    expect(await line.as(acme, ...args)).toEqual({ code: 2, out: '', err: expect.stringMatching(err) })
  })
})
