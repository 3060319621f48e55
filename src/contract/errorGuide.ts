import type { ErrorCode } from './vocabulary.ts'

/** What an integrator must know of an error code: when it comes, what a reply looks like, and what to do. */
export interface ErrorGuide {
  readonly when: string
  readonly remedy: string
  readonly example: { readonly error_message: string; readonly details?: Readonly<Record<string, unknown>> }
}

/** Every error code (spec, Errors). The OpenAPI document shows an example of each where it may come. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorGuide>> = {
  MALFORMED_REQUEST: {
    when: 'The request is not valid HTTP, JSON or UTF-8, or a key occurs twice in an object.',
    remedy: 'Correct the request; sending it again as it is will fail again.',
    example: { error_message: 'The body is not valid JSON.' },
  },
  UNAUTHENTICATED: {
    when: 'The bearer token is missing, mistyped, unknown, expired or revoked.',
    remedy: 'Send a living token as Authorization: Bearer.',
    example: { error_message: 'The token is not valid: it is unknown or was revoked.' },
  },
  TENANT_MISMATCH: {
    when: 'The body names another tenant than the credential speaks for; nothing was created.',
    remedy: 'Leave buyer_entity out, or use the credential of that buyer.',
    example: { error_message: 'buyer_entity names another tenant than the credential.', details: { field: 'buyer_entity' } },
  },
  FORBIDDEN: {
    when: 'The credential is of the other side or lacks the scope; or the seller has suspended this buyer or does not list it.',
    remedy: 'Use a credential with the scope that details name, or ask the seller for access.',
    example: { error_message: 'The credential lacks the scope orders:write.', details: { required_scope: 'orders:write' } },
  },
  NOT_FOUND: {
    when: 'Nothing of this id is in the scope of the caller. An id of another tenant is answered alike.',
    remedy: 'Correct the id.',
    example: { error_message: 'There is no such order.' },
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path is served, but not by this method; the header Allow names those that are.',
    remedy: 'Use a method that Allow names.',
    example: { error_message: 'PATCH is not served here; GET is.' },
  },
  CONFLICT: {
    when: 'The key, the plan or the commit was used for something else, or the upload has its content already.',
    remedy: 'Resend the very same bytes to replay the first answer, or take a new key.',
    example: {
      error_message: 'PO-1001 was used for another order: resend the very bytes to replay it, or take a new id.',
      details: { field: 'external_order_id', order_id: 'ord_01jz4w6s7x8y9' },
    },
  },
  INVALID_STATE: {
    when: 'The order, hold or endpoint is not in a state that takes this action, or not at the last_seq that the request expects.',
    remedy: 'Read it again, decide by what it says now, and send the command that fits.',
    example: { error_message: 'A placed order cannot be confirmed.', details: { status: 'placed', last_seq: 4 } },
  },
  STALE_RATE_CARD: {
    when: 'A quote or plan that the command relies on has expired. Also in a failed event, with rate_drift, when a cited price is no longer current.',
    remedy: 'Read the avails again and order at the current price, or ask the seller for a new counter or plan.',
    example: { error_message: 'The quote lr_01jz4w6s7x8y9 has lapsed.', details: { locked_rate_id: 'lr_01jz4w6s7x8y9' } },
  },
  GRAIN_CONFLICT: {
    when: 'A product that sells by month would have weeks of one month at different prices; the whole publish is refused.',
    remedy: 'Price the weeks of the month alike, or take month out of the grains of the product.',
    example: { error_message: 'prime has weeks of 2030-06 at different prices.', details: { product_id: 'prime' } },
  },
  INVENTORY_UNAVAILABLE: {
    when: 'The seller has published the inventory as unavailable, or its own API refuses it. Also in a failed event.',
    remedy: 'Choose another period or product.',
    example: { error_message: 'The seller has nothing left of this.' },
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body has more bytes or values than the endpoint takes.',
    remedy: 'Send less, in several requests.',
    example: { error_message: 'The body is larger than this endpoint takes.' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not application/json in UTF-8, or is compressed.',
    remedy: 'Send JSON in UTF-8 with Content-Type: application/json.',
    example: { error_message: 'Send the body as application/json in UTF-8.' },
  },
  INVALID_INPUT: {
    when: 'A member or parameter is missing or wrong. details.errors lists every fault with its JSON pointer.',
    remedy: 'Correct what details name.',
    example: {
      error_message: 'buyer_metadata.advertiser_id is required',
      details: {
        field: 'buyer_metadata.advertiser_id',
        missing: ['buyer_metadata.advertiser_id'],
        errors: [
          {
            pointer: '/buyer_metadata/advertiser_id',
            error_code: 'INVALID_INPUT',
            field: 'buyer_metadata.advertiser_id',
            message: 'buyer_metadata.advertiser_id is required',
          },
        ],
      },
    },
  },
  GRAIN_NOT_OFFERED: {
    when: 'The product does not sell by this grain, or the agreements of the buyer do not permit it.',
    remedy: 'Use a grain that the catalog read names; details.permitted_grains is there when an agreement excluded it.',
    example: { error_message: 'prime does not sell by day.', details: { field: 'line_items.0.period.grain' } },
  },
  UNKNOWN_CREATIVE: {
    when: 'A creative_id of a line or split is not in the registry of the buyer.',
    remedy: 'Register the creative first.',
    example: { error_message: 'There is no creative crv_1 in your registry.', details: { field: 'line_items.0.creative_id' } },
  },
  REFERENCE_ARCHIVED: {
    when: 'A creative that a line or split names is archived.',
    remedy: 'Name an active creative.',
    example: { error_message: 'The creative crv_1 is archived.', details: { field: 'line_items.0.creative_id' } },
  },
  CREATIVE_LENGTH_MISMATCH: {
    when: 'The length of a creative differs from the spot_length of its line.',
    remedy: 'Name a creative of that length, or order that spot length.',
    example: { error_message: 'The creative crv_1 has 15 s, the line 30 s.', details: { field: 'line_items.0.creative_id' } },
  },
  CREDIT_LIMIT: {
    when: 'The order would pass the credit limit of its cleared agreement.',
    remedy: 'Order less, or pay what is open.',
    example: { error_message: 'The order passes the credit limit of agr-1.', details: { agreement_id: 'agr-1' } },
  },
  DUPLICATE_EXTERNAL_REF: {
    when: 'Two products, or two agreements, of one seller would have the same external_ref; the whole request is refused.',
    remedy: 'Give each its own external_ref.',
    example: {
      error_message: 'prime and late have the same external_ref.',
      details: { external_ref: 'X-1', product_ids: ['prime', 'late'] },
    },
  },
  DUPLICATE_DISCLOSURE_OVERRIDE: {
    when: 'One product_id is listed twice in disclosure_overrides.',
    remedy: 'List each product_id once.',
    example: { error_message: 'prime is listed twice.', details: { field: 'disclosure_overrides.1.product_id' } },
  },
  RATE_LIMITED: {
    when: 'The credential or tenant has passed a limit of requests, bytes or work in flight. Retry-After says when there is room again.',
    remedy: 'Wait for Retry-After seconds, then send the request again.',
    example: { error_message: 'Too many requests with this credential: try again in 1 s.', details: { retry_after: 1 } },
  },
  INTERNAL: {
    when: 'The platform has failed; the request may or may not have been carried out.',
    remedy: 'Send creates and commands again with the same bytes: a repeat is done once. Quote X-Request-Id to support.',
    example: { error_message: 'Something failed here; it has been logged.' },
  },
  UNAVAILABLE: {
    when: 'The platform cannot answer now. Retry-After says when to try again.',
    remedy: 'Wait for Retry-After seconds, then send the same request again.',
    example: { error_message: 'The service cannot answer at the moment; try again.' },
  },
}
