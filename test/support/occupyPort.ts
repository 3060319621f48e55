import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Occupies a port of this machine: the given one, or a free one. */
export async function occupyPort(port = 0): Promise<{ readonly port: number; release(): void }> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, release: () => void server.close() }
}
