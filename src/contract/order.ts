import { z } from 'zod'
import { Attachment, BuyerMetadata, OrderDocument, OrderWarning } from './createOrder.ts'
import { DocumentParse } from './documentParse.ts'
import { LineResult } from './lineItem.ts'
import { PlanProposal } from './planProposal.ts'
import { ProposalRequest } from './proposalRequest.ts'
import { DateRange, IsoDate, NextCursor, Stamp } from './scalars.ts'
import { UnknownMember } from './unknownMembers.ts'
import { LATE_NOTICES, ORDER_ACTIONS, ORDER_STATUSES, PARTIES, SETTLEMENT_MODES, SUBSTATUSES, WORKFLOWS } from './vocabulary.ts'

export const CancellationTerms = z
  .object({ notice_days: z.int().nonnegative(), late_fee_pct: z.number().nonnegative().optional() })
  .meta({ id: 'CancellationTerms' })
export type CancellationTerms = z.infer<typeof CancellationTerms>

/** The cancellation block, identical in the cancel response, the event and the snapshot (contract, Order snapshot). */
export const Cancellation = z
  .object({
    reason: z.string(),
    actor: z.string(),
    late_notice: z.enum(LATE_NOTICES),
    notice: z
      .object({
        terms: CancellationTerms,
        measured_at: z.string(),
        first_air_date: IsoDate,
        notice_days_given: z.int(),
        notice_days_required: z.int(),
        fee_pct: z.number().optional(),
        fee_amount: z.number().optional(),
      })
      .optional(),
  })
  .meta({ id: 'Cancellation' })
export type Cancellation = z.infer<typeof Cancellation>

/** The receipt, projected from units[].allocation of the deciding event (contract, Order snapshot). */
export const PlacementReceipt = z
  .object({
    name: z.literal('placement_receipt'),
    seq: z.int().positive(),
    seller_order_id: z.string(),
    daylocks: z.array(z.object({ unit_id: z.string(), date: IsoDate, units: z.int().positive() })),
    placed_at: Stamp,
    in_force_from: IsoDate.optional().meta({
      description: 'Present if an earlier order of the family was placed: dates before this one stay with that order, which bills them.',
    }),
    in_force_at: Stamp.optional().meta({
      description:
        'The UTC time at which that order ended. in_force_from is its date in the time zone of the product, the earliest if the products have several.',
    }),
  })
  .meta({ id: 'PlacementReceipt' })
export type PlacementReceipt = z.infer<typeof PlacementReceipt>

/** A result of an order's step, distinguished by name. */
export const Artifact = z.discriminatedUnion('name', [PlacementReceipt, PlanProposal, DocumentParse]).meta({ id: 'Artifact' })
export type Artifact = z.infer<typeof Artifact>

export const Totals = z
  .object({ gross: z.number(), currency: z.string(), impressions: z.record(z.string(), z.number()).optional() })
  .meta({ id: 'Totals' })
export type Totals = z.infer<typeof Totals>

export const WaitingOn = z
  .object({ party: z.enum(PARTIES), since: Stamp, due_by: Stamp.optional(), overdue: z.boolean(), stuck_reason: z.string().optional() })
  .meta({ id: 'WaitingOn' })
export type WaitingOn = z.infer<typeof WaitingOn>

/** The seller's time to decide against its sla at create (contract, Limits). Measured once, from the start of seller_review. */
export const DecisionLatency = z
  .object({
    since: Stamp,
    due_by: Stamp,
    seconds: z.int().nonnegative().meta({ description: 'The duration in whole seconds.' }),
    overdue: z.boolean(),
  })
  .meta({ id: 'DecisionLatency' })
export type DecisionLatency = z.infer<typeof DecisionLatency>

