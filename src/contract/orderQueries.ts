import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { IsoDate, IsoDateTime } from './scalars.ts'
import { ORDERS_PER_PAGE } from './vocabulary/bounds.ts'
import { EVENT_TYPES, ORDER_STATUSES, PARTIES, WORKFLOWS } from './vocabulary.ts'

/** Parameters of the reads of orders and events. */

/** Several of some words, separated by commas. */
const list = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z
    .string()
    .transform((text, ctx): Words[number][] => {
      const asked = text.split(',')
      const unknown = asked.find((word) => !words.includes(word))
      if (unknown !== undefined) ctx.addIssue({ code: 'custom', message: `must list values of ${words.join(', ')}` })
      return asked
    })
    .optional()
    .meta({ override: { type: 'array', items: { type: 'string', enum: words } }, param: { style: 'form', explode: false } })
const seq = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

export const OrderQuery = z.strictObject({
  at_seq: seq.optional().meta({ description: 'Returns the order as it was after the event with this seq.' }),
})
export type OrderQuery = z.output<typeof OrderQuery>
export const OrderListQuery = z.strictObject({
  status: list(ORDER_STATUSES).meta({ description: 'Statuses, separated by commas; all statuses if omitted.' }),
  seller: z.string().optional(),
  buyer: z.string().optional().meta({ description: 'Lists the orders of this buyer alone.' }),
  external_order_id: z.string().optional(),
  advertiser_id: z.string().optional().meta({ description: 'Lists the orders whose buyer_metadata.advertiser_id this is.' }),
  workflow: list(WORKFLOWS).meta({ description: 'Workflows, separated by commas; all workflows if omitted.' }),
  waiting_on: z.enum(PARTIES).optional().meta({ description: 'Lists the orders that wait for this party.' }),
  overdue: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'true lists the orders whose decision is overdue, false all others.' }),
  air_from: IsoDate.optional().meta({ description: 'Lists the orders whose first air date is this date or later.' }),
  air_to: IsoDate.optional().meta({ description: 'Lists the orders whose first air date is this date or earlier.' }),
  updated_since: IsoDateTime.optional().meta({
    description:
      'Lists the orders whose updated_at is this UTC time or later. To follow every change read the feed instead, which skips none and has no order twice.',
  }),
  q: z.string().min(1).max(200).optional().meta({
    description: 'Lists the orders whose order_id or external_order_id begins with this text.',
  }),
  ...listQuery({ usual: 50, max: ORDERS_PER_PAGE }),
})
export type OrderListQuery = z.output<typeof OrderListQuery>
const { limit } = listQuery({ usual: 100, max: 500 })
export const ReplayQuery = z.strictObject({ order: z.string(), after_seq: seq.default(0), limit })
export type ReplayQuery = z.output<typeof ReplayQuery>
export const AuditQuery = z.strictObject({ after_seq: seq.default(0) })
export type AuditQuery = z.output<typeof AuditQuery>
export const FeedQuery = z.strictObject({
  after: z.string().optional().meta({
    description:
      'The next_cursor of the previous page; the beginning of the feed if omitted. now returns the cursor of the end at once, without events.',
  }),
  events: list(EVENT_TYPES),
  statuses: list(ORDER_STATUSES),
  limit,
  wait_s: z
    .string()
    .regex(/^([0-9]|[12][0-9]|30)$/, 'must be a whole number of seconds from 0 to 30')
    .transform(Number)
    .default(0)
    .meta({
      description: 'The time to wait for an event if there is none, in seconds.',
      override: { type: 'integer', minimum: 0, maximum: 30, default: 0 },
    }),
})
export type FeedQuery = z.output<typeof FeedQuery>

const ifMatch = (description: string) => z.object({ 'If-Match': z.string().optional().meta({ description }) })

/** The request header of commands. */
export const IfMatch = ifMatch('The ETag of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE.')

/** The request header of a publish after its dry run. */
export const IfMatchBasis = ifMatch('The basis of the dry run. If what the publish replaces has changed since, the reply is 409 CONFLICT.')

/** The request header of a PUT that replaces a whole document. */
export const IfMatchDocument = ifMatch(
  'The ETag of what it replaces, as you read it. If that has changed since, the reply is 409 CONFLICT.',
)

/** The request headers of a PUT that may also create the document. */
export const IfMatchOrNew = IfMatchDocument.extend({
  'If-None-Match': z
    .literal('*')
    .optional()
    .meta({ description: '* creates only: where you have another document under this id, the reply is 409 CONFLICT.' }),
})
