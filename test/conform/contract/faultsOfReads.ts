import { changed, ignoring, isOf, jsonReply, refusal } from './alterations.ts'
import type { Fault } from './faults.ts'

export const FAULTS_OF_READS: readonly Fault[] = [
  {
    what: 'An order is visible to another buyer.',
    caughtBy: 'contract.tenants',
    make: ({ acme }) => ({
      request: (call) => {
        if (isOf('GET /orders/{}', call) && call.token !== 'omp_test_nobody') call.token = acme
      },
    }),
  },
  {
    what: 'An order is visible to another seller.',
    caughtBy: 'contract.tenants',
    make: ({ cable }) => ({
      request: (call) => {
        if (isOf('GET /me/orders/{}', call)) call.token = cable
      },
    }),
  },
  {
    what: 'An order of somebody else is 403 instead of 404.',
    caughtBy: 'contract.tenants',
    make: refusal('NOT_FOUND', (reply) => {
      reply.status = 403
      reply.body.error_code = 'FORBIDDEN'
    }),
  },
  {
    what: 'A token that is none is 403 instead of 401.',
    caughtBy: 'contract.tenants',
    make: refusal('UNAUTHENTICATED', (reply) => {
      reply.status = 403
      reply.body.error_code = 'FORBIDDEN'
    }),
  },
  { what: 'The status filter of the order book is ignored.', caughtBy: 'contract.books', make: ignoring('GET /orders', 'status') },
  { what: 'The cursor of the order book is ignored.', caughtBy: 'contract.books', make: ignoring('GET /me/orders', 'cursor') },
  {
    what: 'An event is doubled in the log.',
    caughtBy: 'contract.events',
    make: changed('GET /events', ({ events }) => void (events.length > 0 && events.push(events.at(-1)))),
  },
  {
    what: 'The log is in the order of its newest event first.',
    caughtBy: 'contract.events',
    make: changed('GET /events', ({ events }) => void events.reverse()),
  },
  { what: 'after_seq is ignored.', caughtBy: 'contract.events', make: ignoring('GET /events', 'after_seq') },
  {
    what: 'The feed starts from its beginning, whatever cursor is sent.',
    caughtBy: 'contract.feed',
    make: () => {
      let first: string | undefined
      return {
        request: (call) => {
          if (!isOf('GET /events/feed', call)) return
          const after = /after=([^&]+)/.exec(call.path)?.[1]
          if (after === undefined || after === 'now') return
          first ??= after
          call.path = call.path.replace(/after=[^&]+/, `after=${first}`)
        },
      }
    },
  },
  {
    what: 'A removed webhook endpoint stays.',
    caughtBy: 'contract.endpoints',
    make: () => ({
      answer: (call) => (isOf('DELETE /webhooks/endpoints/{}', call) ? { ...jsonReply(204, {}), body: undefined } : undefined),
    }),
  },
  {
    what: '429 has no Retry-After.',
    caughtBy: 'contract.again',
    make: refusal('RATE_LIMITED', ({ headers }) => delete headers['retry-after']),
  },
  {
    what: "A buyer's catalog shows the seller's external_ref.",
    caughtBy: 'contract.catalog',
    make: changed('GET /sellers/{}/catalog', ({ products }) => {
      for (const product of products) product.external_ref = 'own'
    }),
  },
  {
    what: 'The avails read ignores product_id.',
    caughtBy: 'contract.avails',
    make: ignoring('GET /sellers/{}/avails', 'product_id'),
  },
  {
    what: 'available of a credit is the limit, whatever is owed.',
    caughtBy: 'contract.settlement',
    make: changed('GET /settlement/credit', (body) => {
      body.available = body.credit_limit
    }),
  },
  {
    what: 'A publish counts what it refused, and does not name it.',
    caughtBy: 'contract.avails',
    make: changed('PUT /me/avails', (body) => {
      body.errors = []
    }),
  },
  {
    what: 'A second PUT of the content of an upload is accepted.',
    caughtBy: 'contract.uploads',
    make: () => {
      const first = new Map<string, object>()
      return {
        reply: (reply, call) => {
          if (!isOf('PUT /uploads/{}/content', call)) return
          if (reply.status === 200) first.set(call.path, reply.body)
          const stored = first.get(call.path)
          if (reply.status === 409 && stored !== undefined) Object.assign(reply, jsonReply(200, stored))
        },
      }
    },
  },
]
