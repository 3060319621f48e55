import type { Tx } from '../connection/database.ts'
import type { Publishing } from './publishLock.ts'

/** What a publish has written and nobody sees yet. */
export interface Hidden {
  /** Makes it visible once the transaction ends. */
  reveal(tx: Tx): Promise<void>
  /** Removes what it replaced, once it is visible. */
  tidy(): Promise<void>
  /** Removes it, since it will not become visible. */
  discard(): Promise<void>
}

/** Writes several parts that become visible together. A failure discards those that were written. */
export async function hideAll<Part extends Hidden>(
  writes: readonly (() => Promise<Part>)[],
): Promise<Hidden & { readonly parts: readonly Part[] }> {
  const parts: Part[] = []
  const discard = async () => {
    for (const part of parts.toReversed()) await ignored(part.discard())
  }
  try {
    for (const write of writes) parts.push(await write())
  } catch (error) {
    await discard()
    throw error
  }
  return {
    parts,
    async reveal(tx) {
      for (const part of parts) await part.reveal(tx)
    },
    async tidy() {
      for (const part of parts) await part.tidy()
    },
    discard,
  }
}

/** Commits a transaction that reveals what is hidden, or else discards it. */
export async function commitOrDiscard(publishing: Publishing, hidden: Hidden, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await publishing.commit(work)
  } catch (error) {
    await ignored(hidden.discard())
    throw error
  }
  await ignored(hidden.tidy())
}

/** Ignores a failure to clear up: the seller's next publish does it. */
async function ignored(clearing: Promise<void>): Promise<void> {
  await clearing.catch(() => undefined)
}
