/** Permits that tenants take in turns: a tenant with a thousand requests delays another tenant's single request by at most one turn. */
export interface FairTurns {
  /**
   * Resolves with the function that returns the permit; calling it again has no effect. Rejects with the signal's reason if the signal aborts
   * first.
   */
  take(tenant: string, signal?: AbortSignal): Promise<() => void>
  /** Takes a permit only if the tenant's turn has already come; otherwise returns undefined and does not wait. */
  takeNow(tenant: string): (() => void) | undefined
  /** Returns how many takes of a tenant are waiting. Callers bound this before they add another. */
  waiting(tenant: string): number
  /** Changes the number of permits. Does not revoke permits in use. */
  resize(permits: number): void
}

export interface FairTurnsOptions {
  /** The number of permits for all tenants. */
  permits: number
  /** The most permits of one tenant, even if no other tenant waits. Fewer than `permits` keeps some free for others. */
  perTenant?: number
}

/** Gives a permit to the waiting tenant that holds the fewest; among equals, to the one with the fewest turns since it began to wait. */
export function fairTurns({ permits, perTenant = Number.POSITIVE_INFINITY }: FairTurnsOptions): FairTurns {
  const tenants = new Map<string, TenantTurns>()
  let max = permits
  let out = 0
  /** The current round. A new tenant starts in it: not ahead of tenants that wait longer, and not behind all of their requests. */
  let round = 0

  const handOut = () => {
    while (out < max) {
      const own = nextOf(tenants, perTenant)
      const [begin] = own?.queue ?? []
      if (own === undefined || begin === undefined) break
      own.queue.delete(begin)
      own.held += 1
      out += 1
      round = own.round
      own.round += 1
      begin()
    }
    dropIdle()
  }

  // The round of an idle tenant matters while the tenant could overtake another one that waits.
  const dropIdle = () => {
    const nobodyWaits = !someoneWaits(tenants)
    for (const [tenant, own] of tenants) {
      if (own.held === 0 && own.queue.size === 0 && (nobodyWaits || own.round <= round)) tenants.delete(tenant)
    }
  }

  const enter = (tenant: string, begin: () => void): TenantTurns => {
    const own = tenants.get(tenant) ?? { held: 0, queue: new Set(), round }
    if (own.queue.size === 0) own.round = Math.max(own.round, round)
    own.queue.add(begin)
    tenants.set(tenant, own)
    return own
  }

  /** The function that returns a permit of a tenant. */
  const permitOf = (own: TenantTurns) => {
    let isOut = true
    return () => {
      if (!isOut) return
      isOut = false
      own.held -= 1
      out -= 1
      handOut()
    }
  }

  return {
    take(tenant, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        let heard: AbortSignal | undefined
        const leave = () => {
          own.queue.delete(begin)
          dropIdle()
          reject(signal?.reason)
        }
        const begin = () => {
          heard?.removeEventListener('abort', leave)
          resolve(permitOf(own))
        }
        const own = enter(tenant, begin)
        handOut()
        if (!own.queue.has(begin)) return // its turn came at once; listening to the signal would cost more than all of this
        heard = signal
        heard?.addEventListener('abort', leave, { once: true })
      })
    },
    takeNow(tenant) {
      const begin = () => undefined
      const own = enter(tenant, begin)
      handOut()
      if (!own.queue.delete(begin)) return permitOf(own)
      dropIdle()
      return undefined
    },
    waiting: (tenant) => tenants.get(tenant)?.queue.size ?? 0,
    resize(permits) {
      max = permits
      handOut()
    },
  }
}

interface TenantTurns {
  held: number
  /** Waiting takes, first in, first out. */
  queue: Set<() => void>
  round: number
}

function someoneWaits(tenants: ReadonlyMap<string, TenantTurns>): boolean {
  for (const { queue } of tenants.values()) if (queue.size > 0) return true
  return false
}

function nextOf(tenants: ReadonlyMap<string, TenantTurns>, perTenant: number): TenantTurns | undefined {
  let next: TenantTurns | undefined
  for (const own of tenants.values()) {
    if (own.queue.size === 0 || own.held >= perTenant) continue
    if (next === undefined || own.held < next.held || (own.held === next.held && own.round < next.round)) next = own
  }
  return next
}
