import type { QueueFailure } from '../../contract/vocabulary.ts'

/** A queue or exchange on the broker that has a tenant's name but other properties. */
export interface Misfit {
  kind: 'queue' | 'exchange'
  name: string
  /** The broker's name for the property: durable, auto_delete, exclusive, type, … */
  property: string
}

/** A failed broker operation, with its reason. */
export class BrokerFault extends Error {
  override name = 'BrokerFault'
  readonly reason: QueueFailure
  readonly misfit: Misfit | undefined

  constructor(reason: QueueFailure, cause?: unknown, misfit?: Misfit) {
    super(reason, { cause })
    this.reason = reason
    this.misfit = misfit
  }
}

export function faultOf(error: unknown): BrokerFault {
  return error instanceof BrokerFault ? error : new BrokerFault(reasonOf(error), error)
}

export function reasonOf(error: unknown): QueueFailure {
  const code = codeOf(error)
  return REASONS[code] ?? (UNREACHABLE.test(code) ? 'broker_unreachable' : 'failed')
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

const REASONS: Readonly<Record<string, QueueFailure>> = {
  NACK: 'rejected',
  ACCESS_REFUSED: 'access_refused',
  NOT_ALLOWED: 'access_refused',
}
const UNREACHABLE = /^(E[A-Z_]+|CONNECTION_.*|CONN_CLOSE|CLOSING|CH_CLOSE|READ_END|SOCKET_.*|HEARTBEAT.*|TIMEOUT)$/
