import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call that a buyer's program made. */
export interface WatchedCall {
  readonly method: string
  /** The path below /v1, without its query. */
  readonly path: string
  readonly body: string
  /** Undefined while there is no reply, and if it was cut. */
  status?: number
  /** Whether the reply says that it repeats an earlier one. */
  isReplay?: boolean
}

/** The marketplace as a buyer's program reaches it during a run: every call is passed on, and seen. */
export interface WatchedApi {
  readonly url: string
  readonly calls: readonly WatchedCall[]
  /** Has the sandbox do this to the next call of an operation (Sandbox-Simulate). */
  simulateNext(method: string, path: string, fault: 'cut' | '503' | '429'): void
  close(): Promise<void>
}

/** Headers of one connection, and those of an encoding that fetch has undone. */
const OWN = new Set([
  'connection',
  'keep-alive',
  'host',
  'content-length',
  'transfer-encoding',
  'content-encoding',
  'accept-encoding',
  'expect',
])

export async function watchApi(baseUrl: string): Promise<WatchedApi> {
  const upstream = baseUrl.replace(/\/v1$/, '')
  const calls: WatchedCall[] = []
  const faults: { method: string; path: string; fault: string }[] = []
  const server = createServer((req, res) => void pass(req, res))
  const pass = async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const { method = '', url = '' } = req
    const path = (url.split('?')[0] ?? '').replace(/^\/v1/, '')
    const call: WatchedCall = { method, path, body: Buffer.concat(chunks).toString() }
    calls.push(call)
    const at = faults.findIndex((fault) => fault.method === method && fault.path === path)
    const [simulated] = at < 0 ? [] : faults.splice(at, 1)
    const headers = new Headers({ 'accept-encoding': 'identity', ...(simulated && { 'sandbox-simulate': simulated.fault }) })
    for (const [name, value] of Object.entries(req.headers)) if (!OWN.has(name)) headers.set(name, String(value))
    try {
      const sent = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
      const reply = await fetch(`${upstream}${url}`, { method, headers, redirect: 'manual', ...sent })
      const bytes = Buffer.from(await reply.arrayBuffer())
      call.status = reply.status
      call.isReplay = reply.headers.get('x-idempotent-replay') === 'true'
      res.writeHead(reply.status, Object.fromEntries([...reply.headers].filter(([name]) => !OWN.has(name)))).end(bytes)
    } catch {
      res.destroy()
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    simulateNext: (method, path, fault) => void faults.push({ method, path, fault }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
