import { describe, expect, it } from '@jest/globals'
import { nextPosts } from '../../../src/domain/webhooks/nextPosts.ts'
import {
  BATCH,
  type ClaimedPost,
  claimed,
  ended,
  isLookDue,
  looking,
  type NextStep,
  newRound,
  nextStepOf,
  type PostOutcome,
  type Round,
  STAY_MS,
  sent,
  started,
  takesNew,
  withEndpoint,
  withMore,
} from '../../../src/domain/webhooks/round.ts'

const NOW = Date.parse('2030-06-01T00:00:00Z')
const later = (ms: number) => NOW + ms
type Event = (round: Round<ClaimedPost>) => Round<ClaimedPost>

const first = (delivery_no: string, order_id: string | null = null): ClaimedPost => ({ delivery_no, made: 0, order_id })
const retry = (delivery_no: string): ClaimedPost => ({ delivery_no, made: 1, order_id: null })
const many = (count: number) => Array.from({ length: count }, (_, n) => first(`n${n}`))

const looked = (at: number, due: readonly ClaimedPost[] = [], isFull = false): Event => {
  return (round) => claimed(withEndpoint(looking(round, at), { failingSince: null }), due, isFull)
}
const posted = (at: number, ...due: ClaimedPost[]): Event => {
  return (round) => due.reduce((next, one) => sent(next, one, at), started(round, due))
}
const answered = (due: ClaimedPost, latency_ms: number, status: PostOutcome['status'] = 'delivered', dueAt = NOW): Event => {
  return (round) => ended(round, due, { status, dueAt, attempt: { latency_ms } })
}
const woken: Event = withMore

/** What has happened to a round, what happens then, and what the sender does after it. */
const given = (...past: Event[]) => ({
  when: (...events: Event[]) => ({
    then: (
      now: number,
      expected: { looks?: boolean; posts?: readonly string[]; rest?: NextStep },
      is: { writing?: true; ending?: true } = {},
    ) => {
      const round = [...past, ...events].reduce((next, event) => event(next), newRound<ClaimedPost>())
      const rest = nextStepOf(round, now, { isWriting: is.writing === true, isEnding: is.ending === true, stayMs: STAY_MS })
      const does = { looks: isLookDue(round, now), posts: nextPosts(round, now).map(({ delivery_no }) => delivery_no), rest }
      expect(does).toMatchObject(expected)
    },
  }),
})

describe('a sender looks for what is due', () => {
  it('when it comes', () => given().when().then(NOW, { looks: true, posts: [] }))

  it('again when it is woken, and not before', () => {
    given(looked(NOW)).when().then(later(1), { looks: false })
    given(looked(NOW)).when(woken).then(later(1), { looks: true })
  })

  it('after a claim that may have left more behind, once there is room', () => {
    const [one, ...others] = many(BATCH)
    given(looked(NOW, many(BATCH), true))
      .when()
      .then(later(1), { looks: false })
    given(looked(NOW, [one as ClaimedPost], true))
      .when()
      .then(later(1), { looks: true })
    given(looked(NOW, many(BATCH), true))
      .when(posted(NOW, ...others), ...others.map((due) => answered(due, 20)))
      .then(later(1), { looks: true })
  })

  it('each second while it works; each five seconds while the endpoint is slow', () => {
    given(looked(NOW)).when().then(later(999), { looks: false })
    given(looked(NOW)).when().then(later(1_000), { looks: true })
    const slow = [looked(NOW, many(2)), posted(NOW, first('n0')), answered(first('n0'), 1_001)]
    given(...slow)
      .when()
      .then(later(4_999), { looks: false })
    given(...slow)
      .when()
      .then(later(5_000), { looks: true })
  })

  it('when one of its retries is due, though there is no room for anything new', () => {
    const silent = [
      looked(NOW, [first('a'), first('b')]),
      posted(NOW, first('a')),
      answered(first('a'), 20, 'pending', later(2_000)),
      posted(NOW, first('b')),
    ]
    given(...silent)
      .when(woken)
      .then(later(1_999), { looks: false, rest: { ms: 1 } })
    given(...silent)
      .when(woken)
      .then(later(2_000), { looks: true, rest: { ms: 0 } })
  })
})

