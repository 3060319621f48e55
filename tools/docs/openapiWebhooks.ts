import type { z } from 'zod'
import type { ZodOpenApiPathItemObject } from 'zod-openapi'
import { OrderEvent } from '../../src/contract/event.ts'
import { NoticeEvent } from '../../src/contract/noticeEvent.ts'
import { type EventType, WEBHOOK_TEST } from '../../src/contract/vocabulary.ts'
import { WebhookHeaders, WebhookTest } from '../../src/contract/webhook.ts'
import { eventExamples } from './openapiExamples.ts'

/** Describes the posts to registered endpoints: the six event types, and the ping. */
export function webhookOperations(): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(SCHEMAS.map(([type, schema]) => [type, operation(type, schema)]))
}

export const WEBHOOK_TAG = { name: 'Deliveries', description: 'Requests that the platform posts to webhook endpoints.' }

const SCHEMAS: readonly (readonly [EventType | typeof WEBHOOK_TEST, z.ZodType])[] = [
  ['order.status_changed', OrderEvent],
  ...NoticeEvent.options.map((schema) => [schema.shape.event_type.value, schema] as const),
  [WEBHOOK_TEST, WebhookTest],
]

const ABOUT: Readonly<Record<EventType | typeof WEBHOOK_TEST, readonly [summary: string, description: string]>> = {
  'order.status_changed': [
    'An order changed status',
    'Posted to the buyer and the seller of an order on every transition. Route on status and prior_status, and deduplicate on order_id and seq.',
  ],
  'catalog.rate_card_published': [
    'A seller published a rate card',
    'Posted to buyers that may see prices of the commit. It carries no prices: read the avails. Orders already placed keep theirs.',
  ],
  'catalog.window_opened': [
    'A window for orders opened',
    'Posted to buyers when a price with a window can be ordered. Read the avails again right before ordering: the window may have closed.',
  ],
  'catalog.avails_answered': [
    'A seller answered an avails request',
    'Posted once to the buyer that asked and to the seller. It carries no counts: read the avails, or the plan that order_id and plan_id name.',
  ],
  'catalog.integrity_failed': [
    'A publish was refused as a whole',
    'Posted to the seller alone, with the report of the conflict. Nothing of the publish was stored.',
  ],
  'settlement.invoice_issued': ['An invoice was issued', 'Posted to the buyer and the seller of a cleared order.'],
  [WEBHOOK_TEST]: ['A test event', 'Posted when the owner of an endpoint asks for it. It is in no log and on no feed.'],
}

function operation(type: EventType | typeof WEBHOOK_TEST, schema: z.ZodType): ZodOpenApiPathItemObject {
  const [summary, description] = ABOUT[type]
  const examples = eventExamples(type)
  return {
    post: {
      operationId: `webhook_${type.replaceAll('.', '_')}`,
      tags: [WEBHOOK_TAG.name],
      summary,
      description: `${description} The request is signed, and sent at least once: see docs/buy/receiving-webhooks.md.`,
      requestParams: { header: WebhookHeaders },
      requestBody: { required: true, content: { 'application/json': { schema, ...(examples && { examples }) } } },
      responses: {
        '2XX': { description: 'Received. The body of the reply is not read.' },
        '410': { description: 'Not wanted any more: the platform disables the endpoint.' },
      },
    },
  }
}
