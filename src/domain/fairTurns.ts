/** Permits that tenants take in turns, so that one who asks a thousand times costs another who asks once at most one turn. */
export interface FairTurns {
  /**
   * Resolves with the function that gives the permit back (calling it twice is calling it once). Rejects with the signal's reason when the
   * signal aborts first.
   */
  take(tenant: string, signal?: AbortSignal): Promise<() => void>
  /** How many takes of a tenant wait for their turn: what a caller bounds before it adds another. */
  waiting(tenant: string): number
  /** Sets how many permits there are from now on. Those that are out stay out. */
  resize(permits: number): void
}

export interface FairTurnsOptions {
  /** In all. */
  permits: number
  /** The most that one tenant may hold, even while nobody else waits. Fewer than `permits` keep some free for others. */
  perTenant?: number
}

/** A permit goes to the waiting tenant who holds the fewest; among equals, to the one who has had the fewest turns since it began to wait. */
export function fairTurns({ permits, perTenant = Number.POSITIVE_INFINITY }: FairTurnsOptions): FairTurns {
  const lanes = new Map<string, Lane>()
  let most = permits
  let out = 0
  /** The round that is being served. Whoever comes new starts in it: neither ahead of those who wait longer, nor behind all their items. */
  let round = 0

  const handOut = () => {
    while (out < most) {
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
    forgetIdle()
  }

  // The round of an idle tenant matters as long as somebody waits whom it could overtake.
  const forgetIdle = () => {
    const nobodyWaits = [...lanes.values()].every(({ queue }) => queue.size === 0)
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

  return {
    take(tenant, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const leave = () => {
          lane.queue.delete(begin)
          forgetIdle()
          reject(signal?.reason)
        }
        const begin = () => {
          signal?.removeEventListener('abort', leave)
          let isOut = true
          resolve(() => {
            if (!isOut) return
            isOut = false
            lane.held -= 1
            out -= 1
            handOut()
          })
        }
        const lane = enter(tenant, begin)
        signal?.addEventListener('abort', leave, { once: true })
        handOut()
      })
    },
    waiting: (tenant) => lanes.get(tenant)?.queue.size ?? 0,
    resize(permits) {
      most = permits
      handOut()
    },
  }
}

interface Lane {
  held: number
  /** First come, first served; each begins one take. */
  queue: Set<() => void>
  round: number
}

function nextOf(lanes: ReadonlyMap<string, Lane>, perTenant: number): Lane | undefined {
  let next: Lane | undefined
  for (const lane of lanes.values()) {
    if (lane.queue.size === 0 || lane.held >= perTenant) continue
    if (next === undefined || lane.held < next.held || (lane.held === next.held && lane.round < next.round)) next = lane
  }
  return next
}
