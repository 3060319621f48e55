import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '../embedded/seedSandbox.ts'
import { clientFor } from './client.ts'
import { tokenOf } from './tokenOf.ts'

/** The sellers of the sandbox that act by themselves and that everybody may order from. */
const SHOPS = ['sandbox-tv', 'sandbox-pull'] as const
const PATIENCE_MS = 30_000
const POLL_MS = 100

/** Waits until the sellers that act by themselves are on sale, which they put themselves. A start does not fail for want of them. */
export async function awaitShops({ base_url, sandbox }: Credentials, signal: AbortSignal): Promise<void> {
  if (sandbox === undefined) return
  const until = Date.now() + PATIENCE_MS
  await Promise.all(
    SHOPS.map(async (shop) => {
      const client = clientFor(base_url, tokenOf(sandbox, shop), signal)
      while (Date.now() < until && (await client.getOwnAvails({ query: { limit: 1 } })).body.avails.length === 0)
        await sleep(POLL_MS, undefined, { signal })
    }),
  )
}
