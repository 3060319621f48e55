import { z } from 'zod'
import { DateRange, IsoWeek, Period, Stamp } from './scalars.ts'
import { ERRORS, type ErrorCode } from './vocabulary/codes.ts'
import { type EventType, MARKET_CLASSES } from './vocabulary.ts'

/** Defines an event outside of an order's lifecycle (choices, Event types): all five share an envelope and have their own data. */
function notice<Type extends EventType, Data extends z.ZodType>(event_type: Type, id: string, data: Data) {
  return z.object({ event_type: z.literal(event_type), event_id: z.string(), seller: z.string(), occurred_at: Stamp, data }).meta({ id })
}

/** A rate card commit, scoped to an agreement if agreement_id is present. Lists the products that the tenant may see. */
const RateCardPublished = notice(
  'catalog.rate_card_published',
  'RateCardPublished',
  z.object({ commit: z.string(), effective: DateRange, agreement_id: z.string().optional(), product_ids: z.array(z.string()) }),
)

/** The opening of a remnant or discounted window (contract, Windows). Buyers read the avails again right before ordering. */
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

/** `order_id` and `plan_id` are present if a plan is the answer. */
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

/** A publish that was refused as a whole, with the conflict report (contract, One write model: integrity). Sent only to the seller. */
const IntegrityFailed = notice(
  'catalog.integrity_failed',
  'IntegrityFailed',
  z.object({ error_code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]), details: z.looseObject({}) }),
)

/** An invoice on a cleared trade, sent to both sides; GET /settlement/invoices has its details. */
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
