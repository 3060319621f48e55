import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { OrderEvent } from '../../../src/contract/event.ts'
import { StoredSnapshot } from '../../../src/contract/order.ts'
import { addMinutes, type Instant } from '../../../src/domain/calendar.ts'
import { decimal, jsonNumber, sum } from '../../../src/domain/decimal.ts'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { bookingOf, clocksOf, fold, type OrderState } from '../../../src/domain/order/state.ts'
import { isTransition } from '../../../src/domain/order/transitions.ts'
import { anOrder } from '../../support/orders/anOrder.ts'
import { type Life, live, someLife } from '../../support/orders/orderLives.ts'

const always = (promise: (life: Life) => void) =>
  fc.assert(
    fc.property(someLife, (life) => promise(live(life))),
    { numRuns: 60 },
  )
const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value))

describe('any sequence of commands on an order', () => {
  it('its snapshot is the fold of the stored request, facts and events, at every prefix', () => {
    always(({ born, states, events }) => {
      states.forEach((state, index) => {
        const refolded = fold(asStored(born.request), asStored(born.facts), asStored(events.slice(0, index + 1)))
        expect(JSON.stringify(snapshot(refolded))).toBe(JSON.stringify(snapshot(state)))
        expect(StoredSnapshot.parse(asStored(snapshot(state)))).toMatchObject({ status: state.status, last_seq: index + 1 })
      })
    })
  })

  it('its events are numbered 1 to n, strictly later one by one, each a step of the table from the one before', () => {
    always(({ states, events }) => {
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
      expect(states.at(-1)?.last_seq).toBe(events.length)
      expect(events[0]).toMatchObject({ status: 'submitted', prior_status: null })
      events.slice(1).forEach((event, index) => {
        const before = events[index] as OrderEvent
        expect(event.occurred_at > before.occurred_at).toBe(true)
        expect(event.prior_status).toBe(before.status)
        expect(isTransition(before.status, event.status)).toBe(true)
      })
    })
  })

  it('its allocations sum to what was accepted, on booked dates, and gross is the sum of the lines at their locked rates', () => {
    always(({ states }) => {
      for (const state of states) {
        for (const line of state.lines) {
          expect(line.allocation.reduce((total, { units }) => total + units, 0)).toBe(line.num_accepted)
          expect(line.allocation.every(({ date, units }) => units > 0 && bookingOf(state, line).booked_dates.includes(date))).toBe(true)
          expect(line.num_accepted).toBeLessThanOrEqual(line.units)
          expect(line.num_accepted > 0).toBe(line.status === 'accepted')
        }
        expect(snapshot(state).totals.gross).toBe(grossInCents(state))
      }
    })
  })

  it('every ask is answered once: it is countered while one counter to it is open, and at most one of it and its counters is accepted', () => {
    always(({ states }) => {
      for (const { lines, status } of states) {
        for (const ask of lines.filter(({ in_response_to }) => in_response_to === undefined)) {
          const counters = lines.filter(({ in_response_to }) => in_response_to === ask.unit_id)
          const open = counters.filter((line) => line.status === 'countered')
          expect(open.length).toBe(ask.status === 'countered' ? 1 : 0)
          expect([ask, ...counters].filter((line) => line.status === 'accepted').length).toBeLessThanOrEqual(1)
          for (const { units, rate } of counters) expect([units, rate.rate_basis]).toEqual([ask.units, ask.rate.rate_basis])
        }
        expect(status !== 'negotiating' || lines.some((line) => line.status === 'countered')).toBe(true)
        expect(status === 'placed' && lines.some((line) => line.status === 'countered' || line.status === 'pending')).toBe(false)
      }
    })
  })

  it('its receipt is what was accepted when it was placed', () => {
    always(({ events }) => {
      for (const { status, artifact, units = [] } of events) {
        if (status !== 'placed') continue
        const rows = units.flatMap(({ unit_id, allocation }) => allocation.map((entry) => JSON.stringify({ unit_id, ...entry })))
        const daylocks = artifact?.name === 'placement_receipt' ? artifact.daylocks : []
        expect(daylocks.map(({ unit_id, date, units }) => JSON.stringify({ unit_id, date, units })).sort()).toEqual(rows.sort())
      }
    })
  })

  it('covers orders that are placed whole and in part, rejected, failed, canceled and negotiated in rounds', () => {
    const seen = new Set<string>()
    for (const life of fc.sample(someLife, { numRuns: 150, seed: 7 })) {
      for (const { status, substatus, lines } of live(life).states) {
        const statuses = new Set(lines.map((line) => line.status))
        seen.add(status === 'placed' && statuses.has('rejected') ? 'placed in part' : status)
        const answered = lines.filter(({ in_response_to, status }) => in_response_to !== undefined && status !== 'countered')
        if (answered.length > 0) seen.add(status === 'negotiating' ? 'negotiated again' : `${status} after a counter`)
        if (substatus !== null) seen.add(substatus)
      }
    }
    const statuses = ['canceled', 'failed', 'negotiating', 'placed', 'rejected', 'seller_review', 'submitted', 'validating']
    const rounds = ['negotiated again', 'quote_lapsed', ...['canceled', 'placed', 'rejected'].map((end) => `${end} after a counter`)]
    expect([...seen].sort()).toEqual([...statuses, 'placed in part', ...rounds].sort())
  })
})

/** By whole numbers: cents times units, or for a cpm times the forty thousands of a unit. */
function grossInCents({ lines }: OrderState): number {
  const amounts = lines.map(({ status, units, num_accepted, rate }) => {
    const cents = Math.round((rate.unit_cost ?? rate.cpm ?? 0) * 100)
    return cents * (status === 'pending' ? units : num_accepted) * (rate.unit_cost === undefined ? 40 : 1)
  })
  return jsonNumber(sum(amounts).div(decimal(100)))
}

describe('the clocks of an order', () => {
  it('start when it comes to the seller, who has the promised time to decide', () => {
    const order = anOrder({ status: 'seller_review', latency: 90 })
    const since = order.updated_at as Instant
    expect(clocksOf(order)).toEqual({ parked_since: since, decide_by: addMinutes(since, 90), due_at: addMinutes(since, 90) })
  })

  it('do not restart while it stays where it is', () => {
    const order = anOrder({ status: 'negotiating' })
    const { after } = stampEvents(order, [{ status: 'negotiating', substatus: 'quote_lapsed' }], '2026-12-01T00:00:00.000Z')
    expect(clocksOf(after).parked_since).toBe(clocksOf(order).parked_since)
    expect(snapshot(after).substatus).toBe('quote_lapsed')
  })

  it.each(['submitted', 'validating', 'confirmed', 'placed', 'canceled', 'rejected', 'failed'] as const)(
    'are due at once at %s',
    (status) => {
      const order = anOrder({ status })
      expect(clocksOf(order)).toEqual({ parked_since: null, decide_by: null, due_at: order.updated_at })
    },
  )
})
