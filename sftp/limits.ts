import type { FailureBounds } from './failedSignIns.ts'

/** What clients may hold and how long they may take (choices, SFTP). */
export interface SftpLimits {
  /** Connections in all, and of one seller. */
  readonly connections: number
  readonly perSeller: number
  /** Connections of one source that have not signed in yet. */
  readonly signingIn: number
  readonly signInMs: number
  /** Passwords and signatures of one connection. */
  readonly tries: number
  /** Keys that one connection may ask about before it signs with one: agents offer all that they have. */
  readonly offers: number
  readonly failures: FailureBounds
  /** Open files and folders of one connection. */
  readonly handles: number
  /** Between two requests. */
  readonly idleMs: number
  /** A credential is read again so often, and a connection ends when its credential could not be read for so long. */
  readonly checkedEveryMs: number
  readonly trustedMs: number
}

export const LIMITS: SftpLimits = {
  connections: 64,
  perSeller: 4,
  signingIn: 16,
  signInMs: 20_000,
  tries: 3,
  offers: 16,
  failures: { most: 10, withinMs: 60_000, refusedMs: 60_000 },
  handles: 16,
  idleMs: 300_000,
  checkedEveryMs: 1_500,
  trustedMs: 4_500,
}
