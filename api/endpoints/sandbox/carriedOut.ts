import { setTimeout as sleep } from 'node:timers/promises'
import { fairTurns } from '../../../src/domain/fairTurns.ts'
import type { SandboxOutcome, SandboxRequest } from '../../../src/domain/sandboxRequest.ts'
import type { Database } from '../../../src/store/connection/database.ts'
import { readSandboxRequest, saveSandboxRequest } from '../../../src/store/tenants/sandboxRequests.ts'

/** How long a call waits for the parties: usually they need a fraction of a second. */
const WAIT_MS = 10_000
const POLL_MS = 100
/** A call that gets no turn is answered at once. */
const waiting = fairTurns({ permits: 32, perTenant: 8 })

/**
 * Has the parties of the sandbox do what a tenant asks for, in a durable run: it is done whatever becomes of this call. Returns what became of it;
 * undefined if it is not done after ten seconds.
 */
export async function carriedOut(db: Database, request: SandboxRequest): Promise<SandboxOutcome | undefined> {
  await saveSandboxRequest(db, request)
  const release = waiting.takeNow(request.tenant)
  if (release === undefined) return undefined
  try {
    for (const end = Date.now() + WAIT_MS; Date.now() < end; ) {
      await sleep(POLL_MS)
      const known = await readSandboxRequest(db, request.request_id)
      if (known?.outcome) return known.outcome
    }
    return undefined
  } finally {
    release()
  }
}
