import { beforeAll, describe, expect, it } from '@jest/globals'
import { storeDropPosts } from '../../../src/operations/drops/storeDropPosts.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { type FileToDrop, ingest, landDrop, STAGES } from '../../support/drops/drops.ts'
import { useDrops } from '../../support/drops/useDrops.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'
import { until } from '../../support/until.ts'

const { app, deps, name, result } = useDrops()
beforeAll(() => bookOrders(app.deps.db, { order_id: 'ord_s1', seller_order_id: 'S-1', units: ['u', 'v', 'w', 'x', 'y'] }))

const HEADER = 'record_type,seller_order_id,network,air_date,unit_id,audience_code,stream,impressions,final'
const rows = (count: number, unit: string, impressions = 5) =>
  Array.from({ length: count }, (_, n) => `post,S-1,CBL,2026-12-07,${unit},A-${n},C3,${impressions},true`)
const file = (filename: string, ...lines: string[]): FileToDrop => ({
  filename,
  type: 'delivery_posts',
  text: [HEADER, ...lines].join('\n'),
})
const stored = async () =>
  (await app.deps.db.pool.query(`select file, count(*)::int as n from post_rows where seller = 'station' group by file order by file`)).rows

describe('a file of delivery posts that breaks', () => {
  it('stores nothing and replaces nothing, however late it breaks; the files beside it are stored', async () => {
    await landDrop(deps, name, [file('first.csv', ...rows(3, 'u'))])
    await ingest(deps, name)
    name.drop_id = `${name.drop_id}-b`
    await landDrop(deps, name, [
      file('late.csv', ...rows(15_000, 'u', 9), 'post,not valid', ...rows(10_000, 'v'), 'post,"open'),
      file('whole.csv', ...rows(12_000, 'w')),
    ])
    await ingest(deps, name)
    expect(await stored()).toEqual([
      { file: 'first.csv', n: 3 },
      { file: 'whole.csv', n: 12_000 },
    ])
    expect(await result()).toMatchObject({
      status: 'partial',
      counts: { delivery_posts: { rows_written: 12_000, rows_rejected: 0 } },
      errors: [{ file: 'late.csv', error_code: 'UNREADABLE_FILE' }],
    })
    expect((await result()).errors).toHaveLength(1)
  })
})

describe('a stage that is stopped between two slices of a file', () => {
  it('goes on after the last one', async () => {
    const lines = rows(45_000, 'x')
    lines[20_000] = (lines[20_000] as string).replace('post', 'not a post')
    await landDrop(deps, name, [file('a.csv', ...lines), file('b.csv', ...rows(2, 'y'))])
    for (const stage of ['fetch', 'publish', 'avails'] as const) await STAGES[stage](deps, name, new AbortController().signal)
    const stop = new AbortController()
    const row = async () => (await readDrop(app.deps.db, 'station', name.drop_id))?.cursor_row ?? 0
    const stopped = storeDropPosts(deps, name, stop.signal)
    await until(async () => (await row()) > 0, 60)
    stop.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    expect(await row()).toBeLessThan(45_000)
    await ingest(deps, name)
    expect((await stored()).filter(({ file }) => file === 'a.csv' || file === 'b.csv')).toEqual([
      { file: 'a.csv', n: 44_999 },
      { file: 'b.csv', n: 2 },
    ])
    expect(await result()).toMatchObject({
      status: 'partial',
      rows_written: 45_001,
      rows_rejected: 1,
      errors: [{ file: 'a.csv', row: 20_002 }],
    })
  })
})
