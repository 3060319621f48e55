import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngineProcess } from '../../../src/local/embedded/engineProcess.ts'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { startNode } from '../program.ts'
import { openDoor } from './door.ts'
import { homeOf, install, QUIET } from './install.ts'
import { APPROVAL, countedOrders, hearNews } from './library.ts'
import type { Closing, Peer, Running } from './peer.ts'
import { followProgress } from './progress.ts'
import { waitUntil } from './waitUntil.ts'

const BATCH = 32
const NPM = { folder: 'restate', main: '@restatedev/restate-server', files: ['app.mjs', 'serve.mjs'] }

export const restate: Peer = {
  name: 'Restate',
  work: 'one workflow an order: two durable steps around a durable promise of the decision',
  leavesOut: 'checks of tokens, prices and avails; tenants; the log and feed of events (its word reaches the driver through memory); SQL',
  atOnce: BATCH,
  fetch: (say) => install(NPM, say),
  start,
}

async function start(closing: Closing): Promise<Running> {
  const [ingress, admin, node, service] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const server = await startServer(closing, { ingress, admin, node })
  const app = await startNode('the Restate service', ['app.mjs'], { PORT: String(service), NODE_ENV: 'production' }, await homeOf(NPM))
  closing.push(() => app.stop())
  const progress = followProgress()
  app.hear((message) => hearNews(progress, message))
  await register(admin, service)
  const baseUrl = `http://127.0.0.1:${ingress}`
  const door = openDoor(baseUrl, 'none', BATCH)
  closing.push(() => door.close())
  const orders = countedOrders()
  return {
    processes: { server, app: app.pid },
    intake: { baseUrl, token: 'none', path: () => pathOf(randomUUID()), body: orders.next, status: 202 },
    walk: async () => {
      const orderId = randomUUID()
      await door.send('POST', pathOf(orderId), orders.next())
      await progress.reaches(orderId, 'parked')
      await door.send('POST', `/order/${orderId}/decide`, APPROVAL)
      await progress.reaches(orderId, 'closed')
    },
    settle: () => progress.count('parked', orders.made()),
  }
}

function pathOf(orderId: string): string {
  return `/order/${orderId}/run/send`
}

/** The server of the package for this platform, on this machine alone, all else as it comes. Returns its process id. */
async function startServer(closing: Closing, ports: { ingress: number; admin: number; node: number }): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-peer-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const env = {
    ...QUIET,
    PATH: process.env.PATH,
    RESTATE_BIND_IP: '127.0.0.1',
    RESTATE_ADVERTISED_HOST: '127.0.0.1',
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_PORT: String(ports.node),
    RESTATE_ADMIN__BIND_PORT: String(ports.admin),
    RESTATE_INGRESS__BIND_PORT: String(ports.ingress),
    RESTATE_LOG_FILTER: 'error',
  }
  const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`
  const server = await startEngineProcess({
    command: join(await homeOf(NPM), 'node_modules', platform, 'bin/restate-server'),
    args: ['--no-logo', '--base-dir', folder],
    cwd: folder,
    env,
    log: join(folder, 'server.log'),
    lastSignal: 'SIGKILL',
  })
  closing.push(() =>
    server.stop([
      { signal: 'SIGTERM', waitMs: 3_000 },
      { signal: 'SIGKILL', waitMs: 2_000 },
    ]),
  )
  await waitUntil(async () => {
    const ended = server.ended()
    if (ended !== undefined) throw new Error(`the Restate server ended with ${ended}: ${(await server.said()).slice(-300)}`)
    return (await fetch(`http://127.0.0.1:${ports.admin}/health`)).ok
  }, 'the Restate server did not answer in time')
  return server.pid
}

async function register(admin: number, service: number): Promise<void> {
  const body = JSON.stringify({ uri: `http://127.0.0.1:${service}` })
  await waitUntil(async () => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`http://127.0.0.1:${admin}/deployments`, { method: 'POST', headers, body })).ok
  }, 'the Restate server did not take the service in time')
}
