import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Connection, Client as Temporal } from '@temporalio/client'
import type { OrderStatus } from '../../src/contract/vocabulary.ts'
import { postgresUrl } from '../../src/local/embedded/postgres.ts'
import { temporalAddress } from '../../src/local/embedded/temporal.ts'
import { type Receiver, startReceiver } from '../support/http/receiver.ts'
import { checkInvariants } from '../support/invariants/invariants.ts'
import { until } from '../support/until.ts'
import { openParties } from './deaths.ts'
import { orderBody, place } from './market.ts'
import type { Parties } from './traffic.ts'
import { useProduct } from './useProduct.ts'

const product = useProduct({ env: { RATE_LIMITS: 'off' } })
let parties: Parties
let receiver: Receiver
beforeAll(async () => {
  parties = await openParties(product)
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const buyer = () => {
  const [client] = Object.values(parties.buyers)
  if (client === undefined) throw new Error('the sandbox has no buyer')
  return client
}
const ordered = async (name: string) => (await place(buyer(), orderBody(parties.market, name))).order_id
const reaches = (orderId: string, status: OrderStatus) =>
  until(async () => (await buyer().getOrder({ path: { order_id: orderId } })).body.status === status, 60)
const approve = (orderId: string) =>
  parties.seller.decideOrder({ path: { order_id: orderId }, body: { decision: 'approve', actor: 'Ada' } })
const delivered = (orderId: string, seq: number) =>
  until(() => receiver.received.some(({ headers }) => headers['webhook-id'] === `${orderId}:${seq}`), 60)

/** The buyer's reader of the feed, which no restore affects: its cursor and the events that it has read, as `order:seq`. */
const reader = { cursor: undefined as string | undefined, seen: [] as string[] }
/** Reads the feed until an event has been seen. */
const readUntil = (event: string) =>
  until(async () => {
    const { body } = await buyer().readFeed({ query: reader.cursor === undefined ? {} : { after: reader.cursor } })
    reader.cursor = body.next_cursor
    reader.seen.push(...body.events.flatMap((one) => ('order_id' in one ? [`${one.order_id}:${one.seq}`] : [])))
    return reader.seen.includes(event)
  }, 30)

/** Copies files with owners and modes, as a backup does. */
const copied = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])

it('open orders, cursors and webhooks continue from a backup that is restored beside an empty Temporal', async () => {
  await buyer().createWebhookEndpoint({ body: { url: receiver.url } })
  const [placed, open] = [await ordered('placed'), await ordered('open')]
  await Promise.all([reaches(placed, 'seller_review'), reaches(open, 'seller_review')])
  await approve(placed)
  await readUntil(`${placed}:4`)
  await delivered(placed, 4)

  await product.stop()
  const backup = `${product.dataDir}.backup`
  await copied(product.dataDir, backup)
  await product.startAgain()
  const lost = await ordered('lost')
  await readUntil(`${lost}:3`)

  await product.stop()
  await rm(product.dataDir, { recursive: true })
  await copied(backup, product.dataDir)
  for (const name of await readdir(product.dataDir)) if (name.startsWith('temporal.db')) await rm(join(product.dataDir, name))
  const { NODE_OPTIONS: _, ...env } = process.env
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'restored'], { env: { ...env, DATA_DIR: product.dataDir } })
  expect(stdout.split('\n')).toEqual([
    'A new era of the feed has begun: readers continue with their cursors.',
    'What is drawn on the credit of agreements is counted again.',
    '1 open order gets its run when a worker starts.',
    '',
  ])
  await product.startAgain()

  const connection = await Connection.connect({ address: await temporalAddress(product.dataDir) })
  const run = new Temporal({ connection }).workflow.getHandle(`order:${open}`)
  await until(async () => (await run.describe().catch(() => undefined))?.status.name === 'RUNNING', 30)
  await approve(open)
  await run.result()
  await connection.close()

  const next = await ordered('next')
  await readUntil(`${next}:3`)
  await delivered(next, 3)
  await delivered(open, 4)
  const eventsOf = (orderId: string, events: number) => Array.from({ length: events }, (_, index) => `${orderId}:${index + 1}`)
  expect([...reader.seen].sort()).toEqual([...eventsOf(placed, 4), ...eventsOf(open, 4), ...eventsOf(lost, 3), ...eventsOf(next, 3)].sort())
  const bodies = new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`))
  expect(bodies.size).toBe(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size)
  expect(await checkInvariants(await postgresUrl(product.dataDir))).toEqual([])
  await rm(backup, { recursive: true })
}, 180_000)
