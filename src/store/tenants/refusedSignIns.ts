import type { Database } from '../connection/database.ts'
import type { Credential } from './findCredential.ts'
import { type Actor, recordRefusedSignIn } from './securityEvents.ts'

/** A credential, and the address that it was used from. */
export type SignIn = Pick<Credential, 'credential_id' | 'entity' | 'side'> & { readonly source_ip: string | null }

/** Records for tenants that their revoked or expired credentials were used. An unknown token belongs to no tenant. */
export interface RefusedSignIns {
  note(signIn: SignIn, reason: Reason): void
  /** Writes the refusals counted since the last write. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Reason = 'revoked' | 'expired'
interface Counted {
  actor: Actor
  reason: Reason
  times: number
}

/** Beyond this number, all addresses of a credential share a row, so that a flood from many addresses makes few rows. */
const MAX_SOURCES = 5
const MAX_CREDENTIALS = 1_000

/** Writes a source's first refusal immediately, and those that follow within a minute as a single entry at its end. */
export function refusedSignIns(
  db: Pick<Database, 'as'>,
  { everyMs = 60_000, via = 'api' }: { everyMs?: number; via?: 'api' | 'sftp' } = {},
): RefusedSignIns {
  const ofCredential = new Map<string, Map<string, Counted>>()
  const writes = new Set<Promise<void>>()
  const write = ({ actor, reason }: Counted, times: number): void => {
    // A failed write to the audit log must not fail the request.
    const written = recordRefusedSignIn(db.as([actor.entity]), actor, reason, times).catch(() => undefined)
    writes.add(written)
    void written.finally(() => writes.delete(written))
  }
  const flush = async (): Promise<void> => {
    for (const sources of ofCredential.values())
      for (const counted of sources.values()) if (counted.times > 0) write(counted, counted.times)
    ofCredential.clear()
    await Promise.all(writes)
  }
  const timer = setInterval(() => void flush(), everyMs).unref()
  return {
    note({ credential_id, entity, side, source_ip }, reason) {
      const sources = ofCredential.get(credential_id) ?? new Map<string, Counted>()
      if (sources.size === 0 && ofCredential.size >= MAX_CREDENTIALS) return
      ofCredential.set(credential_id, sources)
      const isNamed = source_ip !== null && (sources.has(source_ip) || sources.size < MAX_SOURCES)
      const key = isNamed ? source_ip : ''
      const counted = sources.get(key)
      if (counted !== undefined) {
        counted.times += 1
        return
      }
      const actor: Actor = { entity, side, via, credential_id, source_ip: isNamed ? source_ip : null }
      const first = { actor, reason, times: 0 }
      sources.set(key, first)
      write(first, 1)
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
