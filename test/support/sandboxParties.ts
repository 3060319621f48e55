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
/** As a worker has places for them; its parties try again what is refused for now. */
const AT_ONCE = 8
const CLAIM = `delete from outbox where outbox_id in (
  select outbox_id from outbox where kind = 'sandbox_request' order by outbox_id limit ${AT_ONCE}) returning target`
const RETRY = { attempts: Number.POSITIVE_INFINITY, withinMs: 60_000, timeoutMs: 40_000 }

/** Makes these parties, tenants like any other. They act once they are told to. */
export async function sandboxParties(
  { deps: { db }, baseUrl }: Pick<TestApp, 'deps' | 'baseUrl'>,
  parties = Object.keys(PARTIES) as readonly Party[],
): Promise<SandboxParties> {
  const tokens: Record<string, string> = {}
  for (const party of parties) tokens[party] = (await issueCredential(db, { entity: party, side: PARTIES[party].side, kind: 'test' })).token
  const clientOf = (party: Party) => openOwnClient({ baseUrl, token: tokens[party] ?? '', retry: RETRY })
  const does = async (request_id: string) => {
    const request = await readSandboxRequest(db, request_id)
    if (request !== undefined) await saveSandboxOutcome(db, request_id, await carryOut(clientOf, request as SandboxRequest))
  }
  let acting: Promise<void> | undefined
  let stopped = false
  const act = async () => {
    while (!stopped) {
      const { rows } = await db.pool.query<{ target: string }>(CLAIM)
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
