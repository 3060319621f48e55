import { Refusal } from '../domain/refusal.ts'
import type { Database } from '../store/connection/database.ts'
import { announce } from '../store/delivery/notices.ts'

const INTEGRITY: readonly string[] = ['DUPLICATE_EXTERNAL_REF', 'GRAIN_CONFLICT']

/**
 * Runs a publish. If the whole publish is refused for its integrity, sends the seller catalog.integrity_failed with the conflict report, in
 * a separate transaction, since that of the publish was rolled back (spec, One write model, 2).
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
