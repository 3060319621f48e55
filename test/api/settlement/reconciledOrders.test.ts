import { describe, expect, it } from '@jest/globals'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import { aLogged, bookedOrder, sendPosts } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const READS = [
  ['acme', '/settlement/reconciliation'],
  ['cable', '/me/settlement/reconciliation'],
] as const

interface Changes {
  items: { order_id: string; revision: number; codes: string[] }[]
  next_cursor: string
}
const changes = async (tenant: (typeof READS)[number][0] | 'zenith', query = ''): Promise<Changes> => {
  const at = tenant === 'cable' ? '/me/settlement/reconciliation' : '/settlement/reconciliation'
  const reply = await market[tenant].get(`${at}${query}`)
  expect(reply.status).toBe(200)
  return reply.body
}
/** The cursor after every change so far. */
const now = async (tenant: (typeof READS)[number][0], query = '') => {
  await feedSettled(market.deps.db)
  return (await changes(tenant, query)).next_cursor
}
let logs = 0
/** A row with a log_id of its own, so that it does not replace the log of another order. */
const logged = (order: string, more: object = {}) => aLogged(order, { log_id: `log-${++logs}`, ...more })
const reconciled = async (...rows: object[]) => {
  const order = await bookedOrder(market)
  await sendPosts(market, 'cable', [logged(order), ...rows.map((row) => logged(order, row))])
  return order
}
const idsOf = ({ items }: Changes) => items.map(({ order_id }) => order_id)

describe('GET /settlement/reconciliation: 200', () => {
  it('begins with every reconciled order, and returns a cursor even when there is none', async () => {
    await feedSettled(market.deps.db)
    const empty = await changes('acme')
    expect(empty).toEqual({ items: [], next_cursor: expect.any(String) })
    expect(await changes('acme', `?after=${empty.next_cursor}`)).toEqual(empty)
    const order = await reconciled({ air_time: '23:30' })
    await feedSettled(market.deps.db)
    for (const [tenant] of READS) {
      expect((await changes(tenant)).items).toEqual([
        {
          ...{ order_id: order, seller: 'cable', buyer_entity: 'acme', revision: 1, state: 'reconciled', currency: 'USD' },
          ...{ reconciled_at: expect.stringMatching(/Z$/), broadcast_months: ['2030-06'] },
          codes: ['ORDERED_NOT_RUN', 'OUT_OF_DAYPART'],
          totals: expect.objectContaining({ ordered: 10, aired_in_spec: 1, aired_out_of_spec: 1, missed: 2 }),
        },
      ])
    }
    expect((await changes('acme', `?after=${empty.next_cursor}`)).items).toHaveLength(1)
    expect((await changes('zenith')).items).toEqual([])
    expect((await market.station.get('/me/settlement/reconciliation')).body.items).toEqual([])
  })

  it('lists an order once, at its last change, whether by a new result or by an action', async () => {
    const [first, second] = [await reconciled({ air_time: '23:30' }), await reconciled()]
    const [after, sellersAfter] = [await now('acme'), await now('cable')]
    expect(await changes('acme', `?after=${after}`)).toEqual({ items: [], next_cursor: after })
    const variances = (await market.acme.get(`/orders/${first}/reconciliation?code=OUT_OF_DAYPART`)).body.lines[0].variances
    await sendPosts(market, 'cable', [logged(second, { air_time: '21:00' })])
    for (const action of ['dispute', 'dispute'])
      await market.acme.post(`/orders/${first}/reconciliation/variances/${variances[0].variance_id}`, { action })
    await feedSettled(market.deps.db)
    const changed = await changes('cable', `?after=${sellersAfter}`)
    expect(changed.items.map(({ order_id, revision }) => [order_id, revision])).toEqual([
      [second, 2],
      [first, 2],
    ])
    expect(idsOf(await changes('acme', `?after=${after}`))).toEqual([second, first])
  })

  it('continues page by page and past orders that the filters leave out', async () => {
    const after = await now('acme')
    const late = await now('acme', '?code=OUT_OF_DAYPART')
    const orders = [await reconciled({ air_time: '23:30' }), await reconciled(), await reconciled({ air_time: '23:30' })]
    await feedSettled(market.deps.db)
    const found: string[] = []
    let cursor = after
    for (let page = 0; page < 3; page += 1) {
      const { items, next_cursor } = await changes('acme', `?limit=1&after=${cursor}`)
      found.push(...items.map(({ order_id }) => order_id))
      cursor = next_cursor
    }
    expect(found).toEqual(orders)
    expect((await changes('acme', `?limit=1&after=${cursor}`)).next_cursor).toBe(cursor)
    expect(idsOf(await changes('acme', `?code=OUT_OF_DAYPART&after=${late}`))).toEqual([orders[0], orders[2]])
    const elsewhere = await changes('acme', '?broadcast_month=2030-07')
    expect(elsewhere.items).toEqual([])
    expect((await changes('acme', `?broadcast_month=2030-07&after=${elsewhere.next_cursor}`)).items).toEqual([])
  })

  it('shows nothing of a transaction that is still open, nor of a later one, so that a reader misses nothing behind its cursor', async () => {
    const order = await reconciled()
    const after = await now('acme')
    const open = await market.deps.db.pool.connect()
    try {
      await open.query('begin')
      await open.query('select pg_current_xact_id()')
      await sendPosts(market, 'cable', [logged(order, { air_time: '21:00' })])
      expect(await changes('acme', `?after=${after}`)).toEqual({ items: [], next_cursor: after })
    } finally {
      await open.query('rollback')
      open.release()
    }
    await feedSettled(market.deps.db)
    expect(idsOf(await changes('acme', `?after=${after}`))).toEqual([order])
  })
})

describe('GET /settlement/reconciliation: 422', () => {
  it.each(['?code=LATE', '?broadcast_month=june', '?limit=501', '?state=open', '?cursor=x', '?after=x'])('%s', async (query) => {
    for (const [tenant, at] of READS) expect((await market[tenant].get(`${at}${query}`)).status).toBe(422)
  })

  it('a cursor of other filters, of the other side or of the feed', async () => {
    const { next_cursor } = await changes('acme')
    const feed = (await market.acme.get('/events/feed')).body.next_cursor
    for (const query of [`?code=MISSED&after=${next_cursor}`, `?after=${feed}`])
      expect(await market.acme.get(`/settlement/reconciliation${query}`)).toMatchObject({
        status: 422,
        body: { details: { field: 'after' } },
      })
    expect((await market.cable.get(`/me/settlement/reconciliation?after=${next_cursor}`)).status).toBe(422)
  })
})
