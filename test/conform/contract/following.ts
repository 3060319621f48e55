import { feedSettled } from '../../support/engines/feedSettled.ts'
import { type ContractStory, ok, parked, type Reply, refused, same, story } from './world.ts'

export const FOLLOWING: readonly ContractStory[] = [
  story(
    'events',
    'Every event has a per-order, strictly increasing seq; a replay begins after one.',
    'events.md#recovery',
    async (world, holds) => {
      const { acme, cable } = world
      const order_id = await holds('an order has a log', () => parked(world))
      const log = await holds('the log has 1..n, stamped in their order, and each event is of this order', async () => {
        const { events } = ok(await acme.get(`/events?order=${order_id}`), 200)
        same(
          events.map(({ seq }: Reply['body']) => seq),
          [1, 2, 3],
          'seq',
        )
        const stamps = events.map(({ occurred_at }: Reply['body']) => occurred_at)
        same(new Set([...stamps].sort()).size === 3 && [...stamps].sort().join() === stamps.join(), true, 'strictly increasing stamps')
        for (const { event_type, order_id: of } of events) same([event_type, of], ['order.status_changed', order_id], 'an event')
        return events
      })
      await holds('after_seq leaves out what came before', async () => {
        same(ok(await acme.get(`/events?order=${order_id}&after_seq=2`), 200).events, log.slice(2), 'the events after 2')
      })
      await holds('the same envelope goes to both sides', async () => {
        same(ok(await cable.get(`/events?order=${order_id}`), 200).events, log, "the seller's log")
      })
    },
  ),
  story('feed', 'The feed is resumable by an opaque cursor, and has every event once.', 'events.md#recovery', async (world, holds) => {
    const { acme, market } = world
    const begin = await holds('now is the end', async () => ok(await acme.get('/events/feed?after=now'), 200).next_cursor)
    const filtered = ok(await acme.get('/events/feed?after=now&statuses=seller_review'), 200).next_cursor
    const order_id = await holds('an order makes events', () => parked(world))
    await feedSettled(market.deps.db)
    const read = async (after: string, more = '') => ok(await acme.get(`/events/feed?after=${encodeURIComponent(after)}${more}`), 200)
    await holds('what happened since is read in pages, each event once', async () => {
      const ids: string[] = []
      for (let cursor = begin, page: Reply['body']; ; cursor = page.next_cursor) {
        page = await read(cursor, '&limit=2')
        if (page.events.length === 0) break
        for (const event of page.events) if (event.order_id === order_id) ids.push(`${event.order_id}:${event.seq}`)
        if (ids.length > 10) break
      }
      same(
        ids,
        [1, 2, 3].map((seq) => `${order_id}:${seq}`),
        'the events',
      )
    })
    await holds('a filter of statuses selects', async () => {
      const { events } = await read(filtered, '&statuses=seller_review')
      same([...new Set(events.map(({ status }: Reply['body']) => status))], ['seller_review'], 'the statuses')
    })
  }),
  story(
    'endpoints',
    'A registration allowlists a URL; a removed one is gone.',
    'events.md#subscriptions',
    async ({ acme, zenith, market }, holds) => {
      const url = `https://hooks.example.com/${Date.now().toString(36)}`
      const endpoint = await holds('201 has the filters and, once, the secret', async () => {
        const body = ok(await acme.post('/webhooks/endpoints', { url, events: ['order.status_changed'], statuses: ['placed'] }), 201)
        same(
          [body.url, body.events, body.statuses, /^whsec_/.test(body.secret)],
          [url, ['order.status_changed'], ['placed'], true],
          'the reply',
        )
        return body.endpoint_id
      })
      await holds('a create may name it as notify_url', async () => {
        ok(await acme.post('/orders', market.order({ notify_url: url })), 201)
      })
      await holds('another tenant cannot remove it; its own does', async () => {
        refused(await zenith.delete(`/webhooks/endpoints/${endpoint}`), 404, 'NOT_FOUND')
        ok(await acme.delete(`/webhooks/endpoints/${endpoint}`), 204)
        refused(await acme.post('/orders', market.order({ notify_url: url })), 422, 'INVALID_INPUT')
      })
    },
  ),
  story(
    'again',
    '429 carries Retry-After; 5xx is a fault of the platform: nothing was done.',
    'errors.md#statuses',
    async ({ acme, market }, holds) => {
      for (const [fault, code] of [
        ['429', 'RATE_LIMITED'],
        ['503', 'UNAVAILABLE'],
      ] as const)
        await holds(`${fault} ${code} says when to try again`, async () => {
          const reply = await acme.post('/orders', market.order(), { 'sandbox-simulate': fault })
          refused(reply, Number(fault), code)
          same(/^\d+$/.test(reply.headers.get('retry-after') ?? ''), true, 'Retry-After in seconds')
        })
    },
  ),
]
