/** Limits on the resources and the time of strangers (choices, Mail: bounces). */
export interface BounceLimits {
  /** The size of one mail. */
  readonly bytes: number
  /** Connections in total, and per network. */
  readonly connections: number
  readonly perSource: number
  /** Per connection: its bytes, its refused commands, its total time, and the time between two commands. */
  readonly connectionBytes: number
  readonly refusedCommands: number
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
  refusedCommands: 100,
  connectionMs: 180_000,
  idleMs: 30_000,
  closeMs: 2_000,
}
