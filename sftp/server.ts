import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import ssh2, { type ServerConfig } from 'ssh2'
import { listen } from '../src/adapters/listen.ts'
import { sourceNetwork } from '../src/adapters/sourceNetwork.ts'
import { type ConnectionDeps, type SftpConnection, sftpConnection } from './connection.ts'
import { failedSignIns } from './failedSignIns.ts'
import { LIMITS, type SftpLimits } from './limits.ts'

export interface SftpServer {
  listen(port: number, host: string): Promise<void>
  /** The port on which it listens. */
  readonly port: number
  /** Lets files land that are just landing, for so long, and ends all connections. */
  close(graceMs: number): Promise<void>
}

/** The SFTP server through which sellers upload drops: SSH with that one subsystem, and nothing else. */
export function sftpServer(deps: ConnectionDeps, hostKey: string, limits: SftpLimits = LIMITS): SftpServer {
  const connections = new Set<SftpConnection>()
  const failures = failedSignIns(limits.failures)
  const config: ServerConfig = { hostKeys: [hostKey], ident: 'order-marketplace', algorithms: ALGORITHMS }
  const signingIn = () => [...connections].filter(({ seller }) => seller === undefined)

  const isRefused = (source: string) =>
    failures.isRefused(source) || signingIn().filter((one) => one.source === source).length >= limits.signingIn || !hasRoom()
  /** When all places are taken, a client that has not signed in yet leaves: the one that has had the most time to. */
  const hasRoom = () => {
    if (connections.size < limits.connections) return true
    const [oldest] = signingIn()
    oldest?.socket.destroy()
    return oldest !== undefined && connections.delete(oldest)
  }
  const admit = (socket: Socket): void => {
    const source = sourceNetwork(socket.remoteAddress)
    socket.on('error', () => undefined)
    if (isRefused(source)) return void socket.destroy()
    const connection = sftpConnection(deps, {
      socket,
      source,
      limits,
      openOf: (seller) => [...connections].filter((one) => one.seller === seller).length,
      onFailure: () => failures.note(source),
    })
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
    socket.setNoDelay(true)
    // A server of the library for each socket ties its client to the socket; it never listens itself.
    new ssh2.Server(config, (client) => connection.serve(client)).injectSocket(socket)
  }

  const server = createServer(admit)
  const timer = setInterval(() => {
    const now = Date.now()
    for (const connection of connections) connection.look(now)
  }, 250)
  return {
    listen: (port, host) => listen(server, port, host),
    get port() {
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : 0
    },
    async close(graceMs) {
      clearInterval(timer)
      const closed = new Promise((resolve) => server.close(resolve))
      const finished = Promise.all([...connections].map((connection) => connection.finish().catch(() => undefined)))
      await Promise.race([finished, sleep(graceMs, undefined, { ref: false })])
      for (const { socket } of connections) socket.destroy()
      await closed
    },
  }
}

/**
 * No compression, since a small packet can inflate to a large one, no SHA-1, and of the key exchanges over finite fields only the cheapest: a
 * stranger can ask for one as often as it likes. AES alone, which processors compute.
 */
const ALGORITHMS: NonNullable<ServerConfig['algorithms']> = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
  ],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
}
