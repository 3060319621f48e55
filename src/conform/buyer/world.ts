import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Holds, NotHeld } from '../story.ts'
import type { Target } from '../target.ts'
import { eventually, type WireReply } from '../wire.ts'
import { type Brief, commandDriver, type Driven, shownDriver } from './drive.ts'
import { openShop, type Shop } from './shop.ts'
import { type WatchedApi, watchApi } from './watchedApi.ts'

export interface BuyerOptions {
  readonly token: string
  /** The command that carries out a brief; without it each brief is shown, and its order awaited. */
  readonly run?: string | undefined
  readonly patienceMs: number
  readonly show: (text: string) => void
}

/** A buyer's program, the seller that it orders from, and what lies between them. */
export interface BuyerWorld {
  readonly buyer: string
  readonly shop: Shop
  readonly api: WatchedApi
  readonly buysheetFile: string
  /** Returns a brief with an order number of its own. */
  brief(story: string, more: Partial<Brief>): Brief
  /** Has the program carry out a brief, and returns the order that arrives at the seller. */
  ordered(brief: Brief, holds: Holds): Promise<{ order_id: string; program: Driven }>
  /** The order once it has one of these statuses, as the seller reads it. */
  until(order_id: string, statuses: readonly string[], fix: string, program: Driven): Promise<WireReply['body']>
  close(): Promise<void>
}

export async function openBuyerWorld(target: Target, { token, run, patienceMs, show }: BuyerOptions): Promise<BuyerWorld> {
  const shop = await openShop(target)
  const api = await watchApi(target.wire.baseUrl)
  const driver = run === undefined ? shownDriver(show) : commandDriver(run, { url: api.url, token }, patienceMs)
  const folder = await mkdtemp(join(tmpdir(), 'conform-'))
  const buysheetFile = join(folder, 'buysheet.csv')
  await writeFile(buysheetFile, shop.buysheet)
  const programs: Driven[] = []
  return {
    ...{ buyer: target.entity, shop, api, buysheetFile },
    brief: (story, more) => ({
      ...{ story, seller: shop.seller, workflow: 'catalog', external_order_id: `conform-${randomBytes(6).toString('hex')}` },
      ...{ advertiser_id: `adv-${randomBytes(3).toString('hex')}`, ...more },
    }),
    async ordered(brief, holds) {
      const before = new Set((await shop.orders()).map(({ order_id }) => order_id))
      const program = driver.drive(brief)
      programs.push(program)
      const news = () => shop.orders().then((orders) => orders.filter(({ order_id }) => !before.has(order_id)))
      const order_id = await holds('the order arrives at the seller, under its number', async () => {
        const orders = await eventually(
          async () => {
            program.check()
            return news()
          },
          (found) => found.length > 0,
          { patienceMs, cause: () => 'no order came', fix: 'place the order of the brief with POST /orders' },
        )
        const [{ order_id, external_order_id }] = orders as [WireReply['body']]
        if (external_order_id === brief.external_order_id) return order_id as string
        throw new NotHeld(`its external_order_id is ${external_order_id}`, 'send the external_order_id of the brief: it makes repeats safe')
      })
      return { order_id, program }
    },
    until: (order_id, statuses, fix, program) =>
      eventually(
        async () => {
          program.check()
          return shop.read(order_id)
        },
        ({ status }) => statuses.includes(status),
        { patienceMs, cause: ({ status }) => `${order_id} is still ${status}`, fix },
      ),
    async close() {
      for (const program of programs) program.stop()
      await api.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
