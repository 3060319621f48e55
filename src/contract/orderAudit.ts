import { z } from 'zod'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

/** A page of an order's record as hashed, for independent verification (docs/buy/verifying-an-order.md). */
export const OrderAudit = z
  .object({
    algorithm: z.literal('order-audit-1').meta({ description: 'The algorithm of the hashes.' }),
    order_id: z.string(),
    last_seq: z.int().meta({ description: 'The seq of the newest event.' }),
    head_hash: Hash.meta({ description: 'The hash of the newest event. It covers the whole record up to that event.' }),
    record: z
      .object({
        hash: Hash.meta({ description: 'The prev_hash of the first event.' }),
        sent_sha256: Hash.meta({ description: 'SHA-256 of the bytes of the create request.' }),
        request: z.string().meta({ description: 'The create request as stored: JSON text.' }),
        request_sha256: Hash,
        facts: z.string().meta({ description: "The platform's create-time facts: JSON text." }),
        facts_sha256: Hash,
        reply: z.string().optional().meta({ description: "The create's reply, shown to the buyer." }),
        reply_sha256: Hash,
        notify_endpoint: z
          .string()
          .optional()
          .meta({ description: 'The endpoint that notify_url named, shown to the buyer; empty if none.' }),
        notify_endpoint_sha256: Hash,
      })
      .optional()
      .meta({ description: 'The record before the first event, on the first page only.' }),
    events: z.array(
      z.object({
        seq: z.int(),
        prev_hash: Hash,
        hash: Hash,
        body: z.string().meta({ description: 'The event as hashed: JSON text.' }),
      }),
    ),
    next_after_seq: z.int().nullable().meta({ description: 'The after_seq of the next page; null on the last page.' }),
  })
  .meta({ id: 'OrderAudit' })
export type OrderAudit = z.infer<typeof OrderAudit>
