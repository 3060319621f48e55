import type { OrderCreated } from '../contract/createOrder.ts'
import type { SandboxOrder } from '../contract/sandbox.ts'
import type { ErrorCode } from '../contract/vocabulary/codes.ts'

/** What a tenant of a sandbox has asked its parties to do: to order from it, or to grant it its agreements. */
export type SandboxRequest = {
  /** Of an order its external_order_id; of agreements derived from the buyer, who needs one request at a time. */
  readonly request_id: string
  readonly tenant: string
} & ({ readonly kind: 'order'; readonly body: SandboxOrder } | { readonly kind: 'agreements'; readonly body: null })

/** What became of a request: the order as it was created, or the refusal that a party met; neither once agreements are granted. */
export interface SandboxOutcome {
  readonly order?: OrderCreated
  readonly error?: { readonly error_code: ErrorCode; readonly error_message: string; readonly details: Record<string, unknown> }
}
