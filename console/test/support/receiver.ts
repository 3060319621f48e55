import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  readonly url: string
  /** What is answered from now on. */
  status: number
  /** The ids of the events that have come, each as often as it came. */
  readonly events: string[]
  close(): void
}

/** A receiver of webhooks on this machine. */
export async function receiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    result.events.push(String(request.headers['webhook-id']))
    request.resume()
    response.writeHead(result.status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const result: Receiver = {
    url: `http://127.0.0.1:${port}/events`,
    status: 200,
    events: [],
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return result
}
