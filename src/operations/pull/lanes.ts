import type { SellerProfile } from '../../contract/seller.ts'
import { type FairTurns, fairTurns } from '../../domain/fairTurns.ts'

/** Bounds the concurrent calls of one kind per seller, so a seller that hangs does not block others. Buyers take turns. */
export interface Lanes {
  /** Runs `work` in the seller's lane; `lane_full` if it gets no turn within `patience` milliseconds or too many calls are waiting. */
  run<T>(lane: LaneRequest, patience: number, work: () => Promise<T>): Promise<T | 'lane_full'>
}

export interface LaneRequest {
  readonly seller: string
  readonly buyer: string
  readonly profile: SellerProfile
}

/** Returns how many concurrent calls of one kind a seller's API accepts: as declared, or 16 (choices, Capability profile). */
export function maxConcurrentCalls({ transports }: SellerProfile): number {
  return transports.pull?.max_concurrent ?? MAX_CONCURRENT_CALLS
}

const MAX_CONCURRENT_CALLS = 16

/** Opens lanes in which at most `perBuyer` calls of one buyer, and `waiting` of all buyers, wait for a turn with a seller. */
export function openLanes({ perBuyer, waiting }: { perBuyer: number; waiting: number }): Lanes {
  const lanes = new Map<string, Lane>()
  return {
    async run({ seller, buyer, profile }, patience, work) {
      const permits = maxConcurrentCalls(profile)
      const lane = lanes.get(seller) ?? { turns: fairTurns({ permits }), asked: 0 }
      lanes.set(seller, lane)
      lane.turns.resize(permits)
      if (lane.asked >= permits && (lane.turns.waiting(buyer) >= perBuyer || lane.asked - permits >= waiting)) return 'lane_full'
      lane.asked += 1
      try {
        const release = await lane.turns.take(buyer, AbortSignal.timeout(patience)).catch(() => undefined)
        if (release === undefined) return 'lane_full'
        try {
          return await work()
        } finally {
          release()
        }
      } finally {
        lane.asked -= 1
        if (lane.asked === 0) lanes.delete(seller)
      }
    },
  }
}

interface Lane {
  readonly turns: FairTurns
  /** Calls in progress or waiting. */
  asked: number
}
