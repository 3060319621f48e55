import { Refusal } from '../domain/refusal.ts'
import type { Database } from '../store/connection/database.ts'
import { announce } from '../store/delivery/notices.ts'

const INTEGRITY: readonly string[] = ['DUPLICATE_EXTERNAL_REF', 'GRAIN_CONFLICT']

/**
 * Runs a publish; when it is refused whole for its integrity, the seller is told so by catalog.integrity_failed with the conflict report, in a
 * transaction of its own, since that of the publish left nothing (spec, One write model, 2).
 */
export async function reportingIntegrity<T>(db: Database, seller: string, publish: () => Promise<T>): Promise<T> {
  try {
    return await publish()
  } catch (refusal) {
    if (refusal instanceof Refusal && INTEGRITY.includes(refusal.code)) {
      const data = { error_code: refusal.code, details: refusal.details }
      const notice = {
        event_type: 'catalog.integrity_failed' as const,
        seller,
        occurred_at: new Date().toISOString(),
        shown: [{ to: [seller], data }],
      }
      await db.sql.transaction().execute((tx) => announce(tx, [notice]))
    }
    throw refusal
  }
}
