import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { undocumented } from './pullContract.ts'

/** One request that a seller's own API received. */
export interface SellerCall {
  method: string
  path: string
  /** Method and path without ids: `POST /decisions`. */
  operation: string
  headers: IncomingMessage['headers']
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the platform sent
  body: any
  /** Whether the secret signs it correctly, in both ways. */
  signed: boolean
  /** How it violates docs/pull-openapi.json, if it does. */
  undocumented: string | undefined
}

/** A reply: a status and a body, raw bytes, or no answer at all. */
export type SellerReply = { status: number; body?: unknown; raw?: string | Buffer; headers?: Record<string, string> } | 'hang' | 'reset'

export interface SellerServer {
  readonly url: string
  readonly calls: SellerCall[]
  /** Returns how many calls of an operation it has received. */
  count(operation: string): number
  /** Sets how it answers from now on. */
  reply(answer: (call: SellerCall) => SellerReply | Promise<SellerReply>): void
  stop(): Promise<void>
}

export const SELLER_SECRET = `whsec_${Buffer.from('a secret of the seller and the platform').toString('base64')}`

/** Starts a seller's own API on this machine that records every request of any kind. */
export async function startSellerServer(first: Parameters<SellerServer['reply']>[0], secret = SELLER_SECRET): Promise<SellerServer> {
  let answer = first
  const calls: SellerCall[] = []
  const server = createServer((req, res) => void serve(req, res))
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const path = req.url ?? ''
    const operation = `${req.method} ${path.replace(/\/(ord|hold)_\w+$/, '')}`
    const { method = '', headers } = req
    const body = parsed(text)
    const signed = isSigned({ headers, text }, secret)
    const call = { method, path, operation, headers, text, body, signed, undocumented: undocumented(method, path, body) }
    calls.push(call)
    const reply = await answer(call)
    if (reply === 'hang') return
    if (reply === 'reset') return void res.socket?.destroy()
    res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    res.end(reply.raw ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    count: (operation) => calls.filter((call) => call.operation === operation).length,
    reply: (next) => {
      answer = next
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}

/** Checks a signature as a seller would, by the documents instead of the platform's code. */
function isSigned({ headers, text }: Pick<SellerCall, 'headers' | 'text'>, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signature'])) ?? []
  const id = headers['webhook-id']
  const standard = `v1,${createHmac('sha256', key).update(`${id}.${t}.${text}`).digest('base64')}`
  return (
    Math.abs(Number(t) - Date.now() / 1_000) < 60 &&
    v1 === createHmac('sha256', key).update(`${t}.${text}`).digest('hex') &&
    headers['webhook-timestamp'] === t &&
    headers['webhook-signature'] === standard
  )
}
