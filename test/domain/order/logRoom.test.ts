import { describe, expect, it } from '@jest/globals'
import type { OrderEvent } from '../../../src/contract/event.ts'
import { LOG_CHARACTERS } from '../../../src/contract/vocabulary/bounds.ts'
import { checkRoom } from '../../../src/domain/order/logRoom.ts'

const event = (more: object) => [{ status: 'negotiating', ...more } as OrderEvent]
const counter = event({ decision_record: { gate: 'api', actor: 'Ada', decision: 'counter' } })
const plan = event({ artifact: { name: 'plan_proposal' } })

describe('the log of an order', () => {
  it.each([
    ['counter', counter, 'units'],
    ['plan', plan, 'line_items'],
  ])('takes a %s up to its last character, and none beyond', (_, events, field) => {
    const room = LOG_CHARACTERS - JSON.stringify(events).length
    expect(() => checkRoom(room, events)).not.toThrow()
    expect(() => checkRoom(room + 1, events)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', details: { field } }))
  })

  it('always has room for what ends a negotiation', () => {
    for (const decision of ['approve', 'reject', 'confirm', 'accept']) {
      const answered = event({ decision_record: { gate: 'api', actor: 'Ada', decision } })
      expect(() => checkRoom(LOG_CHARACTERS * 2, answered)).not.toThrow()
    }
    expect(() => checkRoom(LOG_CHARACTERS * 2, event({ status: 'canceled' }))).not.toThrow()
  })
})
