import { Refusal } from '../../domain/refusal.ts'
import type { Database } from '../../store/connection/database.ts'
import { announce, type Notice } from '../../store/delivery/notices.ts'

const INTEGRITY: readonly string[] = ['DUPLICATE_EXTERNAL_REF', 'GRAIN_CONFLICT']

/** Returns true if a publish is refused as a whole for its integrity (contract, One write model: integrity). */
export function isIntegrityFailure(error: unknown): error is Refusal {
  return error instanceof Refusal && INTEGRITY.includes(error.code)
}

/** Builds the notice to a seller whose publish is refused in this way; `more` is added to the conflict report. */
export function integrityNotice(seller: string, { code, details }: Refusal, more: object = {}): Notice {
  const data = { error_code: code, details: { ...details, ...more } }
  return { event_type: 'catalog.integrity_failed', seller, occurred_at: new Date().toISOString(), shown: [{ to: [seller], data }] }
}

/**
 * Runs a publish. If the whole publish is refused for its integrity, sends the seller catalog.integrity_failed with the conflict report, in
 * a separate transaction, since that of the publish was rolled back (contract, One write model: integrity).
 */
export async function reportingIntegrity<T>(db: Database, seller: string, publish: () => Promise<T>): Promise<T> {
  try {
    return await publish()
  } catch (refusal) {
    if (isIntegrityFailure(refusal)) {
      const notice = integrityNotice(seller, refusal)
      await db.sql.transaction().execute((tx) => announce(tx, [notice]))
    }
    throw refusal
  }
}
