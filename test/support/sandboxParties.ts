import type { SandboxRequest } from '../../src/domain/sandboxRequest.ts'
import { carryOut } from '../../src/local/sandbox/carryOut.ts'
import { PARTIES, type Party } from '../../src/local/sandbox/habits.ts'
import { type Operations, openOwnClient } from '../../src/sdk/ownClient.ts'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { readSandboxRequest, saveSandboxOutcome } from '../../src/store/tenants/sandboxRequests.ts'
import type { TestApp } from './http/app.ts'

/** Parties of a sandbox that do what is asked of them, for tests of the API without a worker. */
export interface SandboxParties {
  readonly tokens: Readonly<Record<string, string>>
  readonly clientOf: (party: Party) => Operations
  /** Does what was asked for, and goes on until it is stopped. */
  act(): void
  stop(): Promise<void>
}

const POLL_MS = 20

/** Makes these parties, tenants like any other. They act once they are told to. */
export async function sandboxParties(
  { deps: { db }, baseUrl }: Pick<TestApp, 'deps' | 'baseUrl'>,
  parties = Object.keys(PARTIES) as readonly Party[],
): Promise<SandboxParties> {
  const tokens: Record<string, string> = {}
  for (const party of parties) tokens[party] = (await issueCredential(db, { entity: party, side: PARTIES[party].side, kind: 'test' })).token
  const clientOf = (party: Party) => openOwnClient({ baseUrl, token: tokens[party] ?? '' })
  const does = async (request_id: string) => {
    const request = await readSandboxRequest(db, request_id)
    if (request !== undefined) await saveSandboxOutcome(db, request_id, await carryOut(clientOf, request as SandboxRequest))
  }
  let acting: Promise<void> | undefined
  let stopped = false
  const act = async () => {
    while (!stopped) {
      const { rows } = await db.pool.query<{ target: string }>(`delete from outbox where kind = 'sandbox_request' returning target`)
      await Promise.all(rows.map(({ target }) => does(target)))
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  return {
    ...{ tokens, clientOf },
    act() {
      acting ??= act()
    },
    async stop() {
      stopped = true
      await acting
    },
  }
}
