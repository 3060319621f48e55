import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A webhook receiver: a real server on this machine. */
export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Sets how it answers from now on. */
  answer(how: (res: ServerResponse, received: Received, req: IncomingMessage) => void): void
  /** Returns the most requests that were open at once. */
  readonly atOnce: () => number
  close(): void
}

/** Starts a receiver, which answers 204 until `answer` sets something else. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let how: Parameters<Receiver['answer']>[0] = (res) => res.writeHead(204).end()
  let open = 0
  let max = 0
  const server = createServer((req, res) => {
    open += 1
    max = Math.max(max, open)
    res.on('close', () => {
      open -= 1
    })
    let body = ''
    req.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    req.on('end', () => {
      const one = { headers: req.headers, body, at: Date.now() }
      received.push(one)
      how(res, one, req)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next) => {
      how = next
    },
    atOnce: () => max,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
