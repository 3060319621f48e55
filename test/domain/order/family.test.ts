import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { OrderStatus } from '../../../src/contract/vocabulary.ts'
import { type FamilyMember, placedRevisions, placedSuccessor, supersededBy } from '../../../src/domain/order/family.ts'
import { supersede } from '../../../src/domain/order/supersede.ts'
import { anOrder, CREATED_AT } from '../../support/anOrder.ts'
import { given } from '../../support/given.ts'

const member = (order_id: string, supersedes: string | null, status: OrderStatus = 'seller_review'): FamilyMember => ({
  order_id,
  supersedes,
  status,
})
/** A; B and C revise it; D revises B, E revises C. */
const FAMILY = [member('A', null, 'placed'), member('B', 'A'), member('C', 'A'), member('D', 'B'), member('E', 'C')]
const ids = (members: { order_id: string }[]) => members.map(({ order_id }) => order_id)

describe('a placed revision', () => {
  it('does away with what it goes back to and with all other revisions, but for those of itself', () => {
    expect(supersededBy('B', FAMILY)).toEqual([
      { order_id: 'A', is_ancestor: true },
      { order_id: 'C', is_ancestor: false },
      { order_id: 'E', is_ancestor: false },
    ])
    expect(ids(supersededBy('D', FAMILY))).toEqual(['A', 'B', 'C', 'E'])
    expect(supersededBy('A', FAMILY)).toEqual([])
  })

  it('is the one to revise from then on', () => {
    const placed = FAMILY.map((each) => (each.order_id === 'D' ? { ...each, status: 'placed' as const } : each))
    expect(['A', 'B', 'C', 'D'].map((order_id) => placedSuccessor(order_id, placed))).toEqual(['D', 'D', undefined, undefined])
    expect(placedSuccessor('A', FAMILY)).toBeUndefined()
  })

  it('leaves one placed order of any family, in whichever order the closings come', () => {
    const tree = fc
      .array(fc.nat(), { minLength: 1, maxLength: 7 })
      .map((parents) =>
        ['0', ...parents.map((parent, index) => String(parent % (index + 1)))].map((parent, index) =>
          member(String(index), index === 0 ? null : parent),
        ),
      )
    const ranked = tree.chain((members) =>
      fc.record({
        members: fc.constant(members),
        placed: fc.shuffledSubarray(ids(members), { minLength: 1 }), // in the order of their placing
        closings: fc.infiniteStream(fc.nat()),
      }),
    )
    fc.assert(
      fc.property(ranked, ({ members, placed, closings }) => {
        const at = (order_id: string) => placed.indexOf(order_id)
        const standing = new Set(placed)
        const order = [...placed].sort(() => ((closings.next().value ?? 0) % 2 === 0 ? 1 : -1))
        const all = members.map((each) => ({ ...each, status: 'placed' as const }))
        for (const closing of order) {
          const tooLate = placedRevisions(closing, all).some((revision) => at(revision) !== -1 && at(revision) < at(closing))
          if (tooLate) continue // the rule of isTooLate()
          for (const { order_id, is_ancestor } of supersededBy(closing, members)) {
            if (is_ancestor || at(order_id) < at(closing)) standing.delete(order_id) // the rule of supersede()
          }
        }
        expect(standing.size).toBe(1)
      }),
    )
  })
})

describe('an order of a placed revision’s family', () => {
  const by = (placed_at: string) => ({ order_id: 'ord_0', placed_at, issued_at: CREATED_AT })
  const [early, late] = [by('2020-01-01T00:00:00.000Z'), by('2099-01-01T00:00:00.000Z')]
  const canceled = { status: 'canceled', cancellation: { reason: 'superseded' } }

  it('is canceled when the revision goes back to it, whenever either was placed', () => {
    const order = anOrder({ status: 'placed' })
    for (const each of [early, late]) given(order).when(supersede, each, true).gives(canceled)
  })
  it('is canceled when it was placed before the revision, and remains when it was placed after it', () => {
    const order = anOrder({ status: 'placed' })
    given(order).when(supersede, late, false).gives(canceled)
    given(order).when(supersede, early, false).changesNothing()
  })
  it('is canceled when it waits, and remains when it was made knowing of the revision', () => {
    const order = anOrder({ status: 'seller_review' })
    given(order).when(supersede, late, false).gives(canceled)
    given(order).when(supersede, early, false).changesNothing()
  })
  it.each(['canceled', 'rejected', 'failed'] as const)('is left as it is when it has ended: %s', (status) =>
    given(anOrder({ status })).when(supersede, late, true).changesNothing(),
  )
})
