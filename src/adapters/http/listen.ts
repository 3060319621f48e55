import { once } from 'node:events'
import type { Server } from 'node:net'

/**
 * Connections that the kernel queues until the server accepts them. It drops the excess of a larger burst, and those clients retry after a
 * second or more. Node's default is 511, and the kernel's own limit is `net.core.somaxconn`.
 */
const BACKLOG = 4_096

/** Resolves when the server listens; rejects with the system's error (EADDRINUSE, EACCES). */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen({ port, host, backlog: BACKLOG })
  await once(server, 'listening')
}
