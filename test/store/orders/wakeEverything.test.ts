import { beforeAll, describe, expect, it } from '@jest/globals'
import { wakeEverything } from '../../../src/store/orders/wakeEverything.ts'
import { RUNS } from '../../../worker/runs.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const db = () => market.deps.db
const rows = async () =>
  (await db().pool.query('select kind, target, claimable_at > created_at as later from outbox order by kind, target')).rows as {
    kind: string
    target: string
    later: boolean
  }[]
/** Takes the rows away, as a relay does that has carried them. */
const carried = () => db().pool.query('delete from outbox')

describe('a namespace that was made anew', () => {
  let parked: string
  let placed: string
  let endpoint: string
  beforeAll(async () => {
    endpoint = (await market.acme.post('/webhooks/endpoints', { url: 'http://127.0.0.1:1/hook' })).body.endpoint_id
    ;[parked, placed] = [await market.parked(), await market.placed()]
    await wakeEverything(db(), 'first', RUNS)
    await carried()
  })

  it('gets a run for what is open, also of orders that have ended, once for all workers', async () => {
    await market.owner().query('update orders set closed = true, due_at = null where order_id = $1', [placed])
    const all = await Promise.all([1, 2, 3].map(() => wakeEverything(db(), 'second', RUNS)))
    expect(all.filter((woken) => woken !== undefined)).toEqual([2])
    expect((await rows()).map(({ kind, target }) => [kind, target])).toEqual([
      ['endpoint', endpoint],
      ['order', parked],
    ])
    await carried()
    expect(await wakeEverything(db(), 'second', RUNS)).toBeUndefined()
    expect(await rows()).toEqual([])
  })

  it('has its rows carried one after the other, and none for a subject that has one', async () => {
    await db().pool.query(`insert into outbox (kind, target) values ('order', $1)`, [parked])
    const more = await market.parked()
    await db().pool.query(`delete from outbox where target <> $1`, [parked])
    await wakeEverything(db(), 'third', RUNS)
    expect((await rows()).filter(({ kind }) => kind === 'order')).toEqual(
      [parked, more].sort().map((target) => ({ kind: 'order', target, later: target === more })),
    )
  })
})