describe('a retry', () => {
  const due = { ...first('a'), made: 1 }
  const tried = [looked(NOW, [first('a')]), posted(NOW, first('a')), answered(first('a'), 20, 'pending', later(2_000))]

  it('that the database does not find due yet, whose clock is behind, is looked for a second long', () => {
    given(...tried)
      .when(looked(later(2_000)))
      .then(later(2_001), { looks: false, rest: { ms: 99 } })
    given(...tried)
      .when(looked(later(2_000)), looked(later(2_100)))
      .then(later(2_200), { looks: true })
    given(...tried)
      .when(looked(later(2_000)), looked(later(3_000)))
      .then(later(3_001), { looks: false, rest: { ms: 999 } })
  })

  it('is not looked for once it is claimed', () =>
    given(...tried)
      .when(looked(later(2_000), [due]), posted(later(2_000), due), answered(due, 20))
      .then(later(2_100), { looks: false, rest: { ms: 900 } }))
})

describe('a look', () => {
  it('takes nothing new when half a batch waits', () => {
    const holding = (count: number) => looked(NOW, many(count))(newRound<ClaimedPost>())
    expect([takesNew(holding(BATCH / 2 - 1)), takesNew(holding(BATCH / 2))]).toEqual([true, false])
  })

  it('puts retries first', () =>
    given(looked(NOW, [first('a')]))
      .when(looked(NOW, [first('b'), retry('c')]))
      .then(NOW, { posts: ['c', 'a'] }))

  it('remembers a wake-up that comes while it runs', () => {
    const wokenMeanwhile: Event = (round) => claimed(withMore(looking(round, NOW)), [], false)
    given().when(wokenMeanwhile).then(later(1), { looks: true })
  })
})

describe('posts', () => {
  it('begin one at a time until one was answered well, then four at once', () => {
    const due = many(6)
    given(looked(NOW, due))
      .when()
      .then(NOW, { posts: ['n0'] })
    given(looked(NOW, due))
      .when(posted(NOW, first('n0')))
      .then(NOW, { posts: [] })
    const one = due[0] as ClaimedPost
    given(looked(NOW, due))
      .when(posted(NOW, one), answered(one, 20))
      .then(NOW, { posts: ['n1', 'n2', 'n3', 'n4'] })
  })

  it('stay pending when their turn never came', () => {
    const one = first('a')
    given(looked(NOW, [one]), posted(NOW, one))
      .when((round) => ended(round, one))
      .then(NOW, { posts: [] })
  })

  it('are not begun for an endpoint that is gone, nor retried', () => {
    const failed = [looked(NOW, many(3)), answered(first('x'), 20, 'pending', later(2_000))]
    given(...failed)
      .when((round) => withEndpoint(round, undefined))
      .then(later(500), { posts: [], rest: 'leave' })
  })
})

describe('a sender with nothing to do', () => {
  const one = first('a')
  const sent = [looked(NOW, [one]), posted(NOW, one), answered(one, 20)]

  it('stays for five seconds after it has sent something, looks each second, and leaves then', () => {
    given(...sent)
      .when()
      .then(later(400), { looks: false, rest: { ms: 600 } })
    given(...sent)
      .when(looked(later(1_000)), looked(later(4_500)))
      .then(later(4_520), { looks: false, rest: { ms: 500 } })
    given(...sent)
      .when(looked(later(5_000)))
      .then(later(5_020), { rest: 'leave' })
  })

  it('leaves a retry that is due later to its run', () => {
    given(looked(NOW, [one]), posted(NOW, one))
      .when(answered(one, 20, 'pending', later(8_020)), looked(later(5_000)))
      .then(later(5_020), { looks: false, rest: 'leave' })
  })

  it('that has sent nothing leaves at once, and not before it has looked for what it was woken for', () => {
    given(looked(NOW)).when().then(later(1), { rest: 'leave' })
    given(looked(NOW))
      .when(woken)
      .then(later(1), { rest: { ms: 0 } })
  })

  it('looks each second though its endpoint is slow', () => {
    given(looked(NOW, [one]), posted(NOW, one))
      .when(answered(one, 1_001))
      .then(later(1_001), { looks: true })
  })

  it('stays while attempts are written down', () => {
    given(looked(NOW))
      .when()
      .then(later(900), { rest: { ms: 100 } }, { writing: true })
  })
})

describe('a sender that ends', () => {
  it('waits for its open posts and for attempts that it is writing, and leaves the rest', () => {
    const one = first('a')
    given(looked(NOW, many(3)), posted(NOW, one))
      .when()
      .then(NOW, { rest: { ms: undefined } }, { ending: true })
    given(looked(NOW, many(3)))
      .when()
      .then(NOW, { rest: { ms: undefined } }, { ending: true, writing: true })
    given(looked(NOW, many(3)))
      .when()
      .then(NOW, { rest: 'leave' }, { ending: true })
  })
})
