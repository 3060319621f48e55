import { describe, expect, it } from '@jest/globals'
import { OpsHealth } from '../../../src/contract/opsHealth.ts'
import { claimEngineReport, deleteWorker, reportWorker, saveEngineReport } from '../../../src/store/ops/reports.ts'
import { registered } from '../../support/files/drops.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const health = async () => OpsHealth.parse((await market.operations.get('/ops/health')).body)

describe('GET /ops/health: 200', () => {
  it('shows what waits and for how long', async () => {
    const orderId = await market.parked()
    await market.owner().query(`update outbox set created_at = now() - interval '90 seconds' where target = $1`, [orderId])
    const { orders, outbox, feed } = await health()
    expect(orders.open).toEqual([{ status: 'seller_review', age: '1h', orders: 1 }])
    expect(outbox.rows).toBeGreaterThan(0)
    expect(outbox.oldest_s).toBeGreaterThanOrEqual(90)
    expect(feed.age_s).toBeLessThan(60)
  })

  it('shows how long an open transaction has kept events off the feeds', async () => {
    const holder = await market.deps.db.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select pg_current_xact_id()')
      await until(async () => (await health()).feed.age_s > 0.2, 20)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  it('shows which workers are alive, and what they last saw of Temporal', async () => {
    expect(await health()).toMatchObject({ workers: [], temporal: { reachable: false, reported_at: null, schedules: [] } })
    await reportWorker(market.deps.db, 'one')
    await reportWorker(market.deps.db, 'two')
    await reportWorker(market.deps.db, 'three')
    await market.owner().query(`update workers set seen_at = now() - interval '16 seconds' where worker_id = 'two'`)
    await market.owner().query(`update workers set seen_at = now() - interval '61 minutes' where worker_id = 'three'`)
    expect(await claimEngineReport(market.deps.db)).toBe(true)
    expect(await claimEngineReport(market.deps.db)).toBe(false)
    const schedule = { schedule_id: 'settlement', paused: true, last_at: null, next_at: '2030-01-01T00:00:00.000Z' }
    await saveEngineReport(market.deps.db, { reachable: true, stuck: [], schedules: [schedule] })
    const { workers, temporal } = await health()
    expect(workers).toMatchObject([
      { worker_id: 'one', alive: true },
      { worker_id: 'two', alive: false },
    ])
    expect(temporal).toMatchObject({ reachable: true, schedules: [schedule] })
    await market.owner().query(`update engine_reports set reported_at = now() - interval '16 seconds'`)
    expect((await health()).temporal.reachable).toBe(false)
    await deleteWorker(market.deps.db, 'one')
    expect((await health()).workers).toMatchObject([{ worker_id: 'two' }])
  })

  it('counts stuck orders by reason', async () => {
    const orderId = await market.parked()
    await market.owner().query(`update orders set stuck_reason = 'secret_missing' where order_id = $1`, [orderId])
    expect((await health()).orders.stuck).toContainEqual({ reason: 'secret_missing', orders: 1 })
    await market.owner().query(`update orders set stuck_reason = null where order_id = $1`, [orderId])
  })
})

describe('GET /ops/drops: 200', () => {
  it('lists the drops of every seller by state, in pages', async () => {
    // Their numbers are 9 and 10, which would sort the other way round as text.
    await market.owner().query('alter table drops alter column registration restart with 9')
    await registered(market, market.cable, 'd-1', { 'avails.csv': 'product_id' })
    await registered(market, market.cable, 'd-2', { 'avails.csv': 'product_id,' })
    const list = async (query = '') => (await market.operations.get(`/ops/drops${query}`)).body
    const namesOf = ({ items }: { items: { drop_id: string }[] }) => items.map(({ drop_id }) => drop_id)
    expect(namesOf(await list())).toEqual(['d-2', 'd-1'])
    expect(namesOf(await list('?state=processing'))).toEqual(['d-1', 'd-2'])
    expect(namesOf(await list('?state=faulty'))).toEqual([])
    const first = await list('?state=processing&limit=1')
    expect(namesOf(await list(`?state=processing&limit=1&cursor=${encodeURIComponent(first.next_cursor)}`))).toEqual(['d-2'])
    expect(first.items[0]).toMatchObject({ seller: 'cable', run_no: 1, stage: 'fetch', run_id: 'drop:cable/d-1', stuck_reason: null })
  })
})

describe('GET /ops/connections: 200', () => {
  it('lists the sellers with an API of their own, and the state of its connection', async () => {
    expect((await market.operations.get('/ops/connections')).body).toEqual({ items: [], next_cursor: null })
    await market.station.put('/me/secrets/pull', { value: 'of the seller' })
    const pull = { base_url: 'https://orders.station.example:8443/marketplace/tenant-key', secret_ref: 'pull' }
    await market.station.put('/me/capabilities', { approval: 'pull', transports: { pull } })
    const only = async () => (await market.operations.get('/ops/connections')).body.items[0]
    expect(await only()).toMatchObject({
      seller: 'station',
      host: 'orders.station.example:8443',
      approval: 'pull',
      state: 'idle',
      waiting: 0,
    })
    const orderId = await market.parked()
    await market
      .owner()
      .query(`update orders set seller = 'station', gate_due = 'pull', stuck_reason = 'unreachable:connect' where order_id = $1`, [orderId])
    await market.owner().query(`insert into remote_asks (order_id, asks, unreachable, asked_at) values ($1, 5, 4, now())`, [orderId])
    expect(await only()).toMatchObject({
      ...{ state: 'failing', waiting: 1, most_unanswered: 4, last_asked_at: expect.any(String) },
      stuck: [{ reason: 'unreachable:connect', orders: 1 }],
    })
    const nowAt = async (unreachable: number) => {
      await market.owner().query('update orders set stuck_reason = null where order_id = $1', [orderId])
      await market.owner().query('update remote_asks set unreachable = $2 where order_id = $1', [orderId, unreachable])
      return (await only()).state
    }
    expect([await nowAt(1), await nowAt(0)]).toEqual(['failing', 'answering'])
    await market.owner().query(`update orders set seller = 'cable', gate_due = null, stuck_reason = null where order_id = $1`, [orderId])
  })
})