const head = {
  order_id: z.string(),
  external_order_id: z.string(),
  seller: z.string(),
  seller_name: z.string().optional().meta({ description: 'The name of the seller when the order was created; absent on older orders.' }),
  buyer_entity: z.string(),
  buyer_name: z.string().optional().meta({ description: 'The name of the buyer when the order was created; absent on older orders.' }),
  workflow: z.enum(WORKFLOWS),
  status: z.enum(ORDER_STATUSES),
  substatus: z.enum(SUBSTATUSES).nullable(),
  last_seq: z.int().positive(),
  rate_version: z.string(),
  taxonomy_version: z.string(),
  buyer_metadata: BuyerMetadata,
  issued_at: z.string(),
  flight: DateRange.optional(),
  attachments: z.array(Attachment).optional(),
  revision: z.object({ version: z.int().positive(), supersedes: z.string().nullable() }),
  settlement_mode: z.enum(SETTLEMENT_MODES),
  agreement_id: z.string().optional(),
  cancellation_terms: CancellationTerms.nullable(),
  buyer_requests: z.looseObject({}).optional(),
  notify_url: z.string().optional(),
  created_at: Stamp,
  updated_at: Stamp,
  totals: Totals,
  decision_latency: DecisionLatency.optional(),
  cancellation: Cancellation.optional(),
  error: z.looseObject({ error_code: z.string() }).optional(),
  events_url: z.string(),
}

const spliced = {
  allowed_actions: z.array(z.enum(ORDER_ACTIONS)),
  waiting_on: WaitingOn.nullable(),
}

/** The input of a proposal or document order, as created (additive). */
const asked = { request: ProposalRequest.optional(), document: OrderDocument.optional() }

/** The stored projection of an order, without members that depend on the reader or the time. */
export const StoredSnapshot = z.object({ ...head, ...asked, line_items: z.array(LineResult), artifacts: z.array(Artifact) })
export type StoredSnapshot = z.infer<typeof StoredSnapshot>

/** GET /orders/{id} (contract, Order snapshot); allowed_actions and waiting_on are additive. */
export const OrderSnapshot = z.object({ ...StoredSnapshot.shape, ...spliced }).meta({ id: 'OrderSnapshot' })
export type OrderSnapshot = z.infer<typeof OrderSnapshot>

/** An item of an order list: the snapshot without request, document, line_items and artifacts, and a summary of these. */
export const OrderListItem = z
  .object({
    ...head,
    line_count: z.int().nonnegative().meta({ description: 'The number of lines that the buyer asked for; counters are not counted.' }),
    units: z.int().nonnegative().meta({ description: 'The units of these lines, as asked for.' }),
    first_air_date: IsoDate.nullable().meta({
      description:
        'The first date on which accepted lines air; before a decision, on which requested lines may. Null if nothing says when.',
    }),
    ...spliced,
  })
  .meta({ id: 'OrderListItem' })
export type OrderListItem = z.infer<typeof OrderListItem>

export const OrderList = z.object({ orders: z.array(OrderListItem), next_cursor: NextCursor }).meta({ id: 'OrderList' })
export type OrderList = z.infer<typeof OrderList>

const countOf = (orders: string) =>
  z
    .int()
    .nonnegative()
    .meta({ description: `The number of ${orders}.` })
const countIn = (status: string) => countOf(`orders that are ${status}`)

/** GET /orders/counts and /me/orders/counts: the open orders of the caller. */
export const OrderCounts = z
  .object({
    status: z
      .object({
        submitted: countIn('submitted'),
        validating: countIn('validating, or wait for a plan'),
        needs_confirmation: countIn('in needs_confirmation'),
        confirmed: countIn('confirmed'),
        seller_review: countIn('in seller_review'),
        negotiating: countIn('negotiating'),
      })
      .meta({ description: 'The open orders by status.' }),
    waiting_on: z
      .object({
        buyer: countOf('orders that wait for their buyer'),
        seller: countOf('orders that wait for their seller'),
        platform: countOf('orders that wait for the platform'),
      })
      .meta({ description: 'The same orders by the party that they wait for.' }),
    overdue: countOf('orders whose decision is overdue'),
    complete: z.boolean().meta({ description: 'False if the caller has more than 10,000 open orders: then 10,000 of them are counted.' }),
  })
  .meta({ id: 'OrderCounts' })
export type OrderCounts = z.infer<typeof OrderCounts>

/** 200 of POST /orders/preview and POST /orders?dry_run=true: the result that a create would have (choices, Dry run). */
export const OrderPreview = z
  .object({
    valid: z.literal(true),
    warnings: z.array(z.union([OrderWarning, UnknownMember])).optional(),
    totals: Totals,
    line_items: z.array(LineResult),
  })
  .meta({ id: 'OrderPreview' })
export type OrderPreview = z.infer<typeof OrderPreview>
