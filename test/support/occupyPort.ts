import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port of this machine that another program uses; a free one unless it is named. */
export async function occupyPort(port = 0): Promise<{ readonly port: number; release(): void }> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, release: () => void server.close() }
}
