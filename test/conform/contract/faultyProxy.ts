import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call on its way to the marketplace; a fault may change it. */
export interface PassedCall {
  readonly method: string
  /** Below /v1, with its query. */
  path: string
  token: string
  /** As it was sent; a fault that changes JSON parses and prints it. */
  body: Buffer
  readonly headers: Record<string, string>
}

export interface PassedReply {
  status: number
  headers: Record<string, string>
  text: string
  /** The parsed body, which is printed again unless `text` was changed; undefined if it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a body may be of any operation
  body: any
}

/** A fault of a marketplace: what it does to calls and replies. One that answers by itself does not pass the call on. */
export interface Alteration {
  readonly request?: (call: PassedCall) => void
  readonly answer?: (call: PassedCall) => PassedReply | undefined
  readonly reply?: (reply: PassedReply, call: PassedCall) => void
}

export interface FaultyProxy {
  readonly baseUrl: string
  close(): Promise<void>
}

/** Stands in front of a marketplace and has one fault. */
export async function faultyProxy(baseUrl: string, alteration: Alteration): Promise<FaultyProxy> {
  const server = createServer((req, res) => {
    pass(baseUrl, alteration, req, res).catch((error: unknown) => res.writeHead(502).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const PASSED = ['content-type', 'idempotency-key', 'if-match', 'sandbox-simulate']

async function pass(baseUrl: string, { request, answer, reply }: Alteration, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  const headers: Record<string, string> = {}
  for (const name of PASSED) if (req.headers[name] !== undefined) headers[name] = String(req.headers[name])
  const token = String(req.headers.authorization).replace(/^Bearer /, '')
  const call: PassedCall = {
    method: req.method ?? '',
    path: (req.url ?? '').replace(/^\/v1/, ''),
    token,
    body: Buffer.concat(chunks),
    headers,
  }
  request?.(call)
  const passed = answer?.(call) ?? (await forwarded(baseUrl, call))
  const before = passed.text
  reply?.(passed, call)
  const text = passed.body === undefined || passed.text !== before ? passed.text : JSON.stringify(passed.body)
  res.writeHead(passed.status, passed.headers).end(text)
}

async function forwarded(baseUrl: string, { method, path, token, body, headers }: PassedCall): Promise<PassedReply> {
  const sent = { ...headers, authorization: `Bearer ${token}` }
  const answered = await fetch(`${baseUrl}${path}`, { method, headers: sent, ...(body.length > 0 && { body: new Uint8Array(body) }) })
  const text = await answered.text()
  const own = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length'])
  const isJson = answered.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
  return {
    status: answered.status,
    headers: Object.fromEntries([...answered.headers].filter(([name]) => !own.has(name))),
    text,
    body: isJson ? JSON.parse(text) : undefined,
  }
}
