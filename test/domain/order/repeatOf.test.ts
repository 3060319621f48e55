import { describe, expect, it } from '@jest/globals'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { decided, unchanged } from '../../../src/domain/order/decision.ts'
import { type Ruling, repeatOf } from '../../../src/domain/order/repeatOf.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { anOrder, later } from '../../support/orders/anOrder.ts'

const order = anOrder({ status: 'seller_review' })
const FIRST = { answer: 'the first' }
const stored = (more: object = {}) => ({ command_id: 'cmd_first', last_seq: order.last_seq - 1, text: JSON.stringify(FIRST), ...more })

const changes: Ruling<object> = decided([{ status: 'placed' }], () => ({ answer: 'a new one' }))
const nothing: Ruling<object> = unchanged(() => ({ answer: 'no change' }))
const refused = (code: 'INVALID_STATE' | 'INVALID_INPUT') => new Refusal(code, 'refused')
const unasked = (): Ruling<object> => {
  throw new Error('the rule was asked')
}
const unseen = { isSeen: () => false }

const repeat = (
  of: ReturnType<typeof stored> | undefined,
  command: { id?: string; isSeen?: () => boolean },
  ruling: () => Ruling<object>,
) => repeatOf({ order, stored: of }, { id: 'cmd_again', ...command }, ruling)?.outcome

describe('a stored answer', () => {
  it('is repeated without a rule to the same command, to an order that has not moved since, and to one who has not seen that it has', () => {
    expect(repeat(stored(), { id: 'cmd_first' }, unasked)).toEqual(FIRST)
    expect(repeat(stored({ last_seq: order.last_seq }), {}, unasked)).toEqual(FIRST)
    expect(repeat(stored(), unseen, unasked)).toEqual(FIRST)
  })

  it('is repeated where the order has moved past the command', () => {
    expect(repeat(stored(), {}, () => refused('INVALID_STATE'))).toEqual(FIRST)
    expect(repeat(stored(), {}, () => nothing)).toEqual(FIRST)
  })

  it('is not repeated where the command does something again, or is refused for what it says', () => {
    expect(repeat(stored(), {}, () => changes)).toBeUndefined()
    expect(repeat(stored(), {}, () => refused('INVALID_INPUT'))).toBeUndefined()
  })
})

describe('a command without a stored answer', () => {
  it('is a repeat where its rule changes nothing, whatever its sender has seen', () => {
    for (const command of [{}, unseen]) expect(repeat(undefined, command, () => nothing)).toEqual({ answer: 'no change' })
    const canceled = anOrder({ status: 'canceled' })
    const again = repeatOf({ order: canceled, stored: undefined }, { id: 'cmd_again' }, () => cancel(canceled, {}, later(canceled)))
    expect(again?.outcome).toMatchObject({ status: 'canceled', last_seq: canceled.last_seq })
  })

  it('is new where its rule changes the order or refuses', () => {
    for (const command of [{}, unseen]) {
      expect(repeat(undefined, command, () => changes)).toBeUndefined()
      expect(repeat(undefined, command, () => refused('INVALID_STATE'))).toBeUndefined()
    }
  })

  it('asks its rule, whose errors are not answers', () => {
    expect(() => repeat(undefined, {}, unasked)).toThrow('the rule was asked')
  })
})
