import { describe, expect, it } from '@jest/globals'
import { dueMails, type PlacedOrder } from '../../../src/domain/edi/dueMails.ts'

const at = (second: number) => `2026-11-02T09:00:${String(second).padStart(2, '0')}.000Z`
const placed = (order_id: string, second: number, more: Partial<PlacedOrder> = {}): PlacedOrder => ({
  order_id,
  last_seq: 4,
  placed_at: at(second),
  canceled_at: null,
  canceled_for: null,
  ...more,
})
const canceled = (order_id: string, second: number, canceledAt: number, canceled_for: string | null = null) =>
  placed(order_id, second, { last_seq: 5, canceled_at: at(canceledAt), canceled_for })
const listed = (...orders: PlacedOrder[]) => dueMails(orders).map(({ order_id, seq, document }) => `${order_id} ${seq} ${document}`)

describe('mailsOf', () => {
  it('mails a placement', () => {
    expect(dueMails([placed('a', 1)])).toEqual([{ order_id: 'a', seq: 4, document: 'confirmed', created_at: at(1) }])
  })

  it('mails the placement of a canceled order before its cancel', () => {
    expect(listed(canceled('a', 1, 2))).toEqual(['a 4 confirmed', 'a 5 cancelled'])
  })

  it('puts what a revision canceled behind the revision, even when the cancel was stamped before it', () => {
    expect(listed(canceled('a', 1, 3, 'b'), placed('b', 3))).toEqual(['a 4 confirmed', 'b 4 confirmed', 'a 5 cancelled'])
    expect(listed(canceled('a', 1, 3, 'b'), placed('b', 4))).toEqual(['a 4 confirmed', 'b 4 confirmed', 'a 5 cancelled'])
  })

  it('keeps a cancel of a buyer before the revision that was placed after it', () => {
    expect(listed(placed('b', 4), canceled('a', 1, 3))).toEqual(['a 4 confirmed', 'a 5 cancelled', 'b 4 confirmed'])
  })

  it('keeps a cancel for an order of another agreement at its own time', () => {
    expect(listed(canceled('a', 1, 3, 'elsewhere'), placed('c', 9))).toEqual(['a 4 confirmed', 'a 5 cancelled', 'c 4 confirmed'])
  })
})
