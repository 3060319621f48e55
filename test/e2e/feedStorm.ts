import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderEvent } from '../../src/contract/event.ts'
import { applyCommand } from '../../src/operations/orders/applyCommand.ts'
import { type Database, openDatabase } from '../../src/store/connection/database.ts'
import { FEED_START, type FeedPosition, readFeed } from '../../src/store/delivery/feed.ts'
import { type OrderLog, openOrderLog } from '../../src/store/orders/orderLog.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/engines/database.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { startTestRun } from '../support/engines/testRun.ts'
import { checkInvariants } from '../support/invariants/invariants.ts'
import { SELLER } from '../support/orders/anOrder.ts'
import { command, negotiating, round, slowRound } from '../support/orders/storedOrders.ts'

const WRITERS = 16
const READERS = 3
const ORDERS = 40

/**
 * `npm run storm:feed -- [events]`: sixteen writers, which pause before half of their commits, three readers that die and resume where they
 * last stored a page, and always one transaction that is held open; 20,000 events by default. Exits with 1 if an event is missing, repeated
 * or out of its seq.
 */
async function main(): Promise<void> {
  const wanted = Number(process.argv[2] ?? 20_000)
  if (!Number.isInteger(wanted) || wanted < 1) throw new Error('npm run storm:feed -- <events>: a whole number, 20000 when left out.')
  const stopPostgres = await startTestRun()
  const cloned = await cloneDatabase()
  const db = openDatabase(cloned.url, { max: WRITERS + READERS + 4 })
  const log = openOrderLog(db, () => undefined)
  try {
    process.exitCode = (await storm(cloned, db, log, wanted)) === 0 ? 0 : 1
  } finally {
    await db.close()
    await cloned.drop()
    await stopPostgres()
  }
}

async function storm(cloned: ClonedDatabase, db: Database, log: OrderLog, wanted: number): Promise<number> {
  const orders: string[] = []
  for (let made = 0; made < ORDERS; made += 1) orders.push(await negotiating(log))
  let left = wanted - ORDERS * 4
  const began = performance.now()
  const writing = new AbortController()
  const write = async () => {
    while (left > 0) {
      left -= 1
      const orderId = orders[Math.floor(Math.random() * ORDERS)] as string
      // Half of the rounds hold the lock from the beginning, with a pause; the append of the others takes the lock itself.
      if (Math.random() < 0.5) await slowRound(log, orderId, Math.random() ** 3 * 30)
      else await applyCommand(log, orderId, command(), round)
    }
  }
  const writers = Promise.all(Array.from({ length: WRITERS }, write)).finally(() => writing.abort())
  const readers = Array.from({ length: READERS }, (_, place) => crashingReader(db, SELLER, 50 + place * 200))
  const held = holdOpen(db, writing.signal)
  await Promise.all([...readers.map((reader) => reader.follow(writing.signal)), writers, held])
  await feedSettled(db)
  say(`${wanted} events written in ${Math.round((performance.now() - began) / 1_000)} s`)

  let wrong = 0
  const complain = (text: string) => {
    wrong += 1
    say(text)
  }
  const last = new Map<string, number>()
  for (const orderId of orders) last.set(orderId, (await log.load(orderId))?.last_seq ?? 0)
  for (const [place, reader] of readers.entries()) {
    await reader.drain()
    const next = new Map<string, number>()
    for (const { order_id, seq } of reader.kept) {
      if (seq !== (next.get(order_id) ?? 0) + 1) complain(`reader ${place} read ${order_id} ${seq} after ${next.get(order_id) ?? 0}`)
      next.set(order_id, seq)
    }
    for (const [orderId, seq] of last)
      if (next.get(orderId) !== seq) complain(`reader ${place} ended ${orderId} at ${next.get(orderId)} of ${seq}`)
    say(`reader ${place}: ${reader.kept.length} events, crashed ${reader.crashes()} times`)
    if (reader.kept.length !== wanted) complain(`reader ${place} kept ${reader.kept.length} of ${wanted} events`)
  }
  for (const violation of await checkInvariants(cloned.url)) complain(JSON.stringify(violation))
  say(wrong === 0 ? 'Nothing was missed, doubled or out of its seq.' : `${wrong} wrongs`)
  return wrong
}

/**
 * Stores a page and its cursor together, as a receiver's transaction does, and dies between pages and within them; a page that was not
 * stored is read again.
 */
function crashingReader(db: Database, tenant: string, limit: number) {
  const kept: Pick<OrderEvent, 'order_id' | 'seq'>[] = []
  let at: FeedPosition = FEED_START
  let crashes = 0
  const page = async (): Promise<number> => {
    const { events, last } = await readFeed(db, tenant, at, {}, limit)
    if (Math.random() < 0.1) {
      crashes += 1
      return events.length
    }
    kept.push(...events.map((body) => JSON.parse(body) as OrderEvent).map(({ order_id, seq }) => ({ order_id, seq })))
    at = last
    return events.length
  }
  return {
    kept,
    crashes: () => crashes,
    async follow(over: AbortSignal) {
      while (!over.aborted) {
        await page()
        await sleep(Math.random() * 20)
      }
    },
    async drain() {
      while ((await page()) > 0);
    },
  }
}

/** Runs transactions one at a time that have taken their place and wait for seconds before they end, half of them with a rollback. */
async function holdOpen({ pool }: Database, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const client = await pool.connect()
    await client.query('begin')
    await client.query('select pg_current_xact_id()')
    await sleep(1_000 + Math.random() * 2_000, undefined, { signal: over }).catch(() => undefined)
    await client.query(Math.random() < 0.5 ? 'commit' : 'rollback')
    client.release()
    await sleep(200, undefined, { signal: over }).catch(() => undefined)
  }
}

function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 23)} ${text}\n`)
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`)
  process.exit(1)
})
