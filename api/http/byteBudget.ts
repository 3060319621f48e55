import type { SharedLimit } from '../../src/config/index.ts'
import { overLimit } from '../../src/domain/overLimit.ts'
import { Refusal } from '../../src/domain/refusal.ts'

/** Bytes of one kind that the process holds for its tenants. Each has its own bound, so that none can use up the shared one. */
export interface ByteBudget {
  /**
   * Reserves bytes for a tenant until they are released. RATE_LIMITED beyond the tenant's own bound, UNAVAILABLE beyond the bound of all
   * tenants. A tenant that holds nothing may exceed its own bound once, since otherwise anything larger could never pass.
   */
  reserve(tenant: string, bytes: number): Reservation
  /** Counts bytes that are already held, without checking the bounds. */
  count(tenant: string, bytes: number): Reservation
  /** Refuses a tenant that has reached its own bound, before any work is done for it. */
  refuseExhausted(tenant: string): void
}

export interface Reservation {
  /** Reserves more bytes under the same bounds. */
  grow(bytes: number): void
  /** Releases everything; a second call has no effect. */
  release(): void
}

export const BODY_BYTES = 'request bodies'
export const REPLY_BYTES = 'replies that nobody has read'
export const SPOOL_BYTES = 'replies kept on disk'

/** Opens a budget. `what` names the bytes in refusals, such as "request bodies". */
export function byteBudget(what: string, { perTenant: one, total: all }: SharedLimit): ByteBudget {
  const held = new Map<string, number>()
  let total = 0

  const heldBy = (tenant: string) => held.get(tenant) ?? 0
  const refuseTenant = (): never => {
    const message = `The bound of ${one} bytes of ${what} at once is reached: try again in 1 s.`
    throw overLimit({ limit: `bytes of ${what}`, most: one }, message, 1)
  }
  const check = (tenant: string, bytes: number) => {
    const own = heldBy(tenant)
    if (own > 0 && own + bytes > one) refuseTenant()
    if (total + bytes > all) throw new Refusal('UNAVAILABLE', `The service holds as many bytes of ${what} as it can: try again in 1 s.`)
  }
  const add = (tenant: string, bytes: number) => {
    const own = heldBy(tenant) + bytes
    if (own > 0) held.set(tenant, own)
    else held.delete(tenant)
    total += bytes
  }
  const reservationOf = (tenant: string, bytes: number): Reservation => {
    let reserved = bytes
    add(tenant, bytes)
    return {
      grow(more) {
        check(tenant, more)
        add(tenant, more)
        reserved += more
      },
      release() {
        add(tenant, -reserved)
        reserved = 0
      },
    }
  }

  return {
    reserve(tenant, bytes) {
      check(tenant, bytes)
      return reservationOf(tenant, bytes)
    },
    count: reservationOf,
    refuseExhausted(tenant) {
      if (heldBy(tenant) >= one) refuseTenant()
    },
  }
}
