import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { signatureHeaders } from '../../adapters/http/requestSignature.ts'
import { type Holds, NotApplicable, NotHeld, type Story } from '../story.ts'
import type { WireReply } from '../wire.ts'
import type { Driven } from './drive.ts'
import { catalogBrief, ended, oneOrder, only } from './steps.ts'
import type { BuyerWorld } from './world.ts'

/** How long a program may take to listen, in milliseconds. */
const LISTENS_MS = 15_000
const DEADLINE_MS = 5_000

/** Deliveries of one order's events as they may arrive: twice, and out of order. */
export const DELIVERIES: readonly Story<BuyerWorld>[] = [
  {
    id: 'buyer.webhooks',
    title: 'Retries reuse the same seq: dedup on (order_id, seq), and act in the order of seq.',
    link: 'docs/contract/events.md#delivery',
    run: doubledAndReordered,
  },
]

interface Receiver {
  readonly url: string
  readonly secret: string
}

async function doubledAndReordered(world: BuyerWorld, holds: Holds): Promise<void> {
  const { shop, api } = world
  const port = await freePort()
  const receiver = { url: `http://127.0.0.1:${port}/`, secret: `whsec_${randomBytes(32).toString('base64')}` }
  const brief = catalogBrief(world, 'buyer.webhooks', { on_counter: 'accept', webhook: { port, secret: receiver.secret } })
  const { order_id, program } = await world.ordered(brief, holds)
  await holds('it waits for its seller', () => world.until(order_id, ['seller_review'], 'cite what is published', program))
  await listening(receiver, program)
  await delivered(holds, 'each event is acknowledged, also twice', receiver, shop.events(order_id), [0, 0, 2, 1, 2])
  await shop.counter(order_id)
  await delivered(holds, 'a counter is acknowledged twice, and so is what came before it', receiver, shop.events(order_id), [3, 3, 2, 3])
  await holds('the order is placed', () => world.until(order_id, ['placed'], 'respond to the counter', program))
  await delivered(holds, 'a counter that is delivered after its answer is acknowledged', receiver, shop.events(order_id), [3, 3])
  await ended(program, holds)
  await holds('the counter was answered once', async () => {
    only(
      (await shop.events(order_id)).filter((event) => event.prior_status === 'negotiating'),
      'answer',
    )
    const answers = api.calls.filter(({ path, isReplay }) => path === `/orders/${order_id}/respond` && isReplay !== true)
    if (answers.length > 1) throw new NotHeld(`it was answered ${answers.length} times`, 'dedup on (order_id, seq) before you act')
  })
  await oneOrder(world, holds, brief)
}

/** Posts these events, by their places in the log, as the marketplace does. */
async function delivered(
  holds: Holds,
  sentence: string,
  { url, secret }: Receiver,
  events: Promise<WireReply['body'][]>,
  places: readonly number[],
): Promise<void> {
  const log = await events
  await holds(sentence, async () => {
    for (const place of places) {
      const event = log[place]
      if (event === undefined) throw new NotHeld(`the log has no event ${place + 1}`, 'tell those who run the marketplace')
      const body = JSON.stringify(event)
      const id = `${event.order_id}:${event.seq}`
      const headers = signatureHeaders({ id, body, timestamp: Math.floor(Date.now() / 1_000), secrets: [secret] })
      const status = await posted(url, body, { 'content-type': 'application/json', ...headers })
      if (status === 'gone') return // the program has seen the end of its order
      if (status < 200 || status >= 300) throw new NotHeld(`${id} was answered ${status}`, 'answer 2xx, and 204 to a repeat')
    }
  })
}

async function posted(url: string, body: string, headers: Record<string, string>): Promise<number | 'gone'> {
  try {
    const answer = await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(DEADLINE_MS) })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') throw new NotHeld('no answer within 5 s', 'answer before you work on it')
    return 'gone'
  }
}

/** Waits until the program listens; not applicable to one that follows its orders in another way. */
async function listening({ url }: Receiver, program: Driven): Promise<void> {
  for (const end = Date.now() + LISTENS_MS; ; await sleep(100)) {
    const answers = await fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(DEADLINE_MS) }).then(
      (reply) => reply.status,
      () => undefined,
    )
    if (answers !== undefined) return
    if (Date.now() < end) continue
    program.stop()
    throw new NotApplicable('nothing listens on webhook.port of the brief: the program follows its orders by reading')
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
