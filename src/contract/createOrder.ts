import { z } from 'zod'
import { LineItem } from './lineItem.ts'
import { ProposalRequest } from './proposalRequest.ts'
import { DateRange, EVEN_SO, IsoDate, listOf, Name, OneLine, retired, SentDateTime, Stamp } from './scalars.ts'
import { UnknownMember } from './unknownMembers.ts'
import { LINES_PER_ORDER } from './vocabulary/bounds.ts'
import { ORDER_WARNINGS } from './vocabulary/codes.ts'
import { SETTLEMENT_MODES, UPLOAD_FORMATS } from './vocabulary.ts'

/** The top-level key list is closed; buyer_contact keeps unknown nested fields verbatim (contract, Create rules: advertiser, buyer metadata, contact). */
export const BuyerMetadata = z
  .strictObject({
    advertiser_id: Name,
    campaign_id: OneLine.max(200).optional(),
    // Verbatim on the order's mail (choices, Order document: estimate).
    estimate_id: z.string().optional(),
    buyer_contact: z.looseObject({ name: z.string().optional(), email: z.string().optional(), phone: z.string().optional() }).optional(),
  })
  .meta({ id: 'BuyerMetadata' })
export type BuyerMetadata = z.infer<typeof BuyerMetadata>

export const Attachment = z
  .object({
    upload_id: Name,
    format: z.enum(UPLOAD_FORMATS),
    role: z.enum(['buysheet', 'traffic_instructions', 'makegood_notice', 'other']),
    filename: z.string().min(1),
    sha256: z.string().regex(/^[0-9A-Fa-f]{64}$/, 'must be 64 hexadecimal digits'),
  })
  .meta({ id: 'Attachment' })
export type Attachment = z.infer<typeof Attachment>

/** The input of a document order (contract, Order creation body). */
export const OrderDocument = z.object({ upload_id: Name, format: z.enum(UPLOAD_FORMATS) }).meta({ id: 'OrderDocument' })

const INPUTS = ['line_items', 'request', 'document'] as const

/** POST /orders (contract, Order creation body). Members that the platform owns are not listed; sending them has no effect. */
export const CreateOrder = z
  .object({
    seller: Name,
    external_order_id: Name,
    rate_version: Name,
    buyer_metadata: BuyerMetadata,
    line_items: z.array(LineItem).min(1).max(LINES_PER_ORDER).optional(),
    request: ProposalRequest.optional(),
    document: OrderDocument.optional(),
    attachments: listOf(Attachment, 100).optional(),
    issued_at: SentDateTime.optional(),
    flight: DateRange.optional(),
    revision: z.object({ supersedes: Name }).optional(),
    settlement_mode: z.enum(SETTLEMENT_MODES).optional(),
    notify_url: z.string().min(1).max(2048).optional(),
    agreement_id: Name.optional(),
    buyer_entity: z.string().optional(),
    buyer_requests: z
      .object({
        min_separation_seconds: z.int().nonnegative().optional(),
        scope: z.literal('campaign', { error: 'must be campaign' }).optional(),
      })
      .optional(),
    ...retired('line_items[].product_id'),
  })
  .superRefine((order, ctx) => {
    const sent = INPUTS.filter((member) => order[member] !== undefined)
    if (sent.length !== 1) {
      const message = sent.length === 0 ? 'is required unless request or document is sent' : `must not be sent together with ${sent[0]}`
      ctx.addIssue({ code: 'custom', path: [sent[1] ?? 'line_items'], message })
    }
    if (order.attachments !== undefined && order.line_items === undefined) {
      ctx.addIssue({ code: 'custom', path: ['attachments'], message: 'are allowed only together with line_items' })
    }
  }, EVEN_SO)
  .meta({ id: 'CreateOrder' })
export type CreateOrder = z.infer<typeof CreateOrder>

/** Members that the platform sets or only emits; sending them has no effect and no warning (contract, Order creation body). */
export const IGNORED_MEMBERS = ['workflow', 'revision.version', 'line_items.*.creative_snapshot'] as const

export const OrderWarning = z
  .object({
    code: z.enum(ORDER_WARNINGS),
    product_id: z.string(),
    dates: z.array(IsoDate),
    order_ids: z.array(z.string()).optional().meta({ description: 'For DOUBLE_BOOKED_WEEK: your other orders that book these dates.' }),
  })
  .meta({ id: 'OrderWarning' })
export type OrderWarning = z.infer<typeof OrderWarning>

/** 201 (contract, Create response). `warnings` is absent when empty. */
export const OrderCreated = z
  .object({
    order_id: z.string(),
    external_order_id: z.string(),
    buyer_entity: z.string(),
    status: z.literal('submitted'),
    created_at: Stamp,
    warnings: z.array(z.union([OrderWarning, UnknownMember])).optional(),
  })
  .meta({ id: 'OrderCreated' })
export type OrderCreated = z.infer<typeof OrderCreated>
