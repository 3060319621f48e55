import type { RateLimit } from '../src/config/index.ts'
import type { FailureBounds } from './failedSignIns.ts'

/** Limits on the resources and the time of clients (choices, SFTP). */
export interface SftpLimits {
  /** Connections in total, and per seller. */
  readonly connections: number
  readonly perSeller: number
  /** Connections per source that have not signed in yet. */
  readonly signingIn: number
  /** Connections in total that wait for their turn to begin. */
  readonly waiting: number
  readonly signInMs: number
  /** Passwords and signatures per connection. */
  readonly tries: number
  /** Keys that one connection may offer before it signs with one, since agents offer all their keys. */
  readonly offers: number
  /**
   * Key exchanges of one source that no sign-in has followed, since each costs the server some milliseconds. Behind one address there may be
   * many sellers, whose sign-ins do not count.
   */
  readonly exchanges: RateLimit
  /** Refused sign-ins of one user name from one source, after which a connection ends at its first refusal. */
  readonly failures: FailureBounds
  /** Channels per connection, as many as OpenSSH allows. They share its requests and handles. */
  readonly channels: number
  /** Open files and folders per connection. */
  readonly handles: number
  /** The longest pause between two requests. */
  readonly idleMs: number
  /** How often a credential is read again, and for how long a connection survives if it cannot be read. */
  readonly checkedEveryMs: number
  readonly trustedMs: number
}

export const LIMITS: SftpLimits = {
  connections: 64,
  perSeller: 4,
  signingIn: 16,
  waiting: 1_024,
  signInMs: 20_000,
  tries: 3,
  offers: 16,
  exchanges: { perSecond: 2, burst: 120 },
  failures: { max: 10, withinMs: 60_000, throttledMs: 60_000 },
  channels: 10,
  handles: 16,
  idleMs: 300_000,
  checkedEveryMs: 1_500,
  trustedMs: 4_500,
}
