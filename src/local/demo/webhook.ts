import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '../../../client/src/index.ts'
import type { OrderEvent } from '../../contract/event.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { DemoFault } from './demoFault.ts'
import { line, table } from './story.ts'

/** A webhook receiver on this computer, registered for one buyer's orders. */
export interface DemoReceiver {
  /** Waits until the order reaches `status`, then prints the events received about it and the platform's delivery log. */
  tell(orderId: string, status: OrderEvent['status']): Promise<void>
  /** Deletes the registration, since the receiver stops when the demo ends. */
  close(): Promise<void>
}

/** Registers its own server, as a client would, and keeps the events that have a valid signature. */
export async function listenForWebhooks(asBuyer: Operations, signal: AbortSignal): Promise<DemoReceiver> {
  const came: OrderEvent[] = []
  let secret = ''
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    try {
      came.push(await verifyWebhook<OrderEvent>({ headers: req.headers, body: Buffer.concat(chunks) }, secret))
      res.writeHead(204).end()
    } catch {
      res.writeHead(400).end()
    }
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`
  const { status, body: endpoint } = await asBuyer.createWebhookEndpoint({ body: { url, events: ['order.status_changed'] } })
  const { endpoint_id } = endpoint
  secret = endpoint.secret
  line(`POST /v1/webhooks/endpoints   ${status}, ${endpoint_id} for ${url}`)
  const deliveries = async (order_id: string) => (await asBuyer.listDeliveries({ path: { endpoint_id }, query: { order_id } })).body.items
  return {
    tell: async (orderId, last) => {
      const deadline = Date.now() + PATIENCE_MS
      const mine = () => came.filter(({ order_id }) => order_id === orderId)
      while (!mine().some((event) => event.status === last)) {
        if (Date.now() > deadline)
          throw new DemoFault(`No webhook said ${last} within ${PATIENCE_MS / 1_000} s; the worker's log says why.`)
        await sleep(50, undefined, { signal })
      }
      for (const event of mine()) line(`   ${event.occurred_at}  seq ${event.seq}  ${event.status}   signature verified`)
      let items = await deliveries(orderId)
      // The platform records an attempt a moment after its response.
      while (items.some(({ status: state }) => state === 'pending') && Date.now() < deadline) {
        await sleep(50, undefined, { signal })
        items = await deliveries(orderId)
      }
      line(`GET /v1/webhooks/endpoints/${endpoint_id}/deliveries`)
      const rows = items.reverse().map(({ delivery_id, seq, status: state, attempts }) => {
        const [attempt] = attempts
        return [
          delivery_id,
          String(seq),
          state,
          String(attempts.length),
          String(attempt?.status_code ?? ''),
          `${attempt?.latency_ms ?? 0} ms`,
        ]
      })
      table(['delivery_id', 'seq', 'status', 'attempts', 'answer', 'took'], rows, ['seq', 'attempts', 'took'])
    },
    close: async () => {
      await asBuyer.deleteWebhookEndpoint({ path: { endpoint_id } })
      server.close()
    },
  }
}

const PATIENCE_MS = 30_000
