import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A way to the database that can be cut at the worst moment: when a statement is committed, and before anybody here has heard of it. */
export interface Cut {
  readonly url: string
  /** The next connection over which this prepared statement goes is lost with its answer. */
  beforeReplyTo(statement: string): void
  close(): Promise<void>
}

export async function cutBeforeReply(databaseUrl: string): Promise<Cut> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let awaited: string | undefined
  const server = createServer((client) => {
    const database = connect({ host: hostname, port: Number(port) })
    let cutting = false
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        database.destroy()
      })
    }
    client.on('data', (sent) => {
      if (awaited !== undefined && sent.includes(awaited)) {
        awaited = undefined
        cutting = true
      }
      database.write(sent)
    })
    // An answer comes when the statement's commit is done: it is what nobody gets.
    database.on('data', (answer) => void (cutting ? client.destroy() : client.write(answer)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) }).href,
    beforeReplyTo: (statement) => {
      awaited = statement
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
