import { describe, expect, it } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { beating } from '../../activities/beating.ts'
import { deliveryActivities } from '../../activities/deliveries.ts'
import { sandboxActivities } from '../../activities/sandbox.ts'
import { MarketplaceError } from '../../client/src/index.ts'
import type { Players } from '../../src/local/sandbox/players.ts'
import type { Database } from '../../src/store/connection/database.ts'
import { moment } from '../support/hookedDatabase.ts'
import { settled } from '../support/until.ts'

const STATE = { at: null, waiting: 0, delivered: 3, last_status: 204 }

/** The parties of a sandbox, of which one hears nothing until `heard` says so. */
function party(heard: Players['heard'], more: Partial<Players> = {}) {
  const woken: string[] = []
  const players: Players = {
    ...{ open: async () => undefined, play: async () => null, waiting: async () => ['ord_waits'], heard },
    ...{ isClosed: () => false, close: async () => undefined, carryOut: async () => ({}) },
    ...more,
  }
  const wakePlay = () => async (_: string, order_id: string) => void woken.push(order_id)
  // Nothing is carried out here, so that no database is asked.
  const db = {} as Database
  return { woken, ...sandboxActivities({ db, players, wakePlay }) }
}
// Nothing is asked of it.
const client = new Client({ connection: Connection.lazy({ address: '127.0.0.1:9', interceptors: [] }) })
const activity = (info = {}) => new MockActivityEnvironment(info, { client, logger: new DefaultLogger('ERROR') })
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** Each step that beats, which does its work until `work` resolves. */
const STEPS: [name: string, everyMs: number, tells: unknown, step: (work: Promise<void>) => Promise<unknown>][] = [
  ['most of them', 1_000, undefined, (work) => beating(() => work)],
  [
    'deliveries',
    2_000,
    { delivered: 2, waiting: 1, last_status: 204 },
    (work) =>
      deliveryActivities({
        deliver: () => work.then(() => STATE),
        progress: () => ({ delivered: 2, waiting: 1, last_status: 204 }),
      }).deliver('whe_1'),
  ],
  [
    'a party of a sandbox',
    1_000,
    'cursor-1',
    (work) => party(async () => work.then(() => Promise.reject(new Error('over')))).listen('sandbox-tv', 'cursor-1'),
  ],
]

describe('a step that may take long', () => {
  it('tells within its first seconds that its worker is alive, and how far it is', async () => {
    const over = moment()
    const ends = STEPS.map(async ([name, everyMs, tells, step]) => {
      const env = activity()
      const began = performance.now()
      const beaten = new Promise((resolve) => env.once('heartbeat', (told) => resolve([name, told, performance.now() - began])))
      const ended = env.run(() => step(over.has)).catch(() => undefined)
      const beat = await beaten
      expect(beat).toEqual([name, tells, expect.any(Number)])
      expect((beat as [string, unknown, number])[2]).toBeGreaterThan(everyMs * 0.9)
      expect((beat as [string, unknown, number])[2]).toBeLessThan(everyMs * 2 + 900)
      return ended
    })
    setTimeout(over.come, 2_300)
    await Promise.all(ends)
  })

  it.each(STEPS)('beats no more once it has ended, or failed: %s', async (_, __, ___, step) => {
    const before = timers()
    await activity()
      .run(() => step(settled()))
      .catch(() => undefined)
    await activity()
      .run(() => step(Promise.reject(new Error('failed'))))
      .catch(() => undefined)
    expect(timers()).toBe(before)
  })
})

describe('a party of a sandbox', () => {
  it('is woken first for what waits for it, then for what moves, and goes on at its cursor after a death', async () => {
    const heard: (string | null)[] = []
    const env = activity()
    const listens = party(async (_, after) => {
      heard.push(after)
      if (heard.length === 3) env.cancel()
      return { cursor: `cursor-${heard.length}`, order_ids: heard.length === 1 ? ['ord_old'] : ['ord_moved'] }
    })
    expect(await env.run(() => listens.listen('sandbox-tv', null))).toBe('cursor-3')
    expect([heard, listens.woken]).toEqual([
      [null, 'cursor-1', 'cursor-2'],
      ['ord_waits', 'ord_moved', 'ord_moved'],
    ])

    const after = activity({ heartbeatDetails: 'cursor-9' })
    const goesOn = party(async (_, cursor) => {
      after.cancel()
      return { cursor: `${cursor}!`, order_ids: [] }
    })
    expect(await after.run(() => goesOn.listen('sandbox-tv', 'cursor-1'))).toBe('cursor-9!')
    expect(goesOn.woken).toEqual([])
  })

  it('gives its cursor to another worker where its own is being closed', async () => {
    const closing = party(() => Promise.reject(new Error('closed')), { isClosed: () => true })
    expect(await activity().run(() => closing.listen('sandbox-tv', 'cursor-1'))).toBe('cursor-1')
  })

  it.each([
    [400, 'INVALID_INPUT', true],
    [409, 'INVALID_STATE', true],
    [401, 'UNAUTHENTICATED', false],
    [429, 'RATE_LIMITED', false],
    [500, 'INTERNAL', false],
    [503, undefined, false],
  ])('that is refused with %i tries again unless that is final', async (status, code, isFinal) => {
    const error = Object.assign(Object.create(MarketplaceError.prototype), { code, status, message: 'refused' })
    const refused = party(async () => ({ cursor: '', order_ids: [] }), { play: () => Promise.reject(error) })
    const failure = await activity()
      .run(() => refused.play('sandbox-tv', 'ord_1'))
      .catch((thrown: ApplicationFailure) => thrown)
    expect(failure).toBeInstanceOf(ApplicationFailure)
    expect(failure instanceof ApplicationFailure && [failure.type, failure.nonRetryable]).toEqual([code ?? 'status_503', isFinal])
  })

  it('says when it looks at an order again, and that nothing is due', async () => {
    const due = Date.parse('2030-06-01T12:00:00.000Z')
    const plays = (next: number | null) =>
      activity().run(() => party(async () => ({ cursor: '', order_ids: [] }), { play: async () => next }).play('sandbox-tv', 'ord_1'))
    expect([await plays(due), await plays(null)]).toEqual(['2030-06-01T12:00:00.000Z', null])
  })
})
