import { describe, expect, it } from '@jest/globals'
import { type EndpointPace, isSlow, nextPosts, type OpenPost, type WaitingPost } from '../../../src/domain/webhooks/nextPosts.ts'

const NOW = Date.parse('2030-06-01T00:00:00Z')
const first = (order_id: string | null = null): WaitingPost => ({ made: 0, order_id })
const retry = (order_id: string | null = null): WaitingPost => ({ made: 1, order_id })
const open = (waiting: WaitingPost, since = 0): OpenPost => ({ ...waiting, at: NOW - since })
const pace = (more: Partial<EndpointPace> = {}): EndpointPace => ({ isFailing: false, last: 'delivered', lastTook: 20, out: [], ...more })

describe('the posts to begin now', () => {
  it('are four at once for an endpoint that answers well', () => {
    const queue = [first(), first(), first(), first(), first()]
    expect(nextPosts({ queue, ...pace() }, NOW)).toEqual(queue.slice(0, 4))
    expect(nextPosts({ queue, ...pace({ out: [open(first()), open(retry())] }) }, NOW)).toHaveLength(2)
  })

  it.each<[string, Partial<EndpointPace>]>([
    ['has not answered yet', { last: undefined, lastTook: undefined }],
    ['failed at its last post', { last: 'failed' }],
    ['fails since some time', { isFailing: true }],
    ['took more than a second', { lastTook: 1_001 }],
  ])('hold one new delivery at a time while the endpoint %s, and retries beside it', (_, state) => {
    const queue = [first(), retry(), first(), retry()]
    expect(nextPosts({ queue, ...pace(state) }, NOW)).toEqual([first(), retry(), retry()])
    expect(nextPosts({ queue, ...pace({ ...state, out: [open(first())] }) }, NOW)).toEqual([retry(), retry()])
  })

  it('hold no new delivery while a post is out for more than a second', () =>
    expect(nextPosts({ queue: [first(), retry()], ...pace({ out: [open(first(), 1_001)] }) }, NOW)).toEqual([retry()]))

  it('hold one event of an order at a time; a retry waits for none and keeps none waiting', () => {
    const queue = [first('a'), first('a'), retry('a'), first('b')]
    expect(nextPosts({ queue, ...pace() }, NOW)).toEqual([first('a'), retry('a'), first('b')])
    expect(nextPosts({ queue: [first('a')], ...pace({ out: [open(first('a'))] }) }, NOW)).toEqual([])
    expect(nextPosts({ queue: [first('a')], ...pace({ out: [open(retry('a'))] }) }, NOW)).toEqual([first('a')])
  })
})

describe('an endpoint is slow', () => {
  it('when its last answer took more than a second, or a post is out for longer', () => {
    expect(isSlow(pace({ lastTook: 1_001 }), NOW)).toBe(true)
    expect(isSlow(pace({ out: [open(first(), 1_001)] }), NOW)).toBe(true)
    expect(isSlow(pace({ out: [open(first(), 1_000), { ...first(), at: undefined }] }), NOW)).toBe(false)
  })

  it('when it fails and nothing is known of its last answer; one that fails at once is not', () => {
    expect(isSlow(pace({ isFailing: true, last: undefined, lastTook: undefined }), NOW)).toBe(true)
    expect(isSlow(pace({ isFailing: true, last: 'failed', lastTook: 5 }), NOW)).toBe(false)
    expect(isSlow(pace({ last: undefined, lastTook: undefined }), NOW)).toBe(false)
  })
})
