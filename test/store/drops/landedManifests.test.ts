import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  claimManifest,
  dueSellers,
  endManifest,
  holdWatch,
  isManifestOpen,
  lookLater,
  noteManifests,
  releaseWatch,
  sellersToWatch,
  waitingManifests,
} from '../../../src/store/drops/landedManifests.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const SELLERS = ['cable', 'station']
beforeAll(async () => {
  for (const seller of SELLERS) {
    await db.owner().query(`insert into tenants (entity, side, name) values ($1, 'seller', $1)`, [seller])
    await db.owner().query(`insert into sellers (seller, profile) values ($1, '{}')`, [seller])
  }
})
beforeEach(() => db.owner().query('truncate landed_manifests, drop_watch'))

const note = (seller: string, ...ids: string[]) =>
  noteManifests(
    db,
    seller,
    ids.map((id) => ({ drop_id: id, tag: 't' })),
  )
const set = (drop_id: string, change: string, seller = 'cable') =>
  db.owner().query(`update landed_manifests set ${change} where seller = $1 and drop_id = $2`, [seller, drop_id])
const landed = (drop_id: string, tag = 't', seller = 'cable') => ({ seller, drop_id, tag })
const WAIT = { seconds: 90, waits_for: 'waiting_for_files', errors: [] } as const
const shown = async (seller = 'cable', more: { dropId?: string } = {}) =>
  (await waitingManifests(db, seller, { limit: 10, ...more })).map(({ drop_id }) => drop_id)

describe('a manifest that is noted', () => {
  it('is one row of its seller, which another landing begins anew', async () => {
    await note('cable', 'd-1')
    await note('station', 'd-1')
    await set('d-1', `first_seen_at = now() - interval '1 hour', look_at = now() + interval '1 hour', is_done = true`)
    await note('cable', 'd-1')
    expect(await shown()).toEqual([]) // the same landing
    await noteManifests(db, 'cable', [{ drop_id: 'd-1', tag: 'u' }])
    expect(await claimManifest(db, 'cable')).toMatchObject({ ...landed('d-1', 'u'), waited: expect.closeTo(0, -1) })
    expect(await shown('station')).toEqual(['d-1'])
  })

  it('is one of a thousand that may wait, of each seller; those that are done make room', async () => {
    await note('cable', ...Array.from({ length: 1_005 }, (_, n) => `d-${n}`))
    await note('station', 'd-1')
    const count = async () => (await db.owner().query(`select from landed_manifests where seller = 'cable' and not is_done`)).rowCount
    expect(await count()).toBe(1_000)
    await note('cable', 'more')
    expect(await count()).toBe(1_000)
    await db.owner().query(`update landed_manifests set is_done = true where drop_id in ('d-1', 'd-2')`)
    await note('cable', 'more', 'and-more', 'too-many')
    expect(await count()).toBe(1_000)
    expect(await shown('station')).toEqual([])
  })
})

describe('a claim', () => {
  it('gives what is due of a seller, the longest due first, to one for a minute', async () => {
    await note('cable', 'first', 'second', 'later', 'done')
    await note('station', 'd-1')
    await set('first', `look_at = now() - interval '2 s'`)
    await set('second', `look_at = now() - interval '1 s'`)
    await set('later', `look_at = now() + interval '1 s'`)
    await set('done', 'is_done = true')
    const claimed = await Promise.all([1, 2, 3].map(() => claimManifest(db, 'cable')))
    expect(claimed.map((manifest) => manifest?.drop_id).sort()).toEqual(['first', 'second', undefined])
    await set('first', `look_at = look_at - interval '50 s'`)
    expect(await claimManifest(db, 'cable')).toBeUndefined()
    await set('first', `look_at = look_at - interval '10 s', first_seen_at = now() - interval '1 minute'`)
    expect(await claimManifest(db, 'cable')).toMatchObject({ drop_id: 'first', waited: expect.closeTo(60, -1) })
  })

  it('passes one that another transaction holds', async () => {
    await note('cable', 'held', 'free')
    await set('held', `look_at = now() - interval '1 minute'`)
    const client = await db.pool.connect()
    await client.query('begin')
    await client.query(`select from landed_manifests where drop_id = 'held' for update`)
    expect((await claimManifest(db, 'cable'))?.drop_id).toBe('free')
    await client.query('rollback')
    client.release()
  })
})

