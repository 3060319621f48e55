import { z } from 'zod'
import { ReadLine } from './documentParse.ts'
import { LineResult } from './lineItem.ts'
import { NoticeEvent } from './noticeEvent.ts'
import { Artifact, Cancellation, DecisionLatency } from './order.ts'
import { IsoDate, Stamp } from './scalars.ts'
import { BAND_REASONS, BAND_VERDICTS, DECISIONS, GATES, ORDER_STATUSES, QUOTE_ENDS, SUBSTATUSES } from './vocabulary.ts'

/**
 * {gate, actor, decision, reason?} on the event of a decide, a confirm or a buyer's accept, visible to both sides (contract, Lifecycle envelope). A counter keeps
 * its seller_order_id for the receipt.
 */
export const DecisionRecord = z
  .object({
    gate: z.enum(GATES),
    actor: z.string(),
    decision: z.enum([...DECISIONS, 'confirm', 'accept']),
    reason: z.string().optional(),
    seller_order_id: z.string().optional(),
    acknowledged: z.array(z.string()).optional(),
    answers: z
      .array(z.object({ question_id: z.string(), choice: z.string() }))
      .optional()
      .meta({ description: "The buyer's answers to the questions about its document." }),
    omitted: z
      .array(z.object({ line: z.int().positive(), read: ReadLine, note: z.string().optional() }))
      .optional()
      .meta({ description: "The lines of the buyer's document that it left out." }),
  })
  .meta({ id: 'DecisionRecord' })
export type DecisionRecord = z.infer<typeof DecisionRecord>

/** The facts that the platform fixed for a line added after create: the dates of its period, and the impressions of a unit. */
export const LineBooking = z
  .object({
    unit_id: z.string(),
    booked_dates: z.array(IsoDate),
    impressions_per_unit: z.number().optional(),
    timezone: z.string().optional().meta({ description: 'The time zone of the product, whose dates the booked dates are; UTC if absent.' }),
  })
  .meta({ id: 'LineBooking' })
export type LineBooking = z.infer<typeof LineBooking>

/** A line whose price changed between citation and validation (choices, Stale). */
export const RateDrift = z
  .object({ unit_id: z.string(), locked_rate_id: z.string(), cited: z.number(), current: z.number() })
  .meta({ id: 'RateDrift' })
export type RateDrift = z.infer<typeof RateDrift>

/** A line that cites a quote which ended before validation (choices, End of a quote). */
const CitedEnded = z.object({ unit_id: z.string(), locked_rate_id: z.string(), reason: z.enum(QUOTE_ENDS) }).meta({ id: 'CitedEnded' })

/** The lifecycle envelope (contract, Lifecycle envelope), identical for both sides, in the log, on the feed and in webhooks. */
export const OrderEvent = z
  .object({
    event_type: z.literal('order.status_changed'),
    event_id: z.string().optional().meta({
      description: 'order_id:seq, the webhook-id of its deliveries. Events of releases before November 2026 do not have it.',
    }),
    order_id: z.string(),
    external_order_id: z.string(),
    seq: z.int().positive(),
    status: z.enum(ORDER_STATUSES),
    prior_status: z.enum(ORDER_STATUSES).nullable(),
    substatus: z.enum(SUBSTATUSES).nullable(),
    units: z.array(LineResult).optional(),
    artifact: Artifact.optional(),
    error: z
      .object({
        error_code: z.enum(['STALE_RATE_CARD', 'INVENTORY_UNAVAILABLE', 'INVALID_INPUT']),
        error_message: z.string(),
        stage: z.string(),
        recoverable: z.boolean(),
        details: z.looseObject({ rate_drift: z.array(RateDrift).optional(), ended_quotes: z.array(CitedEnded).optional() }),
      })
      .optional(),
    decision_record: DecisionRecord.optional(),
    decision_latency: DecisionLatency.optional(),
    cancellation: Cancellation.optional(),
    upload_ids: z.array(z.string()).optional(),
    acceptance_band: z.enum(BAND_VERDICTS).optional(),
    acceptance_band_reason: z.enum(BAND_REASONS).optional(),
    computed_gross: z.number().optional(),
    line_bookings: z.array(LineBooking).optional(),
    occurred_at: Stamp,
  })
  .meta({ id: 'OrderEvent' })
export type OrderEvent = z.infer<typeof OrderEvent>

export const EventReplay = z.object({ events: z.array(OrderEvent), last_seq: z.int() }).meta({ id: 'EventReplay' })
export type EventReplay = z.infer<typeof EventReplay>

/** A page of events of all six types, distinguished by `event_type` (contract, Lifecycle envelope). */
export const EventFeed = z
  .object({ events: z.array(z.discriminatedUnion('event_type', [OrderEvent, NoticeEvent])), next_cursor: z.string() })
  .meta({ id: 'EventFeed' })
export type EventFeed = z.infer<typeof EventFeed>
