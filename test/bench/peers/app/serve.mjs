import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * What a library needs around it to be held against a service: HTTP, and word of how far an order is. Nothing is checked, and word goes to the
 * process that measures over a channel that costs next to nothing, so both flatter the peer.
 */
export function serve({ submit, decide, stop }) {
  const server = createServer((request, response) => {
    answer(request, { submit, decide }).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error) => response.writeHead(500).end(String(error.stack)),
    )
  })
  server.keepAliveTimeout = 60_000
  server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send({ ready: true }))
  process.on('SIGTERM', () => {
    server.closeAllConnections()
    const giveUp = setTimeout(() => process.exit(0), 3_000)
    stop().finally(() => {
      clearTimeout(giveUp)
      process.exit(0)
    })
  })
}

async function answer(request, { submit, decide }) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  const [, , orderId] = request.url.split('/')
  if (orderId !== undefined) {
    await decide(orderId, body)
    return { status: 202, body: {} }
  }
  const order_id = randomUUID()
  await submit(order_id, body)
  return { status: 201, body: { order_id } }
}

let news = []

/** Says that an order is `parked` or `closed`; what is said within a few milliseconds goes together. */
export function tell(orderId, state) {
  news.push([orderId, state])
  if (news.length > 1) return
  setTimeout(() => {
    process.send({ news })
    news = []
  }, 2)
}

/** What every peer checks of an order: that it has lines with units and a price. */
export function total(order) {
  return order.line_items.reduce((sum, { units, rate }) => sum + units * rate.unit_cost, 0)
}
