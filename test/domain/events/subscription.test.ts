import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { EVENT_TYPES, type EventType, ORDER_STATUSES, type OrderStatus } from '../../../src/contract/vocabulary.ts'
import { type Subscription, topicOf, topicsOf } from '../../../src/domain/events/subscription.ts'

interface Event {
  event_type: EventType
  status: OrderStatus | null
}
const orderEvents = ORDER_STATUSES.map((status): Event => ({ event_type: 'order.status_changed', status }))
const notices = EVENT_TYPES.filter((type) => type !== 'order.status_changed').map((event_type): Event => ({ event_type, status: null }))
const EVERYTHING = [...orderEvents, ...notices]

const selected = (subscription: Subscription) => {
  const topics = topicsOf(subscription)
  return EVERYTHING.filter((event) => topics === null || topics.includes(topicOf(event)))
}

describe('a subscription', () => {
  it('without types and statuses selects everything', () => {
    expect(topicsOf({})).toBeNull()
    expect(topicsOf({ events: null, statuses: null })).toBeNull()
    expect(selected({})).toHaveLength(15)
  })

  it('to another type than order events gets that type alone', () =>
    expect(selected({ events: ['settlement.invoice_issued'] })).toEqual([{ event_type: 'settlement.invoice_issued', status: null }]))

  it('to order events gets every status', () => expect(selected({ events: ['order.status_changed'] })).toEqual(orderEvents))

  it('to statuses restricts order events and leaves the other types alone', () =>
    expect(selected({ statuses: ['placed'] })).toEqual([{ event_type: 'order.status_changed', status: 'placed' }, ...notices]))

  it('to both gets the types, of which order events only in those statuses', () => {
    const subscription: Subscription = { events: ['order.status_changed', 'catalog.window_opened'], statuses: ['placed', 'canceled'] }
    expect(selected(subscription).map(topicOf)).toEqual([
      'order.status_changed:placed',
      'order.status_changed:canceled',
      'catalog.window_opened',
    ])
  })

  it('to statuses of which its types have none gets its types', () =>
    expect(selected({ events: ['catalog.window_opened'], statuses: ['placed'] }).map(topicOf)).toEqual(['catalog.window_opened']))

  it('selects what each of its members selects, and nothing else', () => {
    const some = <Word>(words: readonly Word[]) => fc.option(fc.subarray([...words]), { nil: undefined })
    fc.assert(
      fc.property(some(EVENT_TYPES), some(ORDER_STATUSES), (events, statuses) => {
        const both = new Set(selected({ events }).filter((event) => selected({ statuses }).includes(event)))
        expect(new Set(selected({ events, statuses }))).toEqual(both)
      }),
    )
  })
})
