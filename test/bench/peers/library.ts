import { freePort } from '../../../src/local/embedded/ports.ts'
import { orderBody } from '../../e2e/market.ts'
import { startEngines } from '../engines.ts'
import { startNode } from '../program.ts'
import { createDatabase } from '../stage.ts'
import { openDoor } from './door.ts'
import { homeOf, install, type NpmPeer, QUIET } from './install.ts'
import type { Closing, Peer, Running, Say } from './peer.ts'
import { followProgress, type Progress } from './progress.ts'

/** A library on Postgres, behind the HTTP of `app/serve.mjs`. */
export function libraryPeer(npm: NpmPeer, about: Pick<Peer, 'name' | 'work' | 'leavesOut' | 'atOnce'>): Peer {
  return { ...about, fetch: (say) => install(npm, say), start: (closing, say) => startLibrary(npm, about.atOnce, closing, say) }
}

async function startLibrary(npm: NpmPeer, atOnce: number, closing: Closing, say: Say): Promise<Running> {
  const engines = await startEngines(say)
  closing.push(() => engines.stop())
  const port = String(await freePort())
  const home = await homeOf(npm)
  const env = { ...QUIET, DATABASE_URL: await createDatabase(engines.postgres.url), PORT: port }
  const app = await startNode(npm.main, ['app.mjs'], env, home)
  closing.push(() => app.stop())
  const progress = followProgress()
  app.hear((message) => hearNews(progress, message))
  const baseUrl = `http://127.0.0.1:${port}`
  const door = openDoor(baseUrl, 'none', atOnce)
  closing.push(() => door.close())
  const orders = countedOrders()
  return {
    processes: { app: app.pid, postgres: engines.postgres.pid },
    intake: { baseUrl, token: 'none', path: '/orders', body: orders.next, status: 201 },
    walk: async () => {
      const { order_id } = await door.send<{ order_id: string }>('POST', '/orders', orders.next())
      await progress.reaches(order_id, 'parked')
      await door.send('POST', `/orders/${order_id}/decide`, APPROVAL)
      await progress.reaches(order_id, 'closed')
    },
    settle: () => progress.count('parked', orders.made()),
  }
}

export const APPROVAL = JSON.stringify({ decision: 'approve', actor: 'traffic desk' })

/** What an app tells over its channel, `{news: [[order, state], ...]}`. */
export function hearNews(progress: Progress, message: unknown): void {
  for (const [orderId, state] of (message as { news?: [string, string][] }).news ?? []) progress.heard(orderId, state)
}

/** The bytes of our orders of two lines, with prices of a market that is not there. */
export function countedOrders(): { next(): string; made(): number } {
  const rates = { '2030-W01': 'rate-0000000000000001', '2030-W02': 'rate-0000000000000002' }
  let made = 0
  return {
    next() {
      made += 1
      return orderBody({ seller: 'summit', rateVersion: '2030-q1', rates }, `bench-${made}`)
    },
    made: () => made,
  }
}
