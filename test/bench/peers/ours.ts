import { setTimeout as sleep } from 'node:timers/promises'
import { buildPrograms } from '../../support/engines/buildPrograms.ts'
import { startEngines } from '../engines.ts'
import { followFeed } from '../followFeed.ts'
import { startProgram } from '../program.ts'
import { openStage, type Stage } from '../stage.ts'
import { openDoor } from './door.ts'
import { APPROVAL } from './library.ts'
import type { Closing, Peer, Running, Say } from './peer.ts'

const BATCH = 32

/** The product as it is built, its bundle made before; its followers wait at the feed. */
export const ours: Peer = {
  name: 'Order Marketplace Service',
  work: 'POST an order of two lines, checked against catalog, card and avails; the seller hears of it in its feed and approves; placed, workflow closed',
  leavesOut: 'rate limits (off)',
  atOnce: BATCH,
  async fetch(say) {
    say('  building ...')
    await buildPrograms()
    return 'this tree'
  },
  start,
}

async function start(closing: Closing, say: Say): Promise<Running> {
  const engines = await startEngines(say)
  closing.push(() => engines.stop())
  const temporal = await engines.temporal()
  const stage = await openStage(engines)
  closing.push(() => stage.close())
  const worker = await startProgram('worker/main', { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: temporal.address, PORT: '' })
  closing.push(() => worker.stop())
  const buyer = openDoor(stage.baseUrl, stage.tokens.buyer, BATCH)
  const seller = openDoor(stage.baseUrl, stage.tokens.seller, BATCH)
  const feed = await followFeed(stage)
  closing.push(() => feed.stop(), buyer.close, seller.close)
  return {
    processes: { api: stage.api.pid, worker: worker.pid, temporal: temporal.pid, postgres: engines.postgres.pid },
    intake: { baseUrl: stage.baseUrl, token: stage.tokens.buyer, path: '/v1/orders', body: stage.nextOrder, status: 201 },
    walk: async () => {
      const { order_id } = await buyer.send<{ order_id: string }>('POST', '/v1/orders', stage.nextOrder())
      await feed.reviews(order_id)
      await seller.send('POST', `/v1/me/orders/${order_id}/decide`, APPROVAL)
    },
    settle: () => settle(stage),
  }
}

/** Every order is with its seller, or placed and its workflow closed. */
async function settle({ pool }: Stage): Promise<void> {
  for (;;) {
    const { rows } = await pool.query("select 1 from orders where status = 'submitted' or (status = 'placed' and not closed) limit 1")
    if (rows.length === 0) return
    await sleep(20)
  }
}
