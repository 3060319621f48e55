import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A marketplace of a later version: in front of one of today, it adds what may be added without a new version. */
export interface FutureProxy {
  readonly baseUrl: string
  close(): Promise<void>
}

/** A status, an event and members that no document of today has. */
export const UNKNOWN = { status: 'teleported', event_type: 'order.teleported' } as const

export async function futureProxy(baseUrl: string): Promise<FutureProxy> {
  const server = createServer((request, response) => {
    forward(baseUrl, request, response).catch((error: unknown) => response.writeHead(502).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function forward(baseUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { authorization = '', 'content-type': type = 'application/json', 'idempotency-key': key } = request.headers
  const path = (request.url ?? '').replace(/^\/v1/, '')
  const reply = await fetch(`${baseUrl}${path}`, {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': type, ...(typeof key === 'string' && { 'idempotency-key': key }) },
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
  const text = await reply.text()
  response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'application/json' })
  response.end(reply.ok && text !== '' ? JSON.stringify(later(path, JSON.parse(text))) : text)
}

/** Returns a reply as a later version might give it. */
function later(path: string, body: Record<string, unknown>): object {
  const added = { ...body, of_a_later_version: { at: [1, 2] } }
  if (path.startsWith('/events/feed')) {
    const event = { event_type: UNKNOWN.event_type, event_id: 'evt_later', occurred_at: '2031-01-01T00:00:00.000Z', data: { by: 'beam' } }
    return { ...added, events: [...(body.events as object[]).map((one) => ({ ...one, of_a_later_version: true })), event] }
  }
  if (!/^\/orders\/ord_\w+$/.test(path)) return added
  const lines = (body.line_items as object[]).map((line) => ({ ...line, of_a_later_version: null, status: 'beamed' }))
  return { ...added, status: UNKNOWN.status, line_items: lines, artifacts: [{ name: 'hologram', seq: 1, shown: true }] }
}
