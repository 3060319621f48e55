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
  const lanes = new Map<string, Lane>()
  let max = permits
  let out = 0
  /** The current round. A new tenant starts in it: not ahead of tenants that wait longer, and not behind all of their requests. */
  let round = 0

  const handOut = () => {
    while (out < max) {
      const lane = nextOf(lanes, perTenant)
      const [begin] = lane?.queue ?? []
      if (lane === undefined || begin === undefined) break
      lane.queue.delete(begin)
      lane.held += 1
      out += 1
      round = lane.round
      lane.round += 1
      begin()
    }
    dropIdle()
  }

  // The round of an idle tenant matters while the tenant could overtake another one that waits.
  const dropIdle = () => {
    const nobodyWaits = !someoneWaits(lanes)
    for (const [tenant, lane] of lanes) {
      if (lane.held === 0 && lane.queue.size === 0 && (nobodyWaits || lane.round <= round)) lanes.delete(tenant)
    }
  }

  const enter = (tenant: string, begin: () => void): Lane => {
    const lane = lanes.get(tenant) ?? { held: 0, queue: new Set(), round }
    if (lane.queue.size === 0) lane.round = Math.max(lane.round, round)
    lane.queue.add(begin)
    lanes.set(tenant, lane)
    return lane
  }

  /** The function that returns a permit of a lane. */
  const permitOf = (lane: Lane) => {
    let isOut = true
    return () => {
      if (!isOut) return
      isOut = false
      lane.held -= 1
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
          lane.queue.delete(begin)
          dropIdle()
          reject(signal?.reason)
        }
        const begin = () => {
          heard?.removeEventListener('abort', leave)
          resolve(permitOf(lane))
        }
        const lane = enter(tenant, begin)
        handOut()
        if (!lane.queue.has(begin)) return // its turn came at once; listening to the signal would cost more than all of this
        heard = signal
        heard?.addEventListener('abort', leave, { once: true })
      })
    },
    takeNow(tenant) {
      const begin = () => undefined
      const lane = enter(tenant, begin)
      handOut()
      if (!lane.queue.delete(begin)) return permitOf(lane)
      dropIdle()
      return undefined
    },
    waiting: (tenant) => lanes.get(tenant)?.queue.size ?? 0,
    resize(permits) {
      max = permits
      handOut()
    },
  }
}

interface Lane {
  held: number
  /** Waiting takes, first in, first out. */
  queue: Set<() => void>
  round: number
}

function someoneWaits(lanes: ReadonlyMap<string, Lane>): boolean {
  for (const { queue } of lanes.values()) if (queue.size > 0) return true
  return false
}

function nextOf(lanes: ReadonlyMap<string, Lane>, perTenant: number): Lane | undefined {
  let next: Lane | undefined
  for (const lane of lanes.values()) {
    if (lane.queue.size === 0 || lane.held >= perTenant) continue
    if (next === undefined || lane.held < next.held || (lane.held === next.held && lane.round < next.round)) next = lane
  }
  return next
}
