import { changed, isOf, refusal } from './alterations.ts'
import type { Fault } from './faults.ts'
import type { PassedReply } from './faultyProxy.ts'

type Body = PassedReply['body']

export const FAULTS_OF_ORDERS: readonly Fault[] = [
  {
    what: 'A create is answered 200 instead of 201.',
    caughtBy: 'contract.create',
    make: () => ({
      reply: (reply, call) => {
        if (isOf('POST /orders', call) && reply.status === 201) reply.status = 200
      },
    }),
  },
  {
    what: 'The reply of a create lacks external_order_id.',
    caughtBy: 'contract.create',
    make: changed('POST /orders', (body) => delete body.external_order_id),
  },
  {
    what: 'A create without warnings has an empty list of them.',
    caughtBy: 'contract.create',
    make: changed('POST /orders', (body) => {
      body.warnings ??= []
    }),
  },
  {
    what: 'An idempotent repeat makes a second order.',
    caughtBy: 'contract.replay',
    make: () => {
      const seen = new Set<string>()
      return {
        request: (call) => {
          if (!isOf('POST /orders', call)) return
          const text = call.body.toString()
          if (seen.has(text)) call.body = Buffer.from(text.replace(/("external_order_id":"[^"]+)"/, '$1-again"'))
          seen.add(text)
        },
      }
    },
  },
  {
    what: 'A replay is not marked as one.',
    caughtBy: 'contract.replay',
    make: () => ({ reply: (reply, call) => void (isOf('POST /orders', call) && delete reply.headers['x-idempotent-replay']) }),
  },
  {
    what: 'Other bytes under the same external_order_id get the stored reply instead of 409.',
    caughtBy: 'contract.replay',
    make: () => {
      const first = new Map<string, PassedReply>()
      return {
        reply: (reply, call) => {
          if (!isOf('POST /orders', call)) return
          const id = /"external_order_id":"([^"]+)"/.exec(call.body.toString())?.[1] ?? ''
          if (reply.status === 201) first.set(id, structuredClone(reply))
          else if (reply.status === 409) Object.assign(reply, first.get(id))
        },
      }
    },
  },
  {
    what: 'The code CONFLICT is called ALREADY_EXISTS.',
    caughtBy: 'contract.replay',
    make: refusal('CONFLICT', ({ body }) => {
      body.error_code = 'ALREADY_EXISTS'
    }),
  },
  {
    what: 'details.missing of a create is called details.required.',
    caughtBy: 'contract.create.refused',
    make: refusal('INVALID_INPUT', ({ body }) => {
      if (body.details.missing === undefined) return
      body.details.required = body.details.missing
      delete body.details.missing
    }),
  },
  {
    what: 'An unknown member of buyer_metadata is ignored instead of refused.',
    caughtBy: 'contract.create.refused',
    make: () => ({
      request: (call) => {
        if (isOf('POST /orders', call)) call.body = Buffer.from(call.body.toString().replace(/,"colour":"red"/, ''))
      },
    }),
  },
  {
    what: 'A refusal is a page of HTML.',
    caughtBy: 'contract.create.refused',
    make: refusal('INVALID_INPUT', (reply) => {
      reply.headers['content-type'] = 'text/html'
      reply.text = '<h1>Unprocessable</h1>'
    }),
  },
  {
    what: 'A body that is no JSON is 422 instead of 400.',
    caughtBy: 'contract.create.refused',
    make: refusal('MALFORMED_REQUEST', (reply) => {
      reply.status = 422
    }),
  },
  {
    what: 'An archived creative is UNKNOWN_CREATIVE.',
    caughtBy: 'contract.lines.refused',
    make: refusal('REFERENCE_ARCHIVED', ({ body }) => {
      body.error_code = 'UNKNOWN_CREATIVE'
    }),
  },
  {
    what: 'The warning DATE_GRAIN_AVAILS_MISSING is left out.',
    caughtBy: 'contract.warns',
    make: changed('POST /orders', (body) => delete body.warnings),
  },
  {
    what: 'The snapshot has another locked_rate_id than the one that was cited.',
    caughtBy: 'contract.create',
    make: changed('GET /orders/{}', ({ line_items }) => {
      for (const { rate } of line_items) rate.locked_rate_id = `${rate.locked_rate_id}x`
    }),
  },
  {
    what: 'totals.gross is text instead of a number.',
    caughtBy: 'contract.create',
    make: changed('GET /orders/{}', ({ totals }) => {
      totals.gross = String(totals.gross)
    }),
  },
  {
    what: 'created_at has an offset instead of being UTC.',
    caughtBy: 'contract.create',
    make: changed('GET /orders/{}', (body) => {
      body.created_at = String(body.created_at).replace('Z', '+02:00')
    }),
  },
  {
    what: 'A member of our own database is in the snapshot.',
    caughtBy: 'contract.create',
    make: changed('GET /orders/{}', (body) => {
      body.shard_no = 7
    }),
  },
  {
    what: 'totals.gross is not computed again after a decision.',
    caughtBy: 'contract.accept',
    make: changed('GET /orders/{}', (body) => {
      if (body.status === 'placed') body.totals.gross = 12_505
    }),
  },
  {
    what: 'The allocation of a placed line lacks its last date.',
    caughtBy: 'contract.decide',
    make: changed('GET /orders/{}', ({ line_items }) => {
      for (const { allocation } of line_items) allocation.pop()
    }),
  },
  {
    what: 'A placed order has no placement_receipt.',
    caughtBy: 'contract.decide',
    make: changed('GET /orders/{}', (body) => {
      body.artifacts = []
    }),
  },
  {
    what: 'The event of a decision has no decision record.',
    caughtBy: 'contract.decide',
    make: changed('GET /events', ({ events }) => {
      for (const event of events) delete event.decision_record
    }),
  },
  {
    what: 'INVALID_STATE does not say the status and last_seq of the order.',
    caughtBy: 'contract.decide',
    make: refusal('INVALID_STATE', ({ body }) => {
      body.details = {}
    }),
  },
  {
    what: 'The event of a counter does not name the ask that it answers.',
    caughtBy: 'contract.accept',
    make: changed('GET /events', ({ events }) => {
      for (const unit of events.flatMap(({ units = [] }: Body) => units)) delete unit.in_response_to
    }),
  },
  {
    what: 'A repeated accept is refused with 409.',
    caughtBy: 'contract.accept',
    make: () => {
      const accepted = new Set<string>()
      return {
        reply: (reply, call) => {
          if (!isOf('POST /orders/{}/respond', call) || reply.status !== 202) return
          if (accepted.has(call.path)) reply.status = 409
          accepted.add(call.path)
        },
      }
    },
  },
  {
    what: 'A quote that has lapsed is still accepted.',
    caughtBy: 'contract.lapsed',
    make: () => ({
      request: (call) => {
        if (isOf('POST /orders/{}/respond', call)) call.body = Buffer.from(call.body.toString().replace(/,"as_of":"[^"]+"/, ''))
      },
    }),
  },
  {
    what: 'The cancellation block of the snapshot is not that of the reply.',
    caughtBy: 'contract.cancel',
    make: changed('GET /orders/{}', (body) => {
      if (body.cancellation) body.cancellation.reason = 'canceled'
    }),
  },
  {
    what: 'A confirmed plan names two booked orders.',
    caughtBy: 'contract.proposal',
    make: changed('POST /orders/{}/confirm', (body) => void body.booked_orders?.push('ord_00000000000000000000000000')),
  },
]
