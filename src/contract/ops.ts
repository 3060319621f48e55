import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { NextCursor, Stamp } from './scalars.ts'
import { DROP_STAGES, DROP_STATUSES } from './vocabulary/drops.ts'
import { EDI_DOCUMENTS, EDI_STATUSES } from './vocabulary/edi.ts'
import { APPROVALS, ORDER_STATUSES, PARTIES, SUBSTATUSES, WORKFLOWS } from './vocabulary.ts'

/** The reads of operators: how the platform handles tenants' requests, without documents, prices and secrets. */

const page = listQuery({ usual: 50, max: 200 })
export const Count = z.int().nonnegative()

/** The lists of GET /ops/orders. */
export const OPS_ORDER_STATES = ['open', 'stuck', 'overdue'] as const

/** GET /ops/orders. */
export const OpsOrderQuery = z.strictObject({
  state: z.enum(OPS_ORDER_STATES).default('open').meta({
    description:
      'open: every order that has not ended, the oldest first. stuck: those of them that do not get on, the oldest first. overdue: those whose decision is overdue, the longest overdue first.',
  }),
  reason: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Lists the stuck orders with this stuck_reason; for state=stuck alone.' }),
  order_id: z.string().max(200).optional().meta({ description: 'Lists this order alone, ended or not; state is ignored.' }),
  ...page,
})
export type OpsOrderQuery = z.output<typeof OpsOrderQuery>

/** An order as operators see it: its position and the party that it waits for, without its content. */
export const OpsOrder = z
  .object({
    order_id: z.string(),
    seller: z.string(),
    buyer_entity: z.string(),
    workflow: z.enum(WORKFLOWS),
    status: z.enum(ORDER_STATUSES),
    substatus: z.enum(SUBSTATUSES).nullable(),
    last_seq: z.int().positive(),
    created_at: Stamp,
    updated_at: Stamp,
    waits_on: z.enum(PARTIES).nullable().meta({ description: 'The party that the order waits for; null if it has ended.' }),
    parked_since: Stamp.nullable().meta({ description: 'The UTC time since which it waits for a person; null if it does not.' }),
    decide_by: Stamp.nullable().meta({ description: 'The UTC time until which the party should decide; null without such a time.' }),
    overdue: z.boolean().meta({ description: 'Whether the decision of the seller is overdue.' }),
    stuck_reason: z.string().nullable().meta({
      description:
        'The reason why it does not get on, as docs/operate/stuck-reasons.md lists them; no_progress: the platform should have moved it a minute ago. null if it is not stuck.',
    }),
    run_id: z.string().meta({ description: 'The id of its run in Temporal.' }),
  })
  .meta({ id: 'OpsOrder' })
export type OpsOrder = z.infer<typeof OpsOrder>

export const OpsOrderList = z.object({ items: z.array(OpsOrder), next_cursor: NextCursor }).meta({ id: 'OpsOrderList' })

/** The most events of an order that operators read, the last ones. */
export const OPS_EVENTS = 200

/** An event of an order as operators see it: when it moved and by which kind of decision. */
const OpsOrderEvent = z
  .object({
    seq: z.int().positive(),
    occurred_at: Stamp,
    status: z.enum(ORDER_STATUSES),
    substatus: z.enum(SUBSTATUSES).nullable(),
    gate: z.string().nullable().meta({ description: 'By what it was decided; null if nothing was.' }),
    decision: z.string().nullable(),
    error_code: z.string().nullable().meta({ description: 'Why it failed; null if it did not.' }),
  })
  .meta({ id: 'OpsOrderEvent' })
export type OpsOrderEvent = z.infer<typeof OpsOrderEvent>

/** GET /ops/orders/{order_id} */
export const OpsOrderRead = OpsOrder.extend({
  events: z.array(OpsOrderEvent).meta({ description: `Its last ${OPS_EVENTS} events, in their order.` }),
}).meta({ id: 'OpsOrderRead' })
export type OpsOrderRead = z.infer<typeof OpsOrderRead>

/** POST /ops/orders/{order_id}/wake. */
export const WokenOrder = z
  .object({
    order_id: z.string(),
    status: z.enum(ORDER_STATUSES),
    queued: z.boolean().meta({ description: 'Whether this call has asked for the look; false if one was waiting already.' }),
  })
  .meta({ id: 'WokenOrder' })
export type WokenOrder = z.infer<typeof WokenOrder>

/** The lists of GET /ops/deliveries. */
export const OPS_DELIVERY_STATES = ['waiting', 'failing'] as const

export const OpsDeliveryQuery = z.strictObject({
  state: z.enum(OPS_DELIVERY_STATES).optional().meta({
    description:
      'waiting: endpoints with deliveries that wait. failing: endpoints whose attempts fail, or that are disabled. Both if omitted.',
  }),
  ...page,
})
export type OpsDeliveryQuery = z.output<typeof OpsDeliveryQuery>

/** The most deliveries to count per endpoint, of those that wait and of the last ones. */
export const COUNTED_DELIVERIES = 1_000

