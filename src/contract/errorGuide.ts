import type { ErrorCode } from './vocabulary/codes.ts'

/** The documentation of an error code: when it occurs, an example reply, and what to do. */
export interface ErrorGuide {
  readonly when: string
  readonly remedy: string
  /** A message that the service sends; a test finds it in the source. */
  readonly example: { readonly error_message: string; readonly details?: Readonly<Record<string, unknown>> }
}

/** Documentation of every error code (contract, Statuses; Special codes), for docs/contract/error-codes.md and the examples of the OpenAPI document. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorGuide>> = {
  MALFORMED_REQUEST: {
    when: 'The request is not valid HTTP, JSON or UTF-8, or an object in its body repeats a key.',
    remedy: 'Correct the request. The same bytes fail again.',
    example: { error_message: 'The body is empty; send a JSON object.' },
  },
  UNAUTHENTICATED: {
    when: 'The bearer token is missing, mistyped, unknown, expired or revoked.',
    remedy: 'Send a valid token as Authorization: Bearer.',
    example: { error_message: 'The token is not valid: it is unknown or was revoked.' },
  },
  TENANT_MISMATCH: {
    when: 'The body names a tenant other than the tenant of the credential. Nothing was created.',
    remedy: 'Leave buyer_entity out, or use a credential of that buyer.',
    example: { error_message: 'buyer_entity names another tenant than the credential.', details: { field: 'buyer_entity' } },
  },
  FORBIDDEN: {
    when: 'The credential belongs to the other side or lacks the scope; or the seller has suspended this buyer or does not list it.',
    remedy: 'Use a credential with the scope that details name, or ask the seller for access.',
    example: { error_message: 'The credential lacks the scope orders:write.', details: { required_scope: 'orders:write' } },
  },
  NOT_FOUND: {
    when: 'The caller has nothing with this id. The id of another tenant gets the same answer as an unknown id.',
    remedy: 'Correct the id.',
    example: { error_message: 'There is no such order.' },
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path exists, but not with this method. The Allow header lists the methods that it has.',
    remedy: 'Use a method from the Allow header.',
    example: { error_message: 'PATCH is not served here; GET is.' },
  },
  CONFLICT: {
    when: 'The key or plan was already used with other bytes, the commit has published other prices, the upload already has its content, what If-Match names has been replaced since, or there is already what If-None-Match says there is not.',
    remedy: 'Resend the same bytes to replay the first answer, choose a new key, or read again what you replace.',
    example: {
      error_message: 'PO-1001 was used for another order: resend the very bytes to replay it, or take a new id.',
      details: { field: 'external_order_id', order_id: 'ord_01jz4w6s7x8y9' },
    },
  },
  INVALID_STATE: {
    when: 'The state of the order, hold, invoice, variance, endpoint or mail does not allow this action, or the order is not at the last_seq that the request expects.',
    remedy: 'Read it again, and send the command that fits its state now.',
    example: { error_message: 'The order is placed: confirm proposal is not possible.', details: { status: 'placed', last_seq: 4 } },
  },
  STALE_RATE_CARD: {
    when: 'A quote or plan that the command relies on has expired. Also on a failed event, with rate_drift, when a cited price is no longer current.',
    remedy: 'Read the avails again and order at the current price, or ask the seller for a new counter or plan.',
    example: {
      error_message: 'The quote lapsed at 2030-06-03T12:00:00.000Z. Ask the seller for a new counter.',
      details: {
        locked_rate_id: 'lr_01jz4w6s7x8y9',
        locked_rate_ids: ['lr_01jz4w6s7x8y9'],
        quote_expires_at: '2030-06-03T12:00:00.000Z',
      },
    },
  },
  GRAIN_CONFLICT: {
    when: 'A product that is sold by the month has weeks of one month at different prices. The whole publish is refused.',
    remedy: 'Price the weeks of the month alike, or remove month from the grains of the product.',
    example: {
      error_message: 'prime is sold by the month, and the weeks of 2030-06 are priced differently.',
      details: { product_id: 'prime', month: '2030-06' },
    },
  },
  INVENTORY_UNAVAILABLE: {
    when: 'The seller has published the inventory as unavailable, or its own API refuses it. Also on a failed event.',
    remedy: 'Choose another period or product.',
    example: { error_message: 'summit does not hold this now.' },
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body has more bytes or values than the operation takes.',
    remedy: 'Split it into several requests.',
    example: { error_message: 'The body is larger than the 1048576 bytes that this endpoint takes.' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is compressed, or is not application/json in UTF-8.',
    remedy: 'Send uncompressed JSON in UTF-8 with Content-Type: application/json.',
    example: { error_message: 'Send the body as application/json in UTF-8.' },
  },
  INVALID_INPUT: {
    when: 'A member or parameter is missing or wrong. details.errors lists every fault with its JSON pointer.',
    remedy: 'Correct what details name.',
    example: {
      error_message: 'buyer_metadata.advertiser_id is required',
      details: { field: 'buyer_metadata.advertiser_id', missing: ['buyer_metadata.advertiser_id'] },
    },
  },
  GRAIN_NOT_OFFERED: {
    when: 'The product is not sold by this grain, or the agreements of the buyer do not permit it.',
    remedy: 'Use a grain that the catalog lists. details.permitted_grains is present when an agreement excluded the grain.',
    example: { error_message: 'prime is not sold by day; it is sold by week, month.', details: { field: 'line_items.0.period.grain' } },
  },
  UNKNOWN_CREATIVE: {
    when: 'A creative_id of a line or split is not registered for the buyer.',
    remedy: 'Register the creative first.',
    example: { error_message: 'crv_1 is not a creative of this buyer.', details: { field: 'line_items.0.creative_id' } },
  },
  REFERENCE_ARCHIVED: {
    when: 'A creative that a line or split names is archived.',
    remedy: 'Name an active creative.',
    example: { error_message: 'crv_1 is archived.', details: { field: 'line_items.0.creative_id' } },
  },
  CREATIVE_LENGTH_MISMATCH: {
    when: 'The length of a creative differs from the spot_length of its line.',
    remedy: 'Name a creative of that length, or order the spot length of the creative.',
    example: {
      error_message: 'crv_1 is 15 seconds long; the line books 30.',
      details: { field: 'line_items.0.creative_id', length_seconds: 15, spot_length: 30 },
    },
  },
  CREDIT_LIMIT: {
    when: 'The order would exceed the credit limit of its cleared agreement.',
    remedy: 'Order less, or pay what is open.',
    example: {
      error_message: 'The order is worth 12000; 9500 of the credit of 50000 under agr-1 is available.',
      details: { agreement_id: 'agr-1', credit_limit: 50_000, exposure: 40_500, available: 9_500, gross: 12_000, adds: 12_000 },
    },
  },
  DUPLICATE_EXTERNAL_REF: {
    when: 'Two products, or two agreements, of one seller would have the same external_ref. The whole request is refused.',
    remedy: 'Give each its own external_ref.',
    example: {
      error_message: 'prime and late share the external_ref X-1, which must be unique in a catalog.',
      details: { external_ref: 'X-1', product_ids: ['prime', 'late'] },
    },
  },
  DUPLICATE_DISCLOSURE_OVERRIDE: {
    when: 'disclosure_overrides lists one product_id twice.',
    remedy: 'List each product_id once.',
    example: {
      error_message: 'prime is listed twice in disclosure_overrides.',
      details: { field: 'disclosure_overrides.1.product_id', product_id: 'prime' },
    },
  },
  RATE_LIMITED: {
    when: 'The credential or tenant has exceeded a limit of requests, bytes or work in flight. details.limit names it; details.most is how many there may be, in each window_s seconds or at once.',
    remedy: 'Wait for Retry-After seconds, then send the request again.',
    example: {
      error_message: 'Too many requests with this credential: there may be 50 a second, 100 in a burst; try again in 1 s.',
      details: { limit: 'requests', most: 50, window_s: 1, burst: 100, retry_after: 1 },
    },
  },
  INTERNAL: {
    when: 'The platform failed. The request may or may not have been carried out.',
    remedy: 'Send creates and commands again with the same bytes: a repeat is done once. Quote X-Request-Id to support.',
    example: { error_message: 'Something went wrong on our side; the request id names it.' },
  },
  UNAVAILABLE: {
    when: 'The platform cannot answer now.',
    remedy: 'Wait for Retry-After seconds, then send the same request again.',
    example: { error_message: 'The service cannot reach its database right now; try again.' },
  },
}
