import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LineItem } from '../../../src/contract/lineItem.ts'
import { addDays, type Instant, localDate } from '../../../src/domain/calendar.ts'
import { decimal, sum } from '../../../src/domain/decimal.ts'
import { amountOf } from '../../../src/domain/lines/lineResult.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { type EventDraft, stampEvents } from '../../../src/domain/order/decision.ts'
import { type DatedMember, placedRevisions, supersededBy } from '../../../src/domain/order/family.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { type PlacedRevision, placedAt, placedRevision, supersede } from '../../../src/domain/order/supersede.ts'
import { type Decided, writesOf } from '../../../src/domain/order/writesOf.ts'
import { amountOwed } from '../../../src/domain/settlement/amountOwed.ts'
import { billedMonths } from '../../../src/domain/settlement/billedMonths.ts'
import { bookedSpots } from '../../../src/domain/settlement/bookedSpots.ts'
import { aLine, CONTEXT } from '../../support/orders/anOrder.ts'
import { someLines } from '../../support/orders/orderLives.ts'
import { aClearedOrder } from '../../support/settlement/aClearedOrder.ts'

/** A family and what becomes of it. */
class Family {
  readonly #members = new Map<string, { order: OrderState; supersedes: string | null }>()

  add(order_id: string, supersedes: string | null, lines: LineItem[]): void {
    const birth = { order_id, unit_ids: lines.map((_, index) => `${order_id}_${index}`) }
    this.#members.set(order_id, { supersedes, order: aClearedOrder({ status: 'seller_review', lines, birth }) })
  }

  get orders(): OrderState[] {
    return [...this.#members.values()].map(({ order }) => order)
  }

  of(orderId: string): OrderState {
    return this.#members.get(orderId)?.order as OrderState
  }

  place(orderId: string, at: Instant): void {
    if (this.of(orderId).status !== 'seller_review') return
    const [revision] = placedRevisions(orderId, this.#dated())
    if (revision !== undefined) {
      this.#end(orderId, placedRevision(this.of(revision.order_id)) as PlacedRevision, true, at)
      return
    }
    const decision = decide(this.of(orderId), { decision: 'approve', actor: 'Sam' }, CONTEXT)
    const members = this.#dated()
    const placed = supersededBy(orderId, members)
      .map(({ order_id, is_ancestor }) => ({ member: decided(this.of(order_id)), is_ancestor }))
      .filter(({ member }) => member.order.status === 'placed')
    const { after, ends } = writesOf(decided(this.of(orderId)), decision, at, { members, placed })
    for (const order of [...ends.map(({ writes }) => writes.after), after]) this.#keep(order)
  }

  cancel(orderId: string, at: Instant): void {
    const order = this.of(orderId)
    if (order.status !== 'canceled') this.#stamp(orderId, cancel(order, {}, at).events, at)
  }

  #end(orderId: string, by: PlacedRevision, isAncestor: boolean, at: Instant): void {
    this.#stamp(orderId, supersede(this.of(orderId), by, isAncestor).events, at)
  }

  #stamp(orderId: string, events: readonly EventDraft[], at: Instant): void {
    this.#keep(stampEvents(this.of(orderId), events, at).after)
  }

  #keep(order: OrderState): void {
    const member = this.#members.get(order.facts.order_id)
    if (member !== undefined) member.order = order
  }

  #dated(): DatedMember[] {
    return [...this.#members].map(([order_id, { supersedes, order }]) => ({
      ...{ order_id, supersedes, status: order.status, placed_at: placedAt(order) ?? null },
      canceled_at: order.status === 'canceled' ? order.since : null,
    }))
  }
}

const decided = (order: OrderState): Decided => ({ order, characters: 0, approval: 'console' })

const START = '2026-11-30'
const datesOf = (order: OrderState) =>
  billedMonths(order).flatMap(({ lines }) =>
    lines.flatMap(({ unit_id, dates = [] }) => dates.map(({ date, units }) => `${unit_id} ${date} ${units}`)),
  )
const grossOf = (order: OrderState) => sum(billedMonths(order).map(({ gross }) => gross))

