import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { AuthContext, AuthenticationType, Connection, SFTPWrapper } from 'ssh2'
import type { Credential } from '../src/store/tenants/findCredential.ts'
import type { FailedSignIns } from './failedSignIns.ts'
import type { SftpLimits } from './limits.ts'
import { loggedText } from './loggedText.ts'
import type { HandleRoom } from './openHandles.ts'
import { type ChannelQueue, type RequestQueue, requestQueue } from './requestQueue.ts'
import { answerRequests } from './requests.ts'
import { type FileDeps, openSellerFiles } from './sellerFiles.ts'
import { serveSession } from './session.ts'
import { type Attempt, attemptSignIn, mayUpload, type RefusedSignIn, type SignInDeps } from './signIn.ts'
import { DISCONNECT, disconnect, endChannel, isSocketError } from './ssh2Internals.ts'

export type ConnectionDeps = FileDeps & SignInDeps

/** The connection of one client, from its first byte to its last. */
export interface SftpConnection {
  readonly source: string
  readonly socket: Socket
  /** Undefined until the client has signed in. */
  readonly seller: string | undefined
  /** Since when it has asked for nothing, in epoch milliseconds; of a client that has not signed in, since it came. */
  readonly quietSince: number
  /** Serves the client once it has begun to speak SSH. */
  serve(client: Connection): void
  /** Ends the connection if a time limit has passed or its credential is no longer valid. Called several times a second. */
  look(): void
  /** Ends the connection once the file that is being stored is complete. */
  finish(): Promise<void>
}

export interface ConnectionSpec {
  readonly socket: Socket
  readonly source: string
  readonly limits: SftpLimits
  /** The clock, in epoch milliseconds. */
  readonly now: () => number
  /** Returns the number of signed-in connections of a seller. */
  readonly openOf: (seller: string) => number
  /** The key exchanges of the source that no sign-in has followed. */
  readonly exchanges: { isExhausted(): boolean; add(number: number): void }
  /** Counts refused passwords and signatures, and clients that left after offering only unknown keys. */
  readonly failures: FailedSignIns
  /** Called when a seller has sent what cannot be read, which ends the connection. */
  readonly onMalformed: (seller: string, what: string) => void
  /** Called when the connection is refused before a sign-in. */
  readonly onRefused: (why: string) => void
}

const METHODS: AuthenticationType[] = ['publickey', 'password']

