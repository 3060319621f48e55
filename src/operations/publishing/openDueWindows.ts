import { addTo } from '../../domain/addTo.ts'
import { windowOpened } from '../../domain/publish/cardNotices.ts'
import { readAudience } from '../../store/catalog/audience.ts'
import { findProducts } from '../../store/catalog/catalog.ts'
import type { Publishing } from '../../store/catalog/publishLock.ts'
import { type CommitWindow, takeDueWindows } from '../../store/catalog/rateWindows.ts'
import type { Database, Tx } from '../../store/connection/database.ts'
import { announce } from '../../store/delivery/notices.ts'

/** Windows announced in one transaction. */
const BATCH = 200

/**
 * Announces catalog.window_opened for every window that is due, once, and never after it closed (choices, Non-lifecycle data). Call it
 * about every second; concurrent callers share the work. Returns how many were due. Begins no further transaction once `stopping` aborts.
 */
export async function openDueWindows(db: Database, now: string, stopping?: AbortSignal): Promise<number> {
  let due = 0
  for (;;) {
    const taken = await db.sql.transaction().execute((tx) => announceDue(tx, now))
    due += taken
    if (taken < BATCH || stopping?.aborted) return due
  }
}

/** Announces one batch of the windows that are due, of all commits or of one. Returns how many were due. */
async function announceDue(tx: Tx, now: string, commitNo?: string): Promise<number> {
  const { taken, windows } = await takeDueWindows(tx, now, BATCH, commitNo)
  for (const [seller, own] of bySeller(windows)) {
    const audience = await readAudience(tx, seller, now.slice(0, 10))
    const ids = own.map(({ product_id }) => product_id)
    const products = await findProducts(tx, seller, ids)
    const notices = own.flatMap(({ seller: _, commit_no: __, ...window }) => {
      const product = products.get(window.product_id)
      const shown = product === undefined ? [] : windowOpened(window, product, audience, now)
      return [{ event_type: 'catalog.window_opened' as const, seller, occurred_at: now, shown }]
    })
    await announce(tx, notices)
  }
  return taken
}

/** The most transactions that a publish spends on the windows that open with it. */
const AT_PUBLISH = 5

/** Announces the windows that are open when their commit is published. If there are very many, `openDueWindows` announces the rest. */
export async function openWindowsOf(publishing: Pick<Publishing, 'commit'>, commitNo: string): Promise<void> {
  const now = new Date().toISOString()
  for (let batch = 0; batch < AT_PUBLISH; batch += 1) {
    if ((await publishing.commit((tx) => announceDue(tx, now, commitNo))) < BATCH) return
  }
}

function bySeller(windows: readonly CommitWindow[]): Map<string, CommitWindow[]> {
  const groups = new Map<string, CommitWindow[]>()
  for (const window of windows) addTo(groups, window.seller, window)
  return groups
}
