import type { SellerProfile } from '../../contract/seller.ts'
import { type FairTurns, fairTurns } from '../../domain/fairTurns.ts'

/** Bounds the concurrent calls of one kind per seller, so a seller that hangs does not block others. Buyers take turns. */
export interface SellerPermits {
  /** Runs `work` with a permit of the seller's API; `permits_taken` if it gets no turn within `patience` milliseconds or too many calls are waiting. */
  run<T>(request: PermitRequest, patience: number, work: () => Promise<T>): Promise<T | 'permits_taken'>
}

export interface PermitRequest {
  readonly seller: string
  readonly buyer: string
  readonly profile: SellerProfile
}

/** Returns how many concurrent calls of one kind a seller's API accepts: as declared, or 16 (choices, Capability profile). */
export function maxConcurrentCalls({ transports }: SellerProfile): number {
  return transports.pull?.max_concurrent ?? MAX_CONCURRENT_CALLS
}

const MAX_CONCURRENT_CALLS = 16

/** Opens permits for which at most `perBuyer` calls of one buyer, and `waiting` of all buyers, wait for a turn with a seller. */
export function openSellerPermits({ perBuyer, waiting }: { perBuyer: number; waiting: number }): SellerPermits {
  const bySeller = new Map<string, SellerTurns>()
  return {
    async run({ seller, buyer, profile }, patience, work) {
      const permits = maxConcurrentCalls(profile)
      const own = bySeller.get(seller) ?? { turns: fairTurns({ permits }), asked: 0 }
      bySeller.set(seller, own)
      own.turns.resize(permits)
      if (own.asked >= permits && (own.turns.waiting(buyer) >= perBuyer || own.asked - permits >= waiting)) return 'permits_taken'
      own.asked += 1
      try {
        const release = await own.turns.take(buyer, AbortSignal.timeout(patience)).catch(() => undefined)
        if (release === undefined) return 'permits_taken'
        try {
          return await work()
        } finally {
          release()
        }
      } finally {
        own.asked -= 1
        if (own.asked === 0) bySeller.delete(seller)
      }
    },
  }
}

interface SellerTurns {
  readonly turns: FairTurns
  /** Calls in progress or waiting. */
  asked: number
}
