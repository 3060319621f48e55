import { createServer } from 'node:http'

/** A receiver that says 204 to everything; asked, it says how many came, and when (milliseconds since 1970) each event first did. */
const came = new Map<string, number>()
let count = 0

const server = createServer((req, res) => {
  const id = String(req.headers['webhook-id'] ?? '')
  count += 1
  if (!came.has(id)) came.set(id, performance.timeOrigin + performance.now())
  req.resume().on('end', () => res.writeHead(204).end())
})

process.on('message', (ask: { forget: true } | { arrival: string } | { count: true }) => {
  if ('forget' in ask) {
    came.clear()
    count = 0
  }
  process.send?.({ count, at: 'arrival' in ask ? (came.get(ask.arrival) ?? null) : null })
})
process.on('SIGTERM', () => process.exit(0))
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }))