export function sftpConnection(deps: ConnectionDeps, spec: ConnectionSpec): SftpConnection {
  const { socket, source, limits, now, openOf } = spec
  const log: Logger = deps.log.child({ source })
  const openedAt = now()
  let client: Connection | undefined
  let seller: string | undefined
  let find: () => Promise<Credential | undefined> = async () => undefined
  let [tries, offers, failures] = [0, 0, 0]
  let user = ''
  let [trustedAt, checkedAt] = [0, 0]
  let quietSince = openedAt
  let queue: RequestQueue | undefined
  /** Closes the channels that are open. */
  const channels = new Set<() => void>()
  /** Closings of channels that are under way. */
  const closing = new Set<Promise<void>>()

  // Does not wait for a client that ignores the end of the connection.
  const destroySoon = () => void setTimeout(() => socket.destroy(), 1_000).unref()
  const end = (why: string, reason?: number) => {
    log.info({ seller, why }, 'an SFTP connection is ended')
    if (client !== undefined && reason !== undefined) disconnect(client, reason)
    else client?.end()
    destroySoon()
    if (client === undefined) socket.destroy()
  }
  /** The library continues to parse after an error, and would allocate as many bytes (up to 2 GiB) as a malformed length says. */
  const endMalformed = (what: string) => {
    if (seller !== undefined && !socket.destroyed) spec.onMalformed(seller, loggedText(what))
    socket.destroy()
  }
  const logRefusal = (method: string, reason: RefusedSignIn) =>
    log.info({ user: loggedText(user), method, reason }, 'a sign-in was refused')
  const noteFailure = () => {
    failures += 1
    spec.failures.note(source, user)
  }

  const decide = (context: AuthContext, attempt: Attempt) => {
    if (attempt.outcome === 'known_key') return context.accept()
    if (attempt.outcome === 'signed_in') {
      const { credential } = attempt
      if (openOf(credential.entity) >= limits.perSeller)
        return end(`${credential.entity} has ${limits.perSeller} connections`, DISCONNECT.tooManyConnections)
      seller = credential.entity
      spec.exchanges.add(-1)
      find = attempt.find
      trustedAt = checkedAt = quietSince = now()
      log.info({ seller, credential_id: credential.credential_id }, 'a seller has signed in')
      return context.accept()
    }
    if (attempt.outcome === 'unknown_key') offers += 1
    if (attempt.outcome === 'refused') {
      tries += 1
      noteFailure()
      logRefusal(context.method, attempt.reason)
    }
    // A right credential is let in even then, since whoever else fails must not shut out its owner.
    if (tries > 0 && spec.failures.isThrottled(source, user)) {
      spec.onRefused(`too many refused sign-ins of ${loggedText(user)}: locked out for a minute`)
      return end('too many refused sign-ins', DISCONNECT.noMoreMethods)
    }
    if (tries >= limits.tries || offers >= limits.offers) return end('too many tries', DISCONNECT.noMoreMethods)
    context.reject(METHODS)
  }
  const signIn = async (context: AuthContext) => {
    user = context.username
    try {
      decide(context, await attemptSignIn(deps, context, source))
    } catch (err) {
      log.warn({ err }, 'a sign-in could not be decided')
      end('the database could not be asked', DISCONNECT.serviceNotAvailable)
    }
  }

  const serveFiles = (by: Connection, of: string) => {
    const requests = requestQueue(socket, () => end('too many requests at once'), now)
    queue = requests
    const room: HandleRoom = { max: limits.handles, open: 0 }
    let sessions = 0
    by.on('session', (accept, reject) => {
      if (sessions >= limits.channels) return reject()
      sessions += 1
      const session = accept()
      session.once('close', () => {
        sessions -= 1
      })
      serveSession(session, (sftp) => serveChannel(by, of, sftp, requests.channel(sftp), room))
    })
  }
  const serveChannel = (by: Connection, of: string, sftp: SFTPWrapper, own: ChannelQueue, room: HandleRoom) => {
    const files = openSellerFiles(deps, of, room)
    const close = () => {
      if (!channels.delete(close)) return
      quietSince = now()
      const closed = own.close().then(files.closeAll)
      closing.add(closed)
      closed.catch((err: unknown) => log.error({ err }, 'open files could not be closed')).finally(() => closing.delete(closed))
    }
    channels.add(close)
    answerRequests(sftp, { files, queue: own, seller: of, log, onMalformed: endMalformed })
    sftp.on('error', (err: Error) => endMalformed(err.message))
    sftp.once('end', () => {
      endChannel(by, sftp)
      close()
    })
    sftp.once('close', close)
  }

  const check = async () => {
    checkedAt = now()
    const asked = checkedAt
    try {
      if (!mayUpload(await find(), seller as string)) return end('the credential was revoked or has expired')
      trustedAt = asked
    } catch (err) {
      log.warn({ err }, 'a credential could not be checked')
    }
  }

  socket.on('data', () => setImmediate(() => queue?.proceed()))
  socket.on('drain', () => queue?.proceed())
  socket.once('finish', destroySoon) // the library only ends its side of a connection that does not begin as SSH
  socket.once('close', () => {
    for (const close of channels) close()
    if (seller !== undefined || offers === 0 || failures > 0) return
    logRefusal('publickey', 'unknown_key')
    spec.failures.note(source, user)
  })

  return {
    source,
    socket,
    get quietSince() {
      return quietSince
    },
    get seller() {
      return seller
    },
    serve(by) {
      // Nothing but the client's greeting has been read: a probe that only connects makes no exchange.
      if (spec.exchanges.isExhausted()) {
        spec.onRefused('too many key exchanges that no sign-in followed')
        return void socket.destroy()
      }
      spec.exchanges.add(1)
      client = by
      by.on('error', (err) => {
        log.debug({ err }, 'an SFTP connection failed')
        if (isSocketError(err)) socket.destroy()
        else endMalformed(err.message)
      })
      by.on('rekey', () => {
        if (seller === undefined) end('a second key exchange before the sign-in')
      })
      by.on('authentication', (context) => void signIn(context))
      by.once('ready', () => serveFiles(by, seller as string))
    },
    look() {
      const at = now()
      if (seller === undefined) {
        if (at - openedAt > limits.signInMs) end('nobody signed in in time')
        return
      }
      // A check that was not sent because this process was suspended does not count as failed.
      if (checkedAt > trustedAt && at - trustedAt > limits.trustedMs)
        return end('the credential could not be checked', DISCONNECT.serviceNotAvailable)
      if (at - checkedAt > limits.checkedEveryMs) void check()
      const lastAt = Math.max(quietSince, queue?.lastRequestAt ?? 0)
      if (queue?.isBusy !== true && at - lastAt > limits.idleMs) end('it was idle')
    },
    async finish() {
      await queue?.close()
      await Promise.allSettled(closing)
      end('the server stops')
    },
  }
}
