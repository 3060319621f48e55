import { z } from 'zod'
import { DateRange, IsoWeek, Period, Stamp } from './scalars.ts'
import { ERRORS, type ErrorCode, type EventType, MARKET_CLASSES } from './vocabulary.ts'

/** An event that is not of one order's life (choices, Event types): the same envelope for all five, with its own data. */
function notice<Type extends EventType, Data extends z.ZodType>(event_type: Type, id: string, data: Data) {
  return z.object({ event_type: z.literal(event_type), event_id: z.string(), seller: z.string(), occurred_at: Stamp, data }).meta({ id })
}

/** A rate card commit: with an agreement_id it is scoped to that agreement. Products are those that this tenant may see. */
const RateCardPublished = notice(
  'catalog.rate_card_published',
  'RateCardPublished',
  z.object({ commit: z.string(), effective: DateRange, agreement_id: z.string().optional(), product_ids: z.array(z.string()) }),
)

/** Remnant and discounted windows (spec, Events 8): re-check the avails read right before ordering. */
const WindowOpened = notice(
  'catalog.window_opened',
  'WindowOpened',
  z.object({
    product_id: z.string(),
    week: IsoWeek,
    market_class: z.enum(MARKET_CLASSES),
    locked_rate_ids: z.array(z.string()),
    opens: Stamp,
    closes: Stamp,
  }),
)

/** `order_id` and `plan_id` name the plan where a plan is the answer. */
const AvailsAnswered = notice(
  'catalog.avails_answered',
  'AvailsAnswered',
  z.object({
    request_id: z.string(),
    product_id: z.string(),
    periods: z.array(Period),
    order_id: z.string().optional(),
    plan_id: z.string().optional(),
  }),
)

/** A publish that was refused whole, with the conflict report (spec, One write model, 2). To the seller alone. */
const IntegrityFailed = notice(
  'catalog.integrity_failed',
  'IntegrityFailed',
  z.object({ error_code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]), details: z.looseObject({}) }),
)

/** An invoice on a cleared trade, to both sides; GET /settlement/invoices has the whole of it. */
const InvoiceIssued = notice(
  'settlement.invoice_issued',
  'InvoiceIssued',
  z.looseObject({ invoice_id: z.string(), order_id: z.string(), external_order_id: z.string().optional() }),
)

export const NoticeEvent = z.discriminatedUnion('event_type', [
  RateCardPublished,
  WindowOpened,
  AvailsAnswered,
  IntegrityFailed,
  InvoiceIssued,
])
export type NoticeEvent = z.infer<typeof NoticeEvent>
