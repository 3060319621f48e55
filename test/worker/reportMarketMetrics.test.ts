import { beforeAll, describe, expect, it } from '@jest/globals'
import { endProcess } from '../support/childProcesses.ts'
import { useWorkers } from '../support/engines/useWorkers.ts'
import { freePorts } from '../support/freePorts.ts'
import { scrape } from '../support/metrics/scrape.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const workers = useWorkers(market)
let first: Awaited<ReturnType<typeof startWorker>>

const startWorker = async () => {
  const port = await freePorts(2)
  const worker = await workers.start({ METRICS_PORT: String(port), METRICS_HOST: '127.0.0.1' })
  return { worker, port }
}
const isShownBy = async (port: number) => (await scrape(port)).has('outbox_rows')

beforeAll(async () => {
  await market.parked()
  const overdue = await market.parked()
  const late = (by: string) =>
    market.owner().query('update orders set decide_by = decide_by - $2::interval where order_id = $1', [overdue, by])
  await late('2 days')
  market.beforeStop(() => late('-2 days'))
  await market.owner().query('analyze orders') // or it has no size yet
  first = await startWorker()
}, 120_000)

describe('the figures of the marketplace', () => {
  it('are read from the database and shown by a worker', async () => {
    await until(() => isShownBy(first.port), 60)
    const shown = await scrape(first.port)
    expect(shown.get('orders{status="seller_review",age="1h"}')).toBe(2)
    expect(shown.get('orders_overdue')).toBe(1)
    expect(shown.get('delivery_backlog_age_seconds{kind="webhook"}')).toBe(0)
    expect(shown.get('edi_oldest_unsent_seconds')).toBe(0)
    expect(shown.get('db_table_bytes{table="orders",part="indexes"}')).toBeGreaterThan(0)
    expect(shown.get('db_table_rows{table="orders",state="dead"}')).toBeGreaterThanOrEqual(0)
  }, 90_000)

  it('come with what the worker carries, and with what its Temporal client measures on the next port', async () => {
    await market.created()
    await until(async () => ((await scrape(first.port)).get('outbox_carried_total{kind="order",outcome="carried"}') ?? 0) > 0, 60)
    const temporal = await scrape(first.port + 1)
    expect([...temporal.keys()].some((name) => name.startsWith('temporal_worker_start'))).toBe(true)
  }, 90_000)

  it('are shown by another worker once that one has died, and not before', async () => {
    const second = await startWorker()
    expect(await isShownBy(second.port)).toBe(false)
    await endProcess(first.worker, 'SIGKILL')
    await until(() => isShownBy(second.port), 60)
  }, 120_000)
})
