import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderEvent } from '../contract/event.ts'
import type { DeliveryList, EndpointCreated } from '../contract/webhook.ts'
import { verifyWebhook } from '../verifyWebhook.ts'
import { type Client, DemoFault } from './client.ts'
import { line, table } from './story.ts'

/** A receiver on this machine, registered for one buyer's orders. */
export interface DemoReceiver {
  /** Tells what came of an order, once it came as far as `status`, and what the platform's log says of it. */
  tell(orderId: string, status: OrderEvent['status']): Promise<void>
  /** Takes the registration back: nobody listens there when the demo is over. */
  close(): Promise<void>
}

/** Registers a server of its own, as a client's would be, and keeps what comes with a signature that is right. */
export async function listenForWebhooks(asBuyer: Client, signal: AbortSignal): Promise<DemoReceiver> {
  const came: OrderEvent[] = []
  let secret = ''
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    try {
      came.push(verifyWebhook<OrderEvent>({ headers: req.headers, body: Buffer.concat(chunks) }, secret))
      res.writeHead(204).end()
    } catch {
      res.writeHead(400).end()
    }
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`
  const body = JSON.stringify({ url, events: ['order.status_changed'] })
  const { status, body: endpoint } = await asBuyer.ask<EndpointCreated>('POST', '/webhooks/endpoints', body)
  secret = endpoint.secret
  line(`POST /v1/webhooks/endpoints   ${status}, ${endpoint.endpoint_id} for ${url}`)
  const deliveries = async (path: string) => (await asBuyer.ask<DeliveryList>('GET', path)).body.items
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
      const path = `/webhooks/endpoints/${endpoint.endpoint_id}/deliveries?order_id=${orderId}`
      let items = await deliveries(path)
      // An attempt is written down a moment after its answer.
      while (items.some(({ status: standing }) => standing === 'pending') && Date.now() < deadline) {
        await sleep(50, undefined, { signal })
        items = await deliveries(path)
      }
      line(`GET /v1/webhooks/endpoints/${endpoint.endpoint_id}/deliveries`)
      const rows = items.reverse().map(({ delivery_id, seq, status: standing, attempts }) => {
        const [attempt] = attempts
        return [
          delivery_id,
          String(seq),
          standing,
          String(attempts.length),
          String(attempt?.status_code ?? ''),
          `${attempt?.latency_ms ?? 0} ms`,
        ]
      })
      table(['delivery_id', 'seq', 'status', 'attempts', 'answer', 'took'], rows, ['seq', 'attempts', 'took'])
    },
    close: async () => {
      await asBuyer.ask('DELETE', `/webhooks/endpoints/${endpoint.endpoint_id}`)
      server.close()
    },
  }
}

const PATIENCE_MS = 30_000
