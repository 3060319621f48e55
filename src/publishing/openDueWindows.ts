import { windowOpened } from '../domain/publish/cardNotices.ts'
import { readAudience } from '../store/audience.ts'
import { findProducts } from '../store/catalog.ts'
import type { Database } from '../store/database.ts'
import { announce } from '../store/notices.ts'
import { type CommitWindow, takeDueWindows } from '../store/rateWindows.ts'

/** Windows announced in one transaction. */
const AT_ONCE = 200

/**
 * Announces catalog.window_opened for the windows whose time has come, each once, and never after it closed (choices, Non-lifecycle data). To
 * be called every second or so; several callers share the work. Answers how many were due; begins no further transaction once `stopping`.
 */
export async function openDueWindows(db: Database, now: string, stopping?: AbortSignal): Promise<number> {
  let due = 0
  for (;;) {
    const taken = await db.sql.transaction().execute(async (tx) => {
      const found = await takeDueWindows(tx, now, AT_ONCE)
      for (const [seller, windows] of bySeller(found.windows)) {
        const audience = await readAudience(tx, seller, now.slice(0, 10))
        const products = await findProducts(
          tx,
          seller,
          windows.map(({ product_id }) => product_id),
        )
        const notices = windows.flatMap(({ seller: _, commit_no: __, ...window }) => {
          const product = products.get(window.product_id)
          const shown = product === undefined ? [] : windowOpened(window, product, audience, now)
          return [{ event_type: 'catalog.window_opened' as const, seller, occurred_at: now, shown }]
        })
        await announce(tx, notices)
      }
      return found.taken
    })
    due += taken
    if (taken < AT_ONCE || stopping?.aborted) return due
  }
}

function bySeller(windows: readonly CommitWindow[]): Map<string, CommitWindow[]> {
  const groups = new Map<string, CommitWindow[]>()
  for (const window of windows) groups.set(window.seller, [...(groups.get(window.seller) ?? []), window])
  return groups
}
