import { beforeAll, describe, expect, it } from '@jest/globals'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { scale } from '../../attack/support/scale.ts'
import { ingest, landDrop, STAGES } from '../../support/drops/drops.ts'
import { useDrops } from '../../support/drops/useDrops.ts'
import { aCatalog, anAvail, aProduct } from '../../support/orders/published.ts'
import { until } from '../../support/until.ts'

const { app, deps, name, result } = useDrops()

beforeAll(() => put('catalog', aCatalog(aProduct('a'), aProduct('g', { buy_types: ['audience_guaranteed'] }))))

const put = (path: string, body: object) =>
  app.request.put(`/v1/me/${path}`).auth(app.tokens.sellers.station, { type: 'bearer' }).send(body).expect(200)
const HEADER = 'product_id,period.grain,period.start,state,spots.available,units.available'
const weeks = (count: number, year = 2026) =>
  Array.from({ length: count }, (_, index) => `${year + Math.floor(index / 52)}-W${String((index % 52) + 1).padStart(2, '0')}`)
const csv = (...rows: string[]) => [{ filename: 'avails.csv', type: 'avails' as const, text: `${[HEADER, ...rows].join('\n')}\n` }]
const row = (start: string, spots: number, product = 'a') => `${product},week,${start},available,${spots},`
const spots = async (product = 'a') => {
  const { rows } = await app.deps.db.pool.query<{ start: string; spots: number }>(
    `select start, (body->'spots'->>'available')::int as spots from avails where seller = 'station' and product_id = $1 order by start`,
    [product],
  )
  return Object.fromEntries(rows.map(({ start, spots }) => [start, spots]))
}

describe('avails of a drop', () => {
  it('merge by product and period; a refused row is named, and the others are written', async () => {
    await landDrop(
      deps,
      name,
      csv(row('2026-W01', 1), row('2026-W02', 2), 'nothing,week,2026-W01,available,1,', 'g,week,2026-W01,available,1,', row('2026-W01', 9)),
    )
    expect(await ingest(deps, name)).toEqual(['fetch', 'publish', 'avails', 'posts', 'finish'])
    expect(await spots()).toEqual({ '2026-W01': 1, '2026-W02': 2 })
    expect(await result()).toMatchObject({
      status: 'partial',
      rows_written: 2,
      rows_rejected: 3,
      counts: { avails: { rows_written: 2, rows_rejected: 3 } },
      errors: [
        { file: 'avails.csv', row: 4, error_code: 'UNKNOWN_PRODUCT_ID', value: 'nothing' },
        { file: 'avails.csv', row: 5, error_code: 'INVALID_ENTRY', field: 'units.available' },
        { file: 'avails.csv', row: 6, error_code: 'INVALID_ENTRY', field: 'period.start' },
      ],
      errors_truncated: false,
    })
  })

  it('leave alone what was published after the drop was registered, even if it was the same as before', async () => {
    await put('avails', { avails: [avail('2027-W01', 5), avail('2027-W02', 5)] })
    await landDrop(deps, name, csv(row('2027-W01', 6), row('2027-W02', 6), row('2027-W03', 6)))
    await put('avails', { avails: [avail('2027-W01', 7), avail('2027-W02', 5)] })
    await ingest(deps, name)
    expect(await spots()).toMatchObject({ '2027-W01': 7, '2027-W02': 5, '2027-W03': 6 })
  })

  it('of two drops are those of the one that was registered later, whatever was written when', async () => {
    const first = { ...name, drop_id: 'first' }
    await landDrop(deps, first, csv(row('2028-W01', 1)))
    await landDrop(deps, name, csv(row('2028-W01', 2)))
    expect(await ingest(deps, name)).toEqual([]) // its turn has not come
    await ingest(deps, first)
    await ingest(deps, name)
    expect(await spots()).toMatchObject({ '2028-W01': 2 })
  })

  it('are all written by two attempts at once, one of which was given up', async () => {
    const ids = Array.from({ length: scale(36, 60) }, (_, index) => `twin${index}`)
    await put('catalog', aCatalog(...ids.map((id) => aProduct(id))))
    await landDrop(deps, name, csv(...ids.flatMap((id) => weeks(600, 2031).map((week) => row(week, 1, id)))))
    const signal = new AbortController().signal
    for (const stage of ['fetch', 'publish'] as const) await STAGES[stage](deps, name, signal)
    const isMidway = async () => ((await readDrop(deps.db, name.seller, name.drop_id))?.cursor_row ?? 0) > 0
    await Promise.allSettled([STAGES.avails(deps, name, signal), until(isMidway).then(() => STAGES.avails(deps, name, signal))])
    await ingest(deps, name)
    expect(await result()).toMatchObject({ status: 'success', rows_written: ids.length * 600, rows_rejected: 0 })
    const { rows } = await deps.db.pool.query(`select count(*)::int as n from avails where product_id like 'twin%'`)
    expect(rows).toEqual([{ n: ids.length * 600 }])
  }, 180_000)

  it('answer a request that was asked, once, with all periods of the drop', async () => {
    const asked = await app.request
      .post('/v1/sellers/station/avails/requests')
      .auth(app.tokens.buyers.acme, { type: 'bearer' })
      .send({ product_id: 'a', period: { grain: 'month', start: '2029-01' } })
    expect(asked.status).toBe(202)
    await landDrop(deps, name, csv(...weeks(60, 2029).map((week) => row(week, 3)), row('2028-W52', 3)))
    await ingest(deps, name)
    const { rows } = await app.deps.db.pool.query(
      `select body from notices where tenant = 'acme' and body::json->>'event_type' = 'catalog.avails_answered'`,
    )
    expect(rows).toHaveLength(1)
  })

  it('that are read while the catalog counts their product otherwise are read again', async () => {
    await landDrop(deps, name, csv(row('2030-W01', 1, 'changing'), row('2030-W01', 4)))
    await put('catalog', aCatalog(aProduct('changing')))
    for (const stage of ['fetch', 'publish'] as const) await STAGES[stage](deps, name, new AbortController().signal)
    // The reader is given the products as they are when it starts; the change comes in before its first slice is merged.
    const { db } = deps
    const late = {
      ...deps,
      db: changedBefore(db, () => db.pool.query(GUARANTEED)),
    }
    await STAGES.avails(late, name, new AbortController().signal)
    await ingest(deps, name)
    expect(await spots('changing')).toEqual({})
    expect(await result()).toMatchObject({
      rows_written: 1,
      rows_rejected: 1,
      errors: [{ row: 2, error_code: 'INVALID_ENTRY', field: 'units.available' }],
    })
  })
})

const avail = (start: string, available: number) => anAvail('a', { period: { grain: 'week', start }, spots: { available } })

/** As a publish of the catalog would; that one waits for the drop's turn, in which this happens. */
const GUARANTEED = `update products set body = jsonb_set(body::jsonb, '{buy_types}', '["audience_guaranteed"]')::json where product_id = 'changing'`

/** The database, on which something happens right before its first publish begins. */
function changedBefore(db: typeof deps.db, happens: () => Promise<unknown>): typeof deps.db {
  let happened: Promise<unknown> | undefined
  return {
    ...db,
    get sql() {
      return db.sql
    },
    withCounterparty: (tenants) => {
      const pool = db.withCounterparty(tenants).pool
      const connect = async () => {
        happened ??= happens()
        await happened
        return pool.connect()
      }
      return { ...db, pool: Object.assign(Object.create(pool), { connect }) }
    },
  } as typeof deps.db
}
