import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { deliveryActivities } from '../../activities/deliveries.ts'
import { createOutboundClient } from '../../src/adapters/http/outboundCall.ts'
import { openWebhookDispatcher } from '../../src/operations/webhooks/dispatcher.ts'
import { INNER_HOSTS, LOOPBACK_URLS, PRIVATE_NAMES, REFUSED_URLS } from '../support/http/innerTargets.ts'
import { type NameServer, startNameServer } from '../support/http/nameServer.ts'
import { SELLER_SECRET } from '../support/http/sellerServer.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

/** Listens on every address of this machine. Nothing may connect to it. */
const inner = createServer((_req, res) => res.end('reached'))
let connections = 0
let port: number
let names: NameServer
beforeAll(async () => {
  inner.on('connection', () => {
    connections += 1
  })
  inner.listen(0, '::')
  await once(inner, 'listening')
  port = (inner.address() as AddressInfo).port
  names = await startNameServer(PRIVATE_NAMES)
})
const market = useMarket(() => ({ mode: 'production', nameServers: [names.address] }))
afterAll(() => {
  names.close()
  inner.closeAllConnections()
  inner.close()
})

/** The ways to write a URL to a host, including those that only a careless parser accepts. */
function spellings(host: string, port: number): string[] {
  const places = ['', `:${port}`, ':443', ':8443'].map((suffix) => `${host}${suffix}`)
  const odd = [
    `https://user@${host}:${port}/`,
    `https://hooks.example.com@${host}:${port}/`,
    `https://hooks.example.com:443@${host}:${port}/`,
    `https://${host}:${port}#@hooks.example.com/`,
    `https://${host}:${port}/#hooks.example.com`,
    `https://${host}:${port}\\@hooks.example.com/`,
    `https://${host}:${port}?.hooks.example.com/`,
    `https://${host}\uff1a${port}/`,
    `https:${host}:${port}/`,
    `https:////${host}:${port}/`,
    `//${host}:${port}/`,
    `\thttps://${host}:${port}/`,
    `gopher://${host}:${port}/`,
    `file://${host}/etc/passwd`,
  ]
  const cases = places.flatMap((place) => [`http://${place}/`, `https://${place}/`, `HTTPS://${place.toUpperCase()}/`])
  return [...cases, ...odd]
}
/** Without public addresses, to which a socket would be opened. */
const urls = () => [
  ...INNER_HOSTS.flatMap((host) => spellings(host, port)),
  ...LOOPBACK_URLS,
  ...REFUSED_URLS.filter(([, why]) => why !== 'longer' && why !== 'address').map(([url]) => url),
]

/** Whether only name resolution shows that the host is internal. Such a URL is refused when a socket would connect. */
const isName = (url: string) => URL.canParse(url) && new URL(url).hostname.endsWith('.example')

describe('URLs of internal addresses', () => {
  it('are refused when they are registered, or never connected to', async () => {
    const plainNames = Object.keys(PRIVATE_NAMES).map((name) => `https://${name}/`)
    const step = scale(23, 1) // prime to how many spellings a host has: each spelling of some host
    const every = [...plainNames, ...urls().filter((_, index) => index % step === 0)]
    const taken: { endpoint_id: string; url: string }[] = []
    const asBase: string[] = []
    for (const url of every) {
      const hook = await market.acme.post('/webhooks/endpoints', { url })
      if (hook.status === 201) taken.push(hook.body)
      else expect([url, hook.status, hook.body.details.field]).toEqual([url, 422, 'url'])
      const pull = { base_url: url, secret_ref: 'pull' }
      const profile = await market.cable.put('/me/capabilities', { holds: true, transports: { pull } })
      if (profile.status === 200) asBase.push(url)
      else expect([url, profile.status]).toEqual([url, 422])
      if (taken.length >= 45) await pingAll(taken.splice(0))
      if (profile.status === 200) await askToHold()
    }
    expect([...taken.map(({ url }) => url), ...asBase].filter((url) => !isName(url))).toEqual([])
    await pingAll(taken)
    expect(asBase.length).toBeGreaterThanOrEqual(plainNames.length)
    expect(connections).toBe(0)
  }, 600_000)

  it('are refused by the outbound client itself, wherever they come from', async () => {
    const every = urls()
    const faults = new Map<string, number>()
    for (let at = 0; at < every.length; at += 50) {
      const calls = every.slice(at, at + 50).map(async (url) => {
        const answer = await market.deps.outbound.call({ method: 'POST', url, body: '{}', deadline: 5_000, maxBytes: 1_024 })
        expect([url, 'fault' in answer]).toEqual([url, true])
        const fault = 'fault' in answer ? answer.fault : ''
        faults.set(fault, (faults.get(fault) ?? 0) + 1)
      })
      await Promise.all(calls)
    }
    expect(connections).toBe(0)
    // No connection reached this machine or another.
    expect(['tls', 'connect', 'reset', 'timeout'].filter((fault) => faults.has(fault))).toEqual([])
    expect(faults.get('refused_address')).toBeGreaterThan(every.length / 2)
    report('URLs of internal addresses', { urls: every.length, connections, ...Object.fromEntries(faults) })
  }, 600_000)
})

