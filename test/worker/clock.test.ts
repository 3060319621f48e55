import { describe, expect, it } from '@jest/globals'
import { endProcess } from '../support/childProcesses.ts'
import { orderRun } from '../support/engines/orderRun.ts'
import { useWorkers } from '../support/engines/useWorkers.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const workers = useWorkers(market)

const TEN_MINUTES = 600_000

/** Makes a process believe that it is later: what a clock that is off does to our code. Timers and Temporal's library count, and do not tell the time. */
function clockOff(ms: number): string {
  const source = `const Right = Date
    globalThis.Date = class Date extends Right {
      constructor(...given) { super(...(given.length === 0 ? [Right.now() + ${ms}] : given)) }
      static now() { return Right.now() + ${ms} }
    }`
  return `--import=data:text/javascript,${encodeURIComponent(source)}`
}

const start = (ms: number) => workers.start({ NODE_OPTIONS: clockOff(ms) })
const reaches = (orderId: string, status: string) => until(async () => (await market.snapshot(orderId)).status === status, 60)
const decide = async (orderId: string, body: object) =>
  expect((await market.cable.post(`/me/orders/${orderId}/decide`, { actor: 'Ada', ...body })).status).toBe(202)
const run = (orderId: string) => orderRun(workers.env.client, orderId)

/** An order whose run has ended. */
async function placed(): Promise<string> {
  const orderId = await market.created()
  await reaches(orderId, 'seller_review')
  await decide(orderId, { decision: 'approve' })
  await (await run(orderId)).result()
  return orderId
}

/** An order with a counter whose quote lapses after `ms`. */
async function negotiating(ms: number): Promise<string> {
  const orderId = await market.created()
  await reaches(orderId, 'seller_review')
  const [unit] = (await market.snapshot(orderId)).line_items
  const quote_expires_at = new Date(Date.now() + ms).toISOString()
  const counter = { week: '2030-W24', unit_cost: 1100, quote_expires_at }
  await decide(orderId, { decision: 'counter', units: [{ unit_id: unit?.unit_id, action: 'counter', counter }] })
  return orderId
}

describe('a worker whose clock is ten minutes off', () => {
  it.each([
    ['fast', TEN_MINUTES],
    ['slow', -TEN_MINUTES],
  ])(
    'that is %s walks orders to their end, and their stamps rise',
    async (_, ms) => {
      const worker = await start(ms)
      const orderId = await placed()
      const stamps = (await market.events(orderId)).map(({ occurred_at }) => Date.parse(String(occurred_at)))
      expect(stamps).toHaveLength(4)
      expect(stamps).toEqual([...new Set(stamps)].sort((one, other) => one - other))
      await endProcess(worker, 'SIGTERM')
    },
    120_000,
  )

  it('and is fast ends no quote early: Temporal’s clock says when a run looks', async () => {
    const worker = await start(TEN_MINUTES)
    const orderId = await negotiating(TEN_MINUTES / 2)
    await (await run(orderId)).signal('wake')
    // The signal has been worked on once the run of a later order, on the same worker, has ended.
    await placed()
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'negotiating', substatus: null })
    await endProcess(worker, 'SIGTERM')
  }, 120_000)

  it('and is slow ends a quote once another worker looks', async () => {
    const slow = await start(-TEN_MINUTES)
    const starting = start(0)
    const orderId = await negotiating(1_500)
    const lapsed = async () => (await market.snapshot(orderId)).substatus === 'quote_lapsed'
    const right = await starting
    await endProcess(slow, 'SIGTERM')
    await until(lapsed, 60)
    await endProcess(right, 'SIGTERM')
  }, 120_000)
})
