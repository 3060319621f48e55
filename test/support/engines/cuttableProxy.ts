import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttableProxy {
  readonly url: string
  /** Returns how many connections have come. */
  readonly connections: () => number
  /** Cuts connections once this many bytes have gone one way over them; Infinity cuts none. `times` limits how many are cut. */
  cutAfter(bytes: { up?: number; down?: number }, times?: number): void
  /** Cuts open connections and leads new ones to another server. Without a server it refuses them. */
  leadTo(target: string | undefined): void
  /** Lets no more bytes through the open connections, and leaves them open, as a host that is unplugged does. New ones are forwarded. */
  silence(): void
  close(): Promise<void>
}

/** Starts a TCP server in front of another, which forwards bytes until it cuts the connection. */
export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  let leads: string | undefined = target
  const open = new Set<Socket>()
  let limits = { up: Number.POSITIVE_INFINITY, down: Number.POSITIVE_INFINITY }
  let cuts = 0
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    if (leads === undefined) return void client.destroy()
    const { hostname, port } = new URL(leads)
    const upstream = connect(Number(port), hostname)
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    const passOn = (from: Socket, to: Socket, way: 'up' | 'down') => {
      let passed = 0
      open.add(from)
      from.on('close', () => open.delete(from)).on('close', cut)
      from.on('error', cut)
      from.on('data', (chunk: Buffer) => {
        passed += chunk.length
        if (passed >= limits[way] && cuts > 0) {
          cuts -= 1
          cut()
        } else if (!to.write(chunk)) {
          from.pause()
          to.once('drain', () => from.resume())
        }
      })
    }
    passOn(client, upstream, 'up')
    passOn(upstream, client, 'down')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    cutAfter({ up = Number.POSITIVE_INFINITY, down = Number.POSITIVE_INFINITY }, times = Number.POSITIVE_INFINITY) {
      limits = { up, down }
      cuts = times
      connections = 0
    },
    leadTo(next) {
      leads = next
      for (const socket of open) socket.destroy()
    },
    silence() {
      for (const socket of open) socket.removeAllListeners('data').pause()
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
