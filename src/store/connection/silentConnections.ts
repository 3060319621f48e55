import pg from 'pg'

/** The members of pg's client that its types leave out. */
interface Wire {
  /** The socket. */
  readonly connection: {
    readonly stream: {
      readonly bytesRead: number
      /** In milliseconds. */
      readonly timeout?: number
      setTimeout(milliseconds: number): void
      on(event: 'timeout', listener: () => void): void
      removeAllListeners(event: 'timeout'): void
      destroy(error: Error): void
    }
  }
  _getActiveQuery(): unknown
}

/**
 * Ends a connection that has waited for an answer for a second longer than `statementMs`, after which the server ends a statement itself: a
 * host that is frozen or unplugged resets nothing, and pg would wait for as long as the kernel does. What waits on the connection, and what
 * follows on it, fails as when the database is away.
 */
export function endWhenSilent(client: pg.ClientBase, statementMs: number): void {
  limitSilence(client, statementMs + GRACE_MS)
}

const GRACE_MS = 1_000

/**
 * Lets the statements of a connection take `statementMs`. Meanwhile, when it has been silent for seconds, asks on a new connection whether
 * the database answers at all, and ends the connection if it does not. Returns a function that restores the connection's limit.
 */
export function allowSilence(client: pg.ClientBase, url: string, statementMs: number): () => void {
  const { stream } = wireOf(client)
  const earlier = stream.timeout ?? 0
  endWhenSilent(client, statementMs)
  let read = -1
  const timer = setInterval(async () => {
    const isSilent = isWaiting(client) && stream.bytesRead === read
    read = stream.bytesRead
    if (isSilent && !(await answers(url)) && stream.bytesRead === read) stream.destroy(new Error(SILENT))
  }, ASK_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    limitSilence(client, earlier)
  }
}

const ASK_MS = 3_000

/**
 * Asks on a connection that mostly waits, for notifications or for its end, every `everyMs` milliseconds whether the database answers, and ends
 * the connection if it does not within half of that: nothing else would find out that it is deaf. Returns a function that stops asking.
 */
export function askWhileIdle(client: pg.ClientBase, everyMs = IDLE_ASK_MS): () => void {
  limitSilence(client, everyMs / 2)
  const timer = setInterval(() => void client.query('select').catch(() => undefined), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

const IDLE_ASK_MS = 4_000

/** Returns whether the database answers a new connection, if only to refuse it. */
async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ASK_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    await client.end().catch(() => undefined)
  }
}

function limitSilence(client: pg.ClientBase, limitMs: number): void {
  const { stream } = wireOf(client)
  stream.removeAllListeners('timeout')
  stream.setTimeout(limitMs)
  // Not the callback of setTimeout, which is called once: the connection may be idle then, and hang later.
  stream.on('timeout', () => {
    if (isWaiting(client)) stream.destroy(new Error(SILENT))
  })
}

function isWaiting(client: pg.ClientBase): boolean {
  return Boolean((client as unknown as Wire)._getActiveQuery())
}

function wireOf(client: pg.ClientBase): Wire['connection'] {
  return (client as unknown as Wire).connection
}

/** Matches what `isDatabaseAway` reads. */
const SILENT = 'Connection terminated: the database does not answer'
