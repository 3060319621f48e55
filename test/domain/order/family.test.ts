import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { OrderStatus } from '../../../src/contract/vocabulary.ts'
import {
  type DatedMember,
  type FamilyMember,
  inForceAt,
  lastPlacedAt,
  mayBeRevised,
  placedRevisions,
  placedSuccessor,
  supersededBy,
} from '../../../src/domain/order/family.ts'
import { supersede } from '../../../src/domain/order/supersede.ts'
import { anOrder, CREATED_AT } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'

const member = (order_id: string, supersedes: string | null, status: OrderStatus = 'seller_review'): FamilyMember => ({
  order_id,
  supersedes,
  status,
})
/** A; B and C revise it; D revises B, E revises C. */
const FAMILY = [member('A', null, 'placed'), member('B', 'A'), member('C', 'A'), member('D', 'B'), member('E', 'C')]
const dated = (each: FamilyMember): DatedMember => ({ ...each, placed_at: null, canceled_at: null })
const isPlaced = (members: FamilyMember[], orderId: string) =>
  members.some(({ order_id, status }) => order_id === orderId && status === 'placed')
const ids = (members: { order_id: string }[]) => members.map(({ order_id }) => order_id)

describe('a placed revision', () => {
  it('ends what it revises and all other revisions, except its own', () => {
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

  it('can be revised until the family is full', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => member(String(index), index === 0 ? null : '0'))
    expect(mayBeRevised('0', many)).toBe(false)
    expect(mayBeRevised('0', many.slice(1))).toBe(true)
    expect(mayBeRevised('A', FAMILY)).toBe(true)
    expect(
      mayBeRevised(
        'A',
        FAMILY.map((each) => ({ ...each, status: 'placed' as const })),
      ),
    ).toBe(false)
  })

  it('leaves one placed order of any family at any time, for any order of placings and closings', () => {
    const tree = fc
      .array(fc.nat(), { minLength: 1, maxLength: 7 })
      .map((parents) => ['0', ...parents.map((parent, index) => String(parent % (index + 1)))])
      .map((parents) => parents.map((parent, index) => dated(member(String(index), index === 0 ? null : parent))))
    const steps = fc.array(fc.record({ place: fc.boolean(), of: fc.nat(7) }), { minLength: 1, maxLength: 24 })
    fc.assert(
      fc.property(tree, steps, (members, taken) => {
        const put = (order_id: string, change: Partial<DatedMember>) => {
          members = members.map((each) => (each.order_id === order_id ? { ...each, ...change } : each))
        }
        let hasBegun = false
        for (const [index, { place, of }] of taken.entries()) {
          const one = members[of % members.length] as DatedMember
          if (place && one.status === 'seller_review') {
            // The rule of a placing.
            const isOver = placedRevisions(one.order_id, members).length > 0
            const ends = isOver ? [one] : supersededBy(one.order_id, members).filter((each) => isPlaced(members, each.order_id))
            for (const { order_id } of ends) put(order_id, { status: 'canceled' })
            if (!isOver) put(one.order_id, { status: 'placed', placed_at: `2030-01-01T00:00:00.0${String(index).padStart(2, '0')}Z` })
            hasBegun = true
          } else if (one.placed_at !== null) {
            // The rule of supersede(), at the closing of one that was placed.
            for (const { order_id, is_ancestor } of supersededBy(one.order_id, members)) {
              const { placed_at } = members.find((each) => each.order_id === order_id) as DatedMember
              if (is_ancestor || placed_at === null || placed_at < one.placed_at) put(order_id, { status: 'canceled' })
            }
          }
          expect(members.filter(({ status }) => status === 'placed')).toHaveLength(hasBegun ? 1 : 0)
        }
      }),
    )
  })

  it('is the last one to have been placed, by its stamp', () => {
    const at = (stamp: string | null, each: FamilyMember) => ({ ...dated(each), placed_at: stamp })
    const [a, b, c] = FAMILY as [FamilyMember, FamilyMember, FamilyMember]
    expect(lastPlacedAt([at('2030-01-02', a), at(null, b), at('2030-01-01', c)])).toBe('2030-01-02')
    expect(lastPlacedAt([at(null, a)])).toBeNull()
    expect(ids(placedRevisions('A', [at('2030-01-01', a), at('2030-01-03', b), at('2030-01-02', c)]))).toEqual(['C', 'B'])
  })
})

describe('the time from which a placed order is in force', () => {
  const was = (placed_at: string | null, canceled_at: string | null = null): DatedMember => ({
    ...dated(member('A', null)),
    placed_at,
    canceled_at,
  })
  const at = '2030-01-09T23:59:59.999Z'
  it.each<[string, DatedMember[], string | undefined]>([
    ['is none without a family', [], undefined],
    ['is none if no other was placed', [was(null), was(null, '2030-01-05T00:00:00.000Z')], undefined],
    ['is that of the placement, which ends the one placed before', [was('2030-01-02T00:00:00.000Z'), was(null)], at],
    ['is that of a cancellation before it', [was('2030-01-02T00:00:00.000Z', '2030-01-05T00:00:00.000Z')], '2030-01-05T00:00:00.000Z'],
    [
      'is the last of several',
      [was('2030-01-02T00:00:00.000Z', '2030-01-05T10:00:00.000Z'), was('2030-01-05T10:00:00.000Z', '2030-01-07T00:00:00.000Z')],
      '2030-01-07T00:00:00.000Z',
    ],
  ])('%s', (_, family, since) => expect(inForceAt(family, at)).toBe(since))
})

describe('an order of a placed revision’s family', () => {
  const by = (placed_at: string) => ({ order_id: 'ord_0', placed_at, issued_at: CREATED_AT })
  const [early, late] = [by('2020-01-01T00:00:00.000Z'), by('2099-01-01T00:00:00.000Z')]
  const canceled = { status: 'canceled', cancellation: { reason: 'superseded' } }

  it('is canceled when the revision descends from it, no matter when either was placed', () => {
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
