import { fairTurns } from '../../src/domain/fairTurns.ts'
import { overLimit } from '../../src/domain/overLimit.ts'
import { partsOfSnapshot, type Reading } from '../../src/store/connection/snapshot.ts'
import type { Deps } from './handler.ts'
import type { Reply } from './reply.ts'
import { streamedReply } from './streamedReply.ts'

/** Reads of one kind that may be large, each streamed from its own snapshot. */
export interface WholeReads {
  /** Takes a turn, which lasts as long as the database read. RATE_LIMITED when too many reads of the tenant are already waiting. */
  take(tenant: string): Promise<() => void>
  /** Returns a reply that streams the text of `read`, in the tenant's turn and from one snapshot. */
  answer(
    deps: Pick<Deps, 'db' | 'replyBytes' | 'spool'>,
    tenant: string,
    read: (snapshot: Reading) => AsyncGenerator<string>,
  ): Promise<Reply>
}

/** The most reads that may wait per tenant. */
const WAITING = 32

/** Runs up to four reads concurrently, one per tenant. `what` names the reads in refusals, such as "avails". */
export function wholeReads(what: string): WholeReads {
  const turns = fairTurns({ permits: 4, perTenant: 1 })
  const take = async (tenant: string) => {
    if (turns.waiting(tenant) >= WAITING) {
      const message = `${WAITING} reads of ${what} wait for their turn already: try again in 1 s.`
      throw overLimit({ limit: `reads of ${what}`, most: WAITING }, message, 1)
    }
    return turns.take(tenant)
  }
  return {
    take,
    answer: ({ db, ...deps }, tenant, read) =>
      streamedReply(
        deps,
        tenant,
        (async function* () {
          const release = await take(tenant)
          try {
            yield* partsOfSnapshot(db, read)
          } finally {
            release()
          }
        })(),
      ),
  }
}
