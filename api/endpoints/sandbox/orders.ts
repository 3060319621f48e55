import type { SandboxOrder, SandboxOrderCreated } from '../../../src/contract/sandbox.ts'
import { overLimit } from '../../../src/domain/overLimit.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import type { SandboxOutcome } from '../../../src/domain/sandboxRequest.ts'
import { tokenBuckets } from '../../../src/domain/tokenBuckets.ts'
import type { Party } from '../../../src/local/sandbox/habits.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { newestCredential } from '../../../src/store/tenants/personas.ts'
import { readSandboxRequest } from '../../../src/store/tenants/sandboxRequests.ts'
import type { Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'
import { carriedOut } from './carriedOut.ts'

/** Orders on demand with one credential: as a burst, and one a second. */
const PER_MINUTE = 60
const demands = tokenBuckets({ perSecond: PER_MINUTE / 60, burst: PER_MINUTE })
const BUYER = 'sandbox-buyer' satisfies Party

/** POST /sandbox/orders: the buyer of the sandbox orders from the caller, in a run of its own. */
export const postSandboxOrder: Handler<SandboxOrder> = async ({ db }, { caller, body }) => {
  spend(caller.credential_id)
  if ((await newestCredential(db, BUYER)) === undefined)
    throw new Refusal('INVALID_STATE', 'This sandbox has no buyer that orders: it was started without its catalogs.', {})
  const request_id = newId('sandbox_')
  const outcome = await carriedOut(db, { request_id, kind: 'order', tenant: caller.entity, body })
  if (outcome?.error !== undefined) throw refusalIn(outcome.error)
  return { status: 201, body: shown(request_id, body, outcome) }
}

/** GET /sandbox/orders/{external_order_id}. */
export const getDemandedOrder: Handler = async ({ db }, { caller, params: { external_order_id = '' } }) => {
  const request = await readSandboxRequest(db, external_order_id)
  if (request?.kind !== 'order' || request.tenant !== caller.entity)
    throw new Refusal('NOT_FOUND', 'You have asked for no such order in the last week.')
  return ok(shown(request.request_id, request.body, request.outcome))
}

function shown(external_order_id: string, { then }: SandboxOrder, outcome: SandboxOutcome | null | undefined): SandboxOrderCreated {
  const { order, error } = outcome ?? {}
  const status = error === undefined ? 'requested' : 'refused'
  return { external_order_id, buyer_entity: BUYER, status, then, ...order, ...(error && { error }) }
}

function refusalIn({ error_code, error_message, details }: NonNullable<SandboxOutcome['error']>): Refusal {
  return new Refusal(error_code, error_message, details)
}

function spend(credential_id: string): void {
  const retry_after = demands.take(credential_id, 1)
  if (retry_after > 0) {
    const message = `A credential may ask for ${PER_MINUTE} orders a minute; try again in ${retry_after} s.`
    throw overLimit({ limit: 'orders on demand', most: PER_MINUTE, window_s: 60 }, message, retry_after)
  }
}