it('sellers with due manifests come by the longest due', async () => {
  await note('cable', 'a', 'b', 'done')
  await note('station', 'c')
  await set('a', `look_at = now() - interval '1 s'`)
  await set('done', `look_at = now() - interval '1 hour', is_done = true`)
  await set('c', `look_at = now() - interval '2 s'`, 'station')
  expect([await dueSellers(db, 10), await dueSellers(db, 1)]).toEqual([['station', 'cable'], ['station']])
  await set('c', `look_at = now() + interval '1 s'`, 'station')
  expect(await dueSellers(db, 10)).toEqual(['cable'])
})

describe('a look that ends', () => {
  it('comes again later, and says what it waits for', async () => {
    await note('cable', 'd-1', 'd-2')
    await lookLater(db, landed('d-1'), WAIT)
    const { rows } = await db
      .owner()
      .query(`select drop_id, round(extract(epoch from look_at - now()))::int as seconds, waits_for from landed_manifests order by 1`)
    expect(rows).toEqual([
      { drop_id: 'd-1', seconds: expect.closeTo(90, -1), waits_for: WAIT.waits_for },
      { drop_id: 'd-2', seconds: expect.closeTo(0, -1), waits_for: null },
    ])
  })

  it('ends its manifest alone: not another seller’s, nor one that has landed again', async () => {
    await note('cable', 'd-1', 'd-2')
    await note('station', 'd-1')
    for (const other of [landed('d-1', 'u'), landed('d-3'), landed('d-2', 't', 'station')]) {
      await endManifest(db, other)
      await lookLater(db, other, WAIT)
      expect(await isManifestOpen(db.pool, other)).toBe(false)
    }
    expect((await db.owner().query('select from landed_manifests where is_done or waits_for is not null')).rowCount).toBe(0)
    expect(await isManifestOpen(db.pool, landed('d-1'))).toBe(true)
    await endManifest(db, landed('d-1'))
    await lookLater(db, landed('d-1'), WAIT)
    expect(await isManifestOpen(db.pool, landed('d-1'))).toBe(false)
    expect([await shown(), await shown('station')]).toEqual([['d-2'], ['d-1']])
  })
})

it('waiting manifests are shown latest first, of all drops or one, as many as asked for', async () => {
  await note('cable', 'b', 'a', 'old')
  await note('station', 'c')
  await db.owner().query(`update landed_manifests set first_seen_at = '2026-12-07T00:00:00Z'`)
  await set('old', `first_seen_at = '2026-12-06T00:00:00Z'`)
  expect(await shown()).toEqual(['a', 'b', 'old'])
  expect(await shown('cable', { dropId: 'b' })).toEqual(['b'])
  expect((await waitingManifests(db, 'cable', { limit: 2 })).map(({ drop_id }) => drop_id)).toEqual(['a', 'b'])
})

describe('the watch', () => {
  it('is held by one, who keeps it while it asks, until it leaves or is silent for half a minute', async () => {
    expect([await holdWatch(db, 'one'), await holdWatch(db, 'other'), await holdWatch(db, 'one')]).toEqual([true, false, true])
    await db.owner().query(`update drop_watch set until = until - interval '20 s'`)
    expect(await holdWatch(db, 'other')).toBe(false)
    expect(await holdWatch(db, 'one')).toBe(true)
    await db.owner().query(`update drop_watch set until = until - interval '20 s'`)
    expect(await holdWatch(db, 'other')).toBe(false) // it was extended
    await db.owner().query(`update drop_watch set until = now() - interval '1 ms'`)
    expect([await holdWatch(db, 'other'), await holdWatch(db, 'one')]).toEqual([true, false])
    await releaseWatch(db, 'one')
    expect(await holdWatch(db, 'one')).toBe(false)
    await releaseWatch(db, 'other')
    expect(await holdWatch(db, 'one')).toBe(true)
  })

  it('passes all sellers in a stable order', async () => expect(await sellersToWatch(db)).toEqual(SELLERS))
})
