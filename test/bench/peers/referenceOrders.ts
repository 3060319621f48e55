import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EngineProcess, startEngineProcess } from '../../../src/local/embedded/engineProcess.ts'
import { answers, freePort } from '../../../src/local/embedded/ports.ts'
import { startTemporal } from '../../../src/local/embedded/temporal.ts'
import { findTemporal } from '../../../src/local/embedded/temporalBinary.ts'
import { type Door, openDoor } from './door.ts'
import { type GoPeer, installGo, programOf } from './installGo.ts'
import type { Closing, Peer, Running, Say } from './peer.ts'
import { openCarrier, type Shipment } from './shipments.ts'
import { waitUntil } from './waitUntil.ts'

const BATCH = 32
const GO: GoPeer = {
  folder: 'referenceOrders',
  module: 'github.com/temporalio/reference-app-orders-go',
  commit: '5e96c824f68d4519cf0998bae4b9bc4d1e6c5cf5',
  main: 'cmd/oms',
  sum: '55253c06ebb65ada21aad2122d5ef76bc3a12aaf7dcf73431a8b5f24a579c72f',
  sourceVariable: 'PEER_REFERENCE_ORDERS_SRC',
}

/** Temporal's own sample of an order service, as its quick start runs it: its workers in one process, its APIs in another, on our Temporal. */
export const referenceOrders: Peer = {
  name: 'reference-app-orders-go',
  work: 'POST an order of two items; each is reserved, charged past a fraud check and shipped, in five workflows; the carrier finds both shipments in its list, dispatches and delivers them; the order is completed',
  leavesOut:
    'prices and stock (made up), a second party that approves, tokens, tenants, the log and feed of events; its SQLite holds no more than statuses',
  atOnce: BATCH,
  fetch: (say) => installGo(GO, say),
  start,
}

async function start(closing: Closing, say: Say): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-peer-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const { path } = await findTemporal({ onProgress: say })
  const temporal = await startTemporal({ binary: path, dataDir: folder, namespace: 'default' })
  closing.push(() => temporal.stop())
  const services = await chooseServices()
  const env = { TEMPORAL_ADDRESS: temporal.address, ...environmentOf(services) }
  const api = await startPart('api', { folder, env, closing })
  const worker = await startPart('worker', { folder, env, closing })
  await waitUntil(async () => {
    for (const part of [api, worker]) if (part.ended() !== undefined) throw new Error(`oms ended: ${(await part.said()).slice(-300)}`)
    return isUp(services)
  }, 'oms did not answer in time')
  const processes = { api: api.pid, worker: worker.pid, temporal: temporal.pid }
  return { processes, ...(await openMarket(services, closing)) }
}

/** Where its four services listen. */
type Services = Readonly<Record<'order' | 'shipment' | 'billing' | 'fraud', number>>

async function chooseServices(): Promise<Services> {
  return { order: await freePort(), shipment: await freePort(), billing: await freePort(), fraud: await freePort() }
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

function environmentOf(services: Services): Record<string, string> {
  const variables = Object.entries(services).flatMap(([name, port]) => [
    [`${name.toUpperCase()}_API_PORT`, String(port)],
    [`${name.toUpperCase()}_API_URL`, urlOf(port)],
  ])
  return Object.fromEntries(variables) as Record<string, string>
}

/** Its SQLite lies in the folder that it is started in. */
async function startPart(
  part: 'api' | 'worker',
  { folder, env, closing }: { folder: string; env: Record<string, string>; closing: Closing },
): Promise<EngineProcess> {
  const log = join(folder, `${part}.log`)
  const running = await startEngineProcess({ command: await programOf(GO), args: [part], cwd: folder, env, log, lastSignal: 'SIGKILL' })
  closing.push(() =>
    running.stop([
      { signal: 'SIGINT', waitMs: 3_000 },
      { signal: 'SIGKILL', waitMs: 2_000 },
    ]),
  )
  return running
}

/** Every service answers, and a worker asks for the work of each queue. */
async function isUp({ order, shipment, billing, fraud }: Services): Promise<boolean> {
  for (const url of [`${urlOf(order)}/orders/stats`, `${urlOf(shipment)}/shipments/stats`, `${urlOf(billing)}/charge/stats`]) {
    const answer = await fetch(url)
    if (!answer.ok || ((await answer.json()) as { workerCount: number }).workerCount === 0) return false
  }
  return answers(fraud)
}

/** Each comes from a warehouse of its own, and so by a shipment of its own. */
const ITEMS = [
  { sku: '2030-W01', quantity: 5 },
  { sku: '2030-W02', quantity: 6 },
]

async function openMarket(services: Services, closing: Closing): Promise<Omit<Running, 'processes'>> {
  const orders = openDoor(urlOf(services.order), 'none', BATCH)
  const shipments = openDoor(urlOf(services.shipment), 'none', BATCH)
  closing.push(orders.close, shipments.close)
  const carrier = openCarrier(() => shipments.send<Shipment[]>('GET', '/shipments/pending'))
  const carried = { made: 0, delivered: 0 }
  const next = () => {
    carried.made += 1
    const id = `bench-${carried.made}`
    return { id, body: JSON.stringify({ id, customerId: 'northlight-media', items: ITEMS }) }
  }
  return {
    intake: { baseUrl: urlOf(services.order), token: 'none', path: '/orders', body: () => next().body, status: 201 },
    walk: async () => {
      const { id, body } = next()
      await orders.send('POST', '/orders', body)
      const ids = ITEMS.map((_, index) => `${id}:${index + 1}`)
      await carrier.until((pending) => ids.every((one) => pending.get(one) === 'booked'))
      for (const status of ['dispatched', 'delivered'])
        for (const one of ids) await shipments.send('POST', `/shipments/${one}/status`, JSON.stringify({ status }))
      await carrier.until((pending) => ids.every((one) => !pending.has(one)))
      carried.delivered += 1
    },
    settle: async () => {
      await carrier.until((pending) => pending.size === ITEMS.length * (carried.made - carried.delivered))
      await waitUntil(() => areCompleted(orders, carried.delivered), 'delivered orders were not completed in time')
    },
  }
}

/** An order is completed a moment after its last shipment is delivered. */
async function areCompleted(orders: Door, delivered: number): Promise<boolean> {
  const all = await orders.send<{ status: string }[]>('GET', '/orders')
  if (all.some(({ status }) => status === 'failed')) throw new Error('an order has failed')
  return all.filter(({ status }) => status === 'completed').length === delivered
}
