/** What strangers may hold and how long they may take (choices, Mail: bounces). */
export interface BounceLimits {
  /** Of one mail. */
  readonly bytes: number
  /** Connections in all, and from one network. */
  readonly connections: number
  readonly perSource: number
  /** Of one connection: its bytes, its time in all and between two commands. */
  readonly connectionBytes: number
  readonly connectionMs: number
  readonly idleMs: number
  /** How long connections may take to end when the server stops. */
  readonly closeMs: number
}

export const LIMITS: BounceLimits = {
  bytes: 65_536,
  connections: 64,
  perSource: 16,
  connectionBytes: 16 * 1_024 * 1_024,
  connectionMs: 180_000,
  idleMs: 30_000,
  closeMs: 2_000,
}
