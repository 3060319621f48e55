import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import type { Tenant } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const PAGE = new URL('../../../docs/operate/partitioned-feed.md', import.meta.url)

/** The statements of the section, for a feed that goes on in a second part some transactions from now. */
async function statements(transactions: number): Promise<string[]> {
  const text = await readFile(PAGE, 'utf8')
  const [row] = (await market.owner().query('select pg_current_xact_id()::text as id')).rows
  const [beforehand, cut] = [...text.matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql = '']) =>
    sql.replaceAll('<until>', String(Number(row.id) + transactions)),
  )
  return [beforehand ?? '', `begin; ${cut}; commit`]
}

type Read = { order_id?: string; seq?: number }
async function readOn(tenant: Tenant, after?: string): Promise<{ events: Read[]; cursor: string }> {
  const events: Read[] = []
  for (let cursor = after; ; ) {
    const { body } = await tenant.get(`/events/feed?limit=7${cursor === undefined ? '' : `&after=${cursor}`}`)
    events.push(...body.events)
    cursor = body.next_cursor as string
    if (body.events.length === 0) return { events, cursor }
  }
}

const rowsOf = async (table: string): Promise<number> => (await market.owner().query(`select count(*)::int as n from ${table}`)).rows[0].n

it('a feed that is partitioned beside the running service, as its page says, goes on: cursors, both parts, policies and triggers', async () => {
  const early = await market.placed()
  await feedSettled(market.deps.db)
  const before = await readOn(market.acme)
  expect(before.events.length).toBeGreaterThan(3)

  for (const sql of await statements(40)) await market.owner().query(sql)
  const made: string[] = []
  await until(async () => {
    made.push(await market.placed())
    return (await rowsOf('feed_2')) > 8
  }, 30)
  expect(await rowsOf('feed_1')).toBeGreaterThan(before.events.length)

  await feedSettled(market.deps.db)
  const after = await readOn(market.acme, before.cursor)
  for (const orderId of made)
    expect(after.events.filter(({ order_id }) => order_id === orderId).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(after.events.length).toBe(4 * made.length)
  const all = await readOn(market.acme)
  expect(all.events).toEqual([...before.events, ...after.events])
  expect((await readOn(market.cable)).events.filter(({ order_id }) => order_id === early)).toHaveLength(4)
  expect((await readOn(market.zenith)).events.filter(({ order_id }) => order_id !== undefined)).toEqual([])

  for (const table of ['feed', 'feed_1', 'feed_2']) {
    await expect(market.owner().query(`truncate ${table}`)).rejects.toThrow()
    await expect(market.owner().query(`delete from ${table}`)).rejects.toThrow()
  }
  await market.owner().query('alter table feed_1 set tablespace pg_default') // readers go on where there is one more
})
