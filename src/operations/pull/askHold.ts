import type { Outbound } from '../../adapters/http/outboundCall.ts'
import type { Hold } from '../../contract/hold.ts'
import type { HoldRequest } from '../../contract/pullApi.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import type { HoldParties } from '../../store/orders/holds.ts'
import { readConformance } from '../../store/tenants/sellers.ts'
import { callSeller, type SellerAnswer } from './callSeller.ts'
import { type ConnectionDeps, sellerConnection } from './sellerConnection.ts'
import type { SellerPermits } from './sellerPermits.ts'

export interface AskHoldDeps extends ConnectionDeps {
  outbound: Outbound
  sellerPermits: SellerPermits
}

/** Returns true if the seller's own API keeps holds too: the profile declares both holds and a pull connection (choices, Holds). */
export function holdsAtSeller({ holds, transports }: SellerProfile): boolean {
  return holds && transports.pull !== undefined
}

/** Asks a seller's own API to hold inventory: any 2xx holds, a 4xx refuses, anything else counts as unanswered. */
export async function askHold(
  deps: AskHoldDeps,
  buyer: string,
  { hold_id, seller, lines, expires_at }: Hold,
): Promise<'held' | 'refused' | 'unanswered'> {
  const body = JSON.stringify({ hold_id, lines, expires_at } satisfies HoldRequest)
  const answer = await call(deps, { seller, buyer }, { method: 'POST', path: '/holds', id: `${hold_id}:hold`, body })
  if (answer === 'not_called') return 'unanswered'
  if ('unusable' in answer) return 'held' // a 200; the body does not matter
  if (!('status' in answer)) return 'unanswered'
  if (answer.status < 300) return 'held'
  return answer.status >= 400 ? 'refused' : 'unanswered'
}

/** Notifies a seller's own API that a hold has ended; returns false if the call must be retried. Skips a seller that no longer declares holds. */
export async function tellHoldOver(deps: AskHoldDeps, parties: HoldParties, hold_id: string): Promise<boolean> {
  const answer = await call(deps, parties, { method: 'DELETE', path: `/holds/${hold_id}`, id: `${hold_id}:release` })
  return answer === 'not_called' || !('unreachable' in answer)
}

type Request = Pick<Parameters<typeof callSeller>[2], 'method' | 'path' | 'id' | 'body'>

async function call(deps: AskHoldDeps, { seller, buyer }: HoldParties, request: Request): Promise<SellerAnswer | 'not_called'> {
  const { profile } = await readConformance(deps.db, seller)
  const connection = await sellerConnection(deps, seller, profile, holdsAtSeller)
  if (typeof connection === 'string') return 'not_called'
  const answer = await deps.sellerPermits.run({ seller, buyer, profile }, PERMIT_PATIENCE_MS, () =>
    callSeller(deps.outbound, connection, { ...request, deadline: DEADLINE_MS }),
  )
  return answer === 'permits_taken' ? { unreachable: answer } : answer
}

const DEADLINE_MS = 10_000
const PERMIT_PATIENCE_MS = 5_000