/** The order that is in force on a date: of those that were placed, the first that has not ended by then. */
function inForce(orders: readonly OrderState[], date: string): OrderState | undefined {
  return orders
    .filter((order) => placedAt(order) !== undefined)
    .sort((a, b) => ((placedAt(a) ?? '') < (placedAt(b) ?? '') ? -1 : 1))
    .find(({ status, since }) => status !== 'canceled' || date < localDate(since, 'America/New_York'))
}

describe('of a family', () => {
  const steps = fc.array(
    fc.record({ member: fc.nat(4), day: fc.integer({ min: 0, max: 5 }), place: fc.nat(3).map((drawn) => drawn > 0) }),
    { minLength: 1, maxLength: 12 },
  )
  const parents = fc.array(fc.nat(), { minLength: 1, maxLength: 4 })
  const lines = fc.array(someLines, { minLength: 5, maxLength: 5 })

  it('each date is billed and booked once, by the order that is in force on it, whatever is placed and canceled when', () => {
    fc.assert(
      fc.property(parents, lines, steps, fc.boolean(), (priors, linesOf, taken, atNight) => {
        const family = new Family()
        family.add('0', null, linesOf[0] ?? [])
        for (const [index, prior] of priors.entries()) family.add(String(index + 1), String(prior % (index + 1)), linesOf[index + 1] ?? [])
        let days = 0
        for (const { member, day, place } of taken) {
          days += day
          const at = `${addDays(START, days)}T${atNight ? '0' : '1'}${place ? '2' : '3'}:00:00.000Z` // two or three in UTC is the evening before in New York
          const orderId = String(member % (priors.length + 1))
          if (place) family.place(orderId, at)
          else family.cancel(orderId, at)
        }
        for (const order of family.orders) {
          const expected = order.lines.flatMap(({ unit_id, status, allocation }) =>
            status !== 'accepted'
              ? []
              : allocation
                  .filter(({ date }) => inForce(family.orders, date) === order)
                  .map(({ date, units }) => `${unit_id} ${date} ${units}`),
          )
          expect(datesOf(order).sort()).toEqual(expected.sort())
          const booked = bookedSpots(order, { products: [], isci: new Map() })
          expect(
            booked
              .filter(({ units }) => units > 0)
              .map(({ unit_id, air_date, units }) => `${unit_id} ${air_date} ${units}`)
              .sort(),
          ).toEqual(expected)
          expect(sum(booked.map(({ gross }) => gross)).eq(grossOf(order))).toBe(true)
          expect(placedAt(order) === undefined || amountOwed(order).eq(grossOf(order))).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('a revision of the same lines bills with its predecessor what the lines cost, to the cent', () => {
    fc.assert(
      fc.property(someLines, fc.integer({ min: 0, max: 120 }), (same, days) => {
        const family = new Family()
        family.add('0', null, same)
        family.add('1', '0', same)
        family.place('0', '2026-11-03T09:00:00.000Z')
        family.place('1', `${addDays(START, days)}T09:00:00.000Z`)
        const whole = sum(same.map((line, index) => amountOf(line.rate, line.units, family.of('0').bookings[index]?.impressions_per_unit)))
        expect(sum(family.orders.map(grossOf)).eq(decimal(whole))).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('a revision whose predecessor was never placed bills all of its dates', () => {
    const family = new Family()
    family.add('0', null, [aLine()])
    family.add('1', '0', [aLine()])
    family.place('1', '2026-12-09T09:00:00.000Z')
    expect(datesOf(family.of('1'))).toEqual(['1_0 2026-12-07 2', '1_0 2026-12-09 2', '1_0 2026-12-11 2'])
  })

  it('a date between the cancellation of an order and the placement of its revision is of the revision', () => {
    const family = new Family()
    family.add('0', null, [aLine()])
    family.add('1', '0', [aLine()])
    family.place('0', '2026-12-01T09:00:00.000Z')
    family.cancel('0', '2026-12-08T09:00:00.000Z')
    family.place('1', '2026-12-10T09:00:00.000Z')
    expect(family.orders.map(datesOf)).toEqual([['0_0 2026-12-07 2'], ['1_0 2026-12-09 2', '1_0 2026-12-11 2']])
  })
})