async function askToHold(): Promise<void> {
  await market.cable.put('/me/secrets/pull', { value: SELLER_SECRET })
  const lines = [{ product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 1, spot_length: 30 }]
  const { status } = await market.acme.post('/holds', { seller: 'cable', lines, ttl_minutes: 1 })
  expect(status).toBeGreaterThanOrEqual(400)
}

/** Sends a ping to each, checks that its first attempt is refused before a socket opens, and deletes it. */
async function pingAll(endpoints: { endpoint_id: string; url: string }[]): Promise<void> {
  const { db, secrets, outbound } = market.deps
  const dispatcher = openWebhookDispatcher({ db, secrets, outbound })
  const at = ({ endpoint_id }: { endpoint_id: string }, path = '') => `/webhooks/endpoints/${endpoint_id}${path}`
  const rounds: Promise<unknown>[] = []
  for (const endpoint of endpoints) {
    await market.acme.post(at(endpoint, '/test'), undefined)
    rounds.push(new MockActivityEnvironment().run(deliveryActivities(dispatcher).deliver, endpoint.endpoint_id))
  }
  for (const endpoint of endpoints) {
    const attempts = async () => (await market.acme.get(at(endpoint, '/deliveries'))).body.items[0].attempts
    await until(async () => (await attempts()).length > 0)
    expect([endpoint.url, (await attempts())[0].error]).toEqual([endpoint.url, 'refused_address'])
  }
  await dispatcher.close()
  await Promise.allSettled(rounds)
  for (const endpoint of endpoints) await market.acme.delete(at(endpoint))
}

describe('an answer that redirects to an internal address', () => {
  const ANSWERS: Record<string, (res: ServerResponse, url: string) => void> = {
    ...Object.fromEntries(
      [300, 301, 302, 303, 304, 305, 307, 308].map((status) => [
        `a ${status}`,
        (res: ServerResponse, location: string) => void res.writeHead(status, { location }).end(),
      ]),
    ),
    'a refresh': (res, url) => void res.writeHead(200, { refresh: `0; url=${url}` }).end(),
    'an alternative service': (res, url) => void res.writeHead(200, { 'alt-svc': `h2="${new URL(url).host}"` }).end(),
    'early hints': (res, url) => {
      res.writeEarlyHints({ link: `<${url}>; rel=preload` })
      res.end()
    },
    'a proxy that wants a password': (res, url) =>
      void res.writeHead(407, { 'proxy-authenticate': `Basic realm="${url}"`, location: url }).end(),
  }

  it.each(Object.keys(ANSWERS))('is not followed: %s', async (kind) => {
    const server = createServer((_req, res) => ANSWERS[kind]?.(res, `http://127.0.0.1:${port}/inner`))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // Loopback is allowed here, so only the rule against redirects can stop the call.
    const sandbox = createOutboundClient({ allowLoopback: true })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(await sandbox.call({ method: 'POST', url, body: '{}', deadline: 5_000, maxBytes: 1_024 })).toHaveProperty('status')
    await sandbox.close()
    server.closeAllConnections()
    server.close()
    expect(connections).toBe(0)
  })
})
