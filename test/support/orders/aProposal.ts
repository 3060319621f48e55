import type { CreateOrder } from '../../../src/contract/createOrder.ts'
import type { LineItem } from '../../../src/contract/lineItem.ts'
import type { PlanProposal } from '../../../src/contract/planProposal.ts'
import type { ProposalRequest } from '../../../src/contract/proposalRequest.ts'
import { checkLine } from '../../../src/domain/lines/checkLine.ts'
import { pendingLine } from '../../../src/domain/lines/lineResult.ts'
import { type EventDraft, stampEvents } from '../../../src/domain/order/decision.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { aLine, anOrder, aProduct, aProfile, CREATED_AT, cardOf, later, type OrderChanges, priceOf } from './anOrder.ts'

/** Proposals at each of their steps, valid as they are: a test names only what matters to it. */

function aProposalRequest(more: Partial<ProposalRequest> = {}): ProposalRequest {
  return { request_type: 'specs', budget_gross: 1_000, ...more }
}

const PROPOSAL = { profile: aProfile({ modes: { catalog: true, proposal: true, document: true } }) }

export type ProposalChanges = Omit<OrderChanges, 'request'> & { request?: Partial<ProposalRequest> }

/** Returns a proposal that waits for its plan. */
export function aProposal({ request, ...more }: ProposalChanges = {}): OrderState {
  const changes = { line_items: undefined, request: aProposalRequest(request) } satisfies Partial<CreateOrder> | object
  const seller = { name: 'Seller One', taxonomy_version: 'tax-1', currency: 'USD', ...PROPOSAL }
  const submitted = anOrder({ ...changes, intake: { seller }, ...more } as OrderChanges)
  return stampEvents(submitted, [{ status: 'validating', substatus: 'awaiting_plan' }], later(submitted)).after
}

export const PLAN_EXPIRES_AT = '2026-11-05T12:00:00.000Z'

/** Returns a plan event for these lines. */
export function aPlanDraft(plan_id = 'plan_1', lines: readonly LineItem[] = [aLine()], more: Partial<PlanProposal> = {}): EventDraft {
  const terms = {
    seller: 'seller_one',
    provider: 'Seller One',
    flight: undefined,
    products: lines.map(({ product_id }) => aProduct({ product_id })),
    permissions: { buy_types: undefined, grains: undefined },
    overrides: new Map(),
    creatives: [],
    attached: undefined,
    cited: lines.map((line) => priceOf(line)),
    card: lines.flatMap((line) => cardOf(line)),
    avails: [],
    asked_at: CREATED_AT,
  }
  const checked = lines.map((line, index) => {
    const found = checkLine(line, index, terms, `unit_${plan_id}_${index + 1}`)
    if ('faults' in found) throw new Error(JSON.stringify(found.faults))
    return found.facts
  })
  return {
    status: 'needs_confirmation',
    line_bookings: checked.map(({ unit_id, booked_dates, impressions_per_unit }) => ({
      unit_id,
      booked_dates,
      ...(impressions_per_unit === undefined ? {} : { impressions_per_unit }),
    })),
    artifact: {
      name: 'plan_proposal',
      plan_id,
      line_items: lines.map((line, index) => pendingLine(line, checked[index] as (typeof checked)[number])),
      plan_totals: {},
      unmet: [],
      expires_at: PLAN_EXPIRES_AT,
      sha256: plan_id,
      ...more,
    },
  }
}

/** Returns a proposal whose current plan waits for the buyer. */
export function aPlanned({ plan = aPlanDraft(), ...more }: ProposalChanges & { plan?: EventDraft } = {}): OrderState {
  const order = aProposal(more)
  return stampEvents(order, [plan], later(order)).after
}
