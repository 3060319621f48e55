import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import ssh2, { type ServerConfig } from 'ssh2'
import { listen } from '../src/adapters/http/listen.ts'
import { sourceNetwork } from '../src/adapters/http/sourceNetwork.ts'
import { fairTurns } from '../src/domain/fairTurns.ts'
import { tokenBuckets } from '../src/domain/tokenBuckets.ts'
import { whoGivesWay } from '../src/domain/whoGivesWay.ts'
import { type ConnectionDeps, type SftpConnection, sftpConnection } from './connection.ts'
import { countedLines } from './countedLines.ts'
import { failedSignIns } from './failedSignIns.ts'
import { LIMITS, type SftpLimits } from './limits.ts'
import { offeredKeys } from './ssh2Internals.ts'

export interface SftpServer {
  listen(port: number, host: string): Promise<void>
  /** The port that the server listens on. */
  readonly port: number
  /** Gives files that are being stored this much time, then ends all connections. */
  close(graceMs: number): Promise<void>
}

/** The SFTP server through which sellers upload drops. It serves only the SFTP subsystem of SSH. `now` is its clock, in epoch milliseconds. */
export function sftpServer(
  deps: ConnectionDeps,
  hostKeys: readonly string[],
  limits: SftpLimits = LIMITS,
  now: () => number = Date.now,
): SftpServer {
  const connections = new Set<SftpConnection>()
  const failures = failedSignIns(limits.failures, now)
  const exchanges = tokenBuckets(limits.exchanges, now)
  const malformed = countedLines(
    (seller, what, times) => deps.log.warn({ seller, what, times }, 'malformed SFTP requests, each of which ended its connection'),
    now,
  )
  const refusals = countedLines((source, why, times) => deps.log.warn({ source, why, times }, 'SFTP connections are refused'), now)
  const config: ServerConfig = { hostKeys: hostKeys.flatMap(offeredKeys), ident: 'order-marketplace', algorithms: ALGORITHMS }
  // One connection begins at a time, and those that have begun are served before the next.
  const turns = fairTurns({ permits: 1 })
  let waiting = 0
  let isClosing = false
  const signingIn = () => [...connections].filter(({ seller }) => seller === undefined)
  const signingInFrom = (source: string) => signingIn().filter((one) => one.source === source).length

  const refusalOf = (source: string) => {
    if (waiting >= limits.waiting) return `${limits.waiting} connections wait to begin`
    return signingInFrom(source) + turns.waiting(source) >= limits.signingIn
      ? `${limits.signingIn} of this address are signing in`
      : undefined
  }
  /** If all connections are taken, disconnects a client that has not signed in: of the source that has the most of them, the oldest. */
  const hasRoom = () => {
    if (connections.size < limits.connections) return true
    const oldest = whoGivesWay(signingIn())
    oldest?.socket.destroy()
    return oldest !== undefined && connections.delete(oldest)
  }
  /** Sources take turns, so that a thousand connections of strangers delay a seller by one of each source, and not by all of them. */
  const admit = async (socket: Socket): Promise<void> => {
    const source = sourceNetwork(socket.remoteAddress)
    socket.on('error', () => undefined)
    const refuse = (why: string) => {
      refusals.note(source, why)
      socket.destroy()
    }
    const refusal = refusalOf(source)
    if (refusal !== undefined) return refuse(refusal)
    waiting += 1
    const endTurn = await turns.take(source)
    waiting -= 1
    setImmediate(endTurn)
    if (isClosing || socket.destroyed) return void socket.destroy()
    if (!hasRoom()) return refuse(`all ${limits.connections} connections are taken by sellers`)
    begin(socket, source)
  }
  const begin = (socket: Socket, source: string): void => {
    const connection = sftpConnection(deps, {
      socket,
      source,
      limits,
      now,
      openOf: (seller) => [...connections].filter((one) => one.seller === seller).length,
      failures,
      exchanges: { isExhausted: () => exchanges.secondsUntil(source, 1) > 0, add: (number) => exchanges.spend(source, number) },
      onMalformed: malformed.note,
      onRefused: (why) => refusals.note(source, why),
    })
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
    socket.setNoDelay(true)
    // A separate library server for each socket ties its client to the socket; it never listens itself.
    new ssh2.Server(config, (client) => connection.serve(client)).injectSocket(socket)
    socket.resume()
  }

  // What a client sends before its turn stays with the kernel.
  const server = createServer({ pauseOnConnect: true }, (socket) => void admit(socket))
  const timer = setInterval(() => {
    for (const connection of connections) connection.look()
    malformed.look()
    refusals.look()
  }, 250)
  return {
    listen: (port, host) => listen(server, port, host),
    get port() {
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : 0
    },
    async close(graceMs) {
      clearInterval(timer)
      isClosing = true
      const closed = new Promise((resolve) => server.close(resolve))
      const finished = Promise.all([...connections].map((connection) => connection.finish().catch(() => undefined)))
      await Promise.race([finished, sleep(graceMs, undefined, { ref: false })])
      for (const { socket } of connections) socket.destroy()
      await closed
    },
  }
}

/**
 * Excludes compression, since a small packet can inflate to a large one, and SHA-1. Of the finite-field key exchanges only the cheapest is
 * offered, since a stranger can request one as often as it likes. AES is the only cipher, since processors have instructions for it.
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
