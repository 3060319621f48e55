import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Avail } from '../../src/contract/avail.ts'
import { readAvails } from '../../src/store/avails.ts'
import { clearStaged, mergeStaged, stageForMerge } from '../../src/store/availsStaging.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { aCatalog, anAvail, aProduct } from '../support/published.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const db = () => app.deps.db
const staged = async () => Number((await db().pool.query('select count(*) from avails_staging')).rows[0].count)
const versions = async () =>
  (await db().pool.query(`select product_id, xmin::text from avails where seller = 'cable' order by product_id`)).rows
const anEntry = (product_id: string, more: Record<string, unknown> = {}) => anAvail(product_id, more) as Avail
async function merge(...avails: Avail[]) {
  const publishId = await stageForMerge(db(), avails)
  await db()
    .sql.transaction()
    .execute((tx) => mergeStaged(tx, 'cable', publishId))
  await clearStaged(db(), publishId)
}

describe('avails that are laid down and merged', () => {
  it('arrive as they were sent, whatever characters they hold', async () => {
    const avails = ['a\tb', 'a\nb', 'a\\nb', '\\N', '\\.', 'ü "quoted"', '\r'].map((product_id) => anEntry(product_id))
    await merge(...avails)
    const byId = (a: Avail, b: Avail) => (a.product_id < b.product_id ? -1 : 1)
    expect((await readAvails(db(), 'cable')).sort(byId)).toEqual([...avails].sort(byId))
    expect(await staged()).toBe(0)
  })

  it('are written only where they differ', async () => {
    await merge(anEntry('same'), anEntry('other'))
    const before = await versions()
    await merge(anEntry('same'), anEntry('other', { spots: { available: 13 } }))
    const changed = (await versions()).filter(({ xmin }, index) => xmin !== before[index]?.xmin)
    expect(changed).toEqual([{ product_id: 'other', xmin: expect.any(String) }])
  })

  it('are cleared by a later publish when the process that laid them down is gone', async () => {
    await db().pool.query(`
      insert into avails_staging (publish_id, staged_at, product_id, grain, start, state, body)
      values (gen_random_uuid(), now() - interval '2 hours', 'left', 'week', '2026-W50', 'available', '{}'),
        (gen_random_uuid(), now(), 'busy', 'week', '2026-W50', 'available', '{}')`)
    await merge(anEntry('next'))
    expect((await db().pool.query('select product_id from avails_staging')).rows).toEqual([{ product_id: 'busy' }])
    await db().pool.query('delete from avails_staging')
  })

  it('leave nothing behind when the publish answers, and count its errors as a small one does', async () => {
    const put = (what: string, body: object) =>
      app.request.put(`/v1/me/${what}`).auth(app.tokens.sellers.station, { type: 'bearer' }).send(body)
    await put('catalog', aCatalog(...Array.from({ length: 200 }, (_, index) => aProduct(`bulk-${index}`)))).expect(200)
    const avails = Array.from({ length: 6_000 }, (_, index) =>
      anAvail(index % 1_000 === 0 ? 'nowhere' : `bulk-${index % 200}`, {
        period: { grain: 'week', start: `2027-W${String(1 + Math.floor(index / 200)).padStart(2, '0')}` },
      }),
    )
    const { body } = await put('avails', { avails })
    expect([body.accepted, body.rejected, body.errors[1].index]).toEqual([5_994, 6, 1_000])
    expect(await readAvails(db(), 'station')).toHaveLength(5_994)
    expect(await staged()).toBe(0)
  })
})