export const OpsEndpoint = z
  .object({
    endpoint_id: z.string(),
    tenant: z.string().meta({ description: 'The tenant whose endpoint it is.' }),
    host: z.string().nullable().meta({ description: 'The host of its URL; the rest of it may be a secret and is left out.' }),
    status: z.enum(['active', 'disabled']),
    disabled_reason: z.string().nullable().meta({ description: 'The reason why it is disabled; null if it is active.' }),
    failing_since: Stamp.nullable().meta({
      description: 'The UTC time since which every attempt has failed; null if the last one did not.',
    }),
    waiting: Count.meta({ description: `The number of deliveries that wait, at most ${COUNTED_DELIVERIES}.` }),
    dropped: Count.meta({
      description: `How many of its last ${COUNTED_DELIVERIES} deliveries were dropped; its tenant can have them sent again.`,
    }),
    oldest_waiting_at: Stamp.nullable().meta({ description: 'The UTC time at which the oldest of them was created; null if none waits.' }),
    next_attempt_at: Stamp.nullable().meta({ description: 'The UTC time at which the oldest of them is due; null if none waits.' }),
  })
  .meta({ id: 'OpsEndpoint' })
export type OpsEndpoint = z.infer<typeof OpsEndpoint>

export const OpsEndpointList = z.object({ items: z.array(OpsEndpoint), next_cursor: NextCursor }).meta({ id: 'OpsEndpointList' })

/** The lists of GET /ops/drops. */
export const OPS_DROP_STATES = ['processing', 'faulty'] as const

export const OpsDropQuery = z.strictObject({
  state: z.enum(OPS_DROP_STATES).optional().meta({
    description:
      'processing: drops in progress, the oldest first. faulty: drops that ended with refused rows or files, the newest first. All, the newest first, if omitted.',
  }),
  ...page,
})
export type OpsDropQuery = z.output<typeof OpsDropQuery>

export const OpsDrop = z
  .object({
    seller: z.string(),
    drop_id: z.string(),
    run_no: z.int().positive().meta({ description: 'Which registration of the drop_id it is, from 1.' }),
    status: z.enum(DROP_STATUSES),
    stage: z.enum(DROP_STAGES),
    rows_written: Count,
    rows_rejected: Count,
    error_count: Count.meta({ description: 'The number of refused rows and files.' }),
    stuck_reason: z.string().nullable().meta({ description: 'The reason why it does not get on; null if it does.' }),
    registered_at: Stamp,
    ended_at: Stamp.nullable(),
    run_id: z.string().meta({ description: 'The id of its run in Temporal.' }),
  })
  .meta({ id: 'OpsDrop' })
export type OpsDrop = z.infer<typeof OpsDrop>

export const OpsDropList = z.object({ items: z.array(OpsDrop), next_cursor: NextCursor }).meta({ id: 'OpsDropList' })

/** The lists of GET /ops/mails. */
export const OPS_MAIL_STATES = ['waiting', 'failed'] as const

export const OpsMailQuery = z.strictObject({
  state: z.enum(OPS_MAIL_STATES).default('waiting').meta({
    description: 'waiting: mails that are not sent yet, the oldest first. failed: mails that failed or came back, the newest first.',
  }),
  ...page,
})
export type OpsMailQuery = z.output<typeof OpsMailQuery>

/** An order mail as operators see it: without its address and its document. */
export const OpsMail = z
  .object({
    message_id: z.string(),
    order_id: z.string(),
    seller: z.string(),
    buyer_entity: z.string(),
    document: z.enum(EDI_DOCUMENTS),
    status: z.enum(EDI_STATUSES),
    reason: z.string().nullable().meta({
      description:
        'The reason why it failed, or why its last attempt did, as docs/operate/symptoms/order-mail-waits.md and docs/operate/stuck-reasons.md list them; null if it has not been tried.',
    }),
    attempts: Count.meta({ description: 'The number of attempts.' }),
    created_at: Stamp.meta({ description: 'The UTC time of the event that the mail reports.' }),
    next_attempt_at: Stamp.nullable().meta({ description: 'The UTC time of the next attempt; null if there will be none.' }),
    run_id: z.string().meta({ description: 'The id of the run in Temporal that sends the mails of its agreement.' }),
  })
  .meta({ id: 'OpsMail' })
export type OpsMail = z.infer<typeof OpsMail>

export const OpsMailList = z.object({ items: z.array(OpsMail), next_cursor: NextCursor }).meta({ id: 'OpsMailList' })

export const OpsConnectionQuery = z.strictObject(page)
export type OpsConnectionQuery = z.output<typeof OpsConnectionQuery>

/** The most orders of a seller that its connection counts. */
export const COUNTED_ASKS = 200

/** A seller's own API, and the results of asking it about waiting orders. */
export const OpsConnection = z
  .object({
    seller: z.string(),
    host: z.string().meta({ description: 'The host of its base URL.' }),
    approval: z.enum(APPROVALS),
    realtime_availability: z.boolean(),
    holds: z.boolean().meta({ description: 'Whether it keeps holds.' }),
    state: z.enum(['idle', 'answering', 'failing']).meta({
      description:
        'idle: no order waits for it. answering: the last ask for each that waits got an answer. failing: one of them is stuck, or its last ask got no answer.',
    }),
    waiting: Count.meta({ description: `The number of orders that wait for its decision, at most ${COUNTED_ASKS}.` }),
    stuck: z
      .array(z.object({ reason: z.string(), orders: Count.meta({ description: 'The number of orders.' }) }))
      .meta({ description: 'Those of them that are stuck, by reason.' }),
    most_unanswered: Count.meta({ description: 'The most asks in a row for one of them that got no answer.' }),
    last_asked_at: Stamp.nullable().meta({ description: 'The UTC time at which it was last asked for one of them; null if it was not.' }),
  })
  .meta({ id: 'OpsConnection' })
export type OpsConnection = z.infer<typeof OpsConnection>

export const OpsConnectionList = z.object({ items: z.array(OpsConnection), next_cursor: NextCursor }).meta({ id: 'OpsConnectionList' })
