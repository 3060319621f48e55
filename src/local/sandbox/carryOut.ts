import { MarketplaceError } from '../../../client/src/index.ts'
import type { ErrorEnvelope } from '../../contract/errorEnvelope.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { SandboxOutcome, SandboxRequest } from '../../domain/sandboxRequest.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { grantsTo } from './agreements.ts'
import type { Party } from './habits.ts'
import { placeOrder } from './placeOrder.ts'

/**
 * Does what a tenant has asked the parties of the sandbox to do, each with its own credential through /v1 alone. It may be killed anywhere and called
 * again. A refusal that no repeat changes is an outcome; it fails with any other error.
 */
export async function carryOut(clientOf: (party: Party) => Operations, request: SandboxRequest): Promise<SandboxOutcome> {
  try {
    if (request.kind === 'order')
      return { order: await placeOrder(clientOf('sandbox-buyer'), request.tenant, request.request_id, request.body) }
    await grantAgreements(clientOf, request.tenant)
    return {}
  } catch (error) {
    return { error: refusedIn(error) }
  }
}

async function grantAgreements(clientOf: (party: Party) => Operations, buyer_entity: string): Promise<void> {
  for (const { seller, agreement_id, agreement } of grantsTo(buyer_entity, new Date().getUTCFullYear()))
    await clientOf(seller).grantAgreement({ path: { agreement_id }, body: agreement })
  await clientOf('seller-suspends-you').putBuyer({ path: { buyer_entity }, body: { status: 'suspended' } })
}

function refusedIn(error: unknown): NonNullable<SandboxOutcome['error']> {
  if (error instanceof Refusal) return { error_code: error.code, error_message: error.message, details: error.details }
  if (!(error instanceof MarketplaceError) || error.code === undefined || !isFinal(error)) throw error
  const { error_code, error_message, details } = JSON.parse(error.text) as ErrorEnvelope
  return { error_code, error_message, details }
}

/** Whether a repeat would be refused as well: not while the platform is away or busy, or a token is being replaced. */
export function isFinal({ status }: Pick<MarketplaceError, 'status'>): boolean {
  return status < 500 && status !== 429 && status !== 401
}
