import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { openDatabase } from '../../src/store/connection/database.ts'
import { startWindowTimer } from '../../worker/openWindows.ts'
import type { Repeated } from '../../worker/repeat.ts'
import { startCuttableProxy } from '../support/engines/cuttableProxy.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { sellerPut } from '../support/http/sellerPut.ts'
import { aCard, aCatalog, aProduct, aRate } from '../support/orders/published.ts'
import { until } from '../support/until.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
let timers: Repeated[] = []
beforeAll(async () => {
  await put('catalog', aCatalog(aProduct('prime')))
})
afterEach(stopTimers)
beforeEach(() => {
  clock = Date.now()
})

/** What the clock of the timers says, and how often they have read it. */
let clock = 0
let looks = 0
const now = () => {
  looks += 1
  return clock
}
/** Until timers have looked again, each of them to the end. */
async function lookedAgain(): Promise<void> {
  const enough = looks + 2 * timers.length
  await until(() => looks > enough)
}

const said: string[] = []
const logger = { info: (message: string) => void said.push(message), warn: (message: string) => void said.push(message) }

function startTimer(db = app.deps.db) {
  timers.push(startWindowTimer({ db, logger, now, lookMs: 50 }))
}
async function stopTimers() {
  await Promise.all(timers.map((timer) => timer.stop()))
  timers = []
}
async function put(what: string, body: object) {
  const reply = await sellerPut(app)(what, body)
  expect(reply.status).toBe(200)
}
/** Publishes a window that opens and closes in so many milliseconds. */
async function publish(commit: string, opens: number, closes: number) {
  const stamp = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
  const window = { opens: stamp(opens), closes: stamp(closes) }
  await put(
    'rate-cards',
    aCard(commit, [aRate('prime', { market_class: 'discounted', advertiser_class: commit, week: '2026-W50', window })]),
  )
  return window
}
async function announced(): Promise<{ occurred_at: string; data: { opens: string } }[]> {
  await feedSettled(app.deps.db)
  const token = app.tokens.buyers.zenith
  const { body } = await app.request
    .get('/v1/events/feed?limit=500&events=catalog.window_opened')
    .auth(token, { type: 'bearer' })
    .expect(200)
  return body.events
}
/** When a window was announced, each time that it was. */
const timesOf = async ({ opens }: { opens: string }) =>
  (await announced()).filter(({ data }) => data.opens === opens).map(({ occurred_at }) => occurred_at)

describe('the window timer', () => {
  it('announces a window when it opens and not before, once, with several workers at it', async () => {
    said.length = 0
    for (let worker = 0; worker < 3; worker++) startTimer()
    const [window, later] = [await publish('soon', 60_000, 600_000), await publish('later', 120_000, 600_000)]
    clock = Date.parse(window.opens) - 1
    await lookedAgain()
    expect([await timesOf(window), await timesOf(later)]).toEqual([[], []])
    clock = Date.parse(window.opens)
    await until(async () => (await timesOf(window)).length > 0)
    expect(await timesOf(later)).toEqual([])
    clock = Date.parse(later.opens)
    await until(async () => (await timesOf(later)).length > 0)
    await lookedAgain()
    await stopTimers()
    for (const { opens } of [window, later]) {
      const [at = '', ...again] = await timesOf({ opens })
      expect(again).toEqual([])
      expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(opens))
    }
    expect(said.reduce((sum, line) => sum + Number(/^(\d+) rate windows that were due are announced$/.exec(line)?.[1]), 0)).toBe(2)
  })

  it('announces after a restart what opened while no worker was there, and never what closed meanwhile', async () => {
    startTimer()
    await stopTimers()
    const [missed, over] = [await publish('missed', 60_000, 600_000), await publish('over', 60_000, 61_000)]
    clock = Date.parse(over.closes)
    expect(await timesOf(missed)).toEqual([])
    startTimer()
    await until(async () => (await timesOf(missed)).length > 0)
    expect([await timesOf(missed), await timesOf(over)]).toEqual([[expect.any(String)], []])
  })

  it('continues after a database outage, and logs it once', async () => {
    const proxy = await startCuttableProxy(app.databaseUrl)
    const db = openDatabase(Object.assign(new URL(app.databaseUrl), { host: new URL(proxy.url).host }).href, { max: 1 })
    const window = await publish('outage', 60_000, 600_000)
    clock = Date.parse(window.opens)
    proxy.leadTo(undefined)
    said.length = 0
    startTimer(db)
    await until(() => proxy.connections() >= 3)
    expect(said).toEqual(['rate windows cannot be announced; trying again'])
    proxy.leadTo(app.databaseUrl)
    await until(async () => (await timesOf(window)).length > 0)
    await stopTimers()
    expect(said).toEqual(['rate windows cannot be announced; trying again', '1 rate windows that were due are announced'])
    await db.close()
    await proxy.close()
  })
})
