import { describe, expect, it } from '@jest/globals'
import { deleteOldSenders, leaveEndpoint, nextDue, renewEndpoints, takeEndpoint } from '../../../src/store/delivery/endpointSenders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase({ max: 4 })
let endpoints = 0
const anEndpoint = () => `whe_${++endpoints}`
const take = (endpointId: string, sender: string) => takeEndpoint(db.pool, { endpointId, sender }).then((answer) => answer === 'taken')
const leave = (endpointId: string, sender: string) => leaveEndpoint(db.pool, { endpointId, sender })
const renew = (endpointId: string, sender: string) => renewEndpoints(db.pool, sender, [endpointId])
const die = (endpointId: string) =>
  db.pool.query(`update endpoint_senders set held_until = now() - interval '1 s' where endpoint_id = $1`, [endpointId])

describe('an endpoint', () => {
  it('has one sender at a time, of many that ask at once', async () => {
    const ids = [anEndpoint(), anEndpoint(), anEndpoint()]
    const senders = ['a', 'b', 'c', 'd']
    const taken = await Promise.all(ids.map((id) => Promise.all(senders.map((sender) => take(id, sender)))))
    for (const [index, each] of taken.entries()) {
      expect(each.filter((isTaken) => isTaken)).toHaveLength(1)
      await leave(ids[index] as string, senders[each.indexOf(true)] as string)
      expect(await take(ids[index] as string, 'e')).toBe(true)
    }
  })

  it('tells a sender that leaves, once, whether another process has asked for it in the meantime', async () => {
    const id = anEndpoint()
    await take(id, 'a')
    expect(await leave(id, 'a')).toEqual({ woken: false, due: false, at: null, waiting: 0, made: 0 })
    await take(id, 'a')
    expect(await take(id, 'b')).toBe(false)
    expect(await leave(id, 'a')).toMatchObject({ woken: true })
    expect(await take(id, 'b')).toBe(true)
    expect(await leave(id, 'b')).toMatchObject({ woken: false })
  })

  it('of a sender that has died is another’s, and the first no longer gives it up or keeps it', async () => {
    const id = anEndpoint()
    await take(id, 'a')
    await die(id)
    expect(await take(id, 'b')).toBe(true)
    expect(await renew(id, 'a')).toEqual([])
    expect(await leave(id, 'a')).toMatchObject({ woken: false })
    expect(await take(id, 'c')).toBe(false)
    expect(await renew(id, 'b')).toEqual([id])
  })

  it('is kept by a sender that renews in time', async () => {
    const id = anEndpoint()
    await take(id, 'a')
    await db.pool.query(`update endpoint_senders set held_until = now() + interval '100 ms' where endpoint_id = $1`, [id])
    expect(await renew(id, 'a')).toEqual([id])
    const { rows } = await db.pool.query(
      `select held_until > now() + interval '1 s' as is_later from endpoint_senders where endpoint_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ is_later: true }])
  })

  it('that was left is not revived by a renewal that was asked for before', async () => {
    const id = anEndpoint()
    await take(id, 'a')
    await leave(id, 'a')
    expect(await renew(id, 'a')).toEqual([])
    expect(await take(id, 'b')).toBe(true)
  })

  it('that a sender failed to leave is its own again at once, for a whole lease, and not woken', async () => {
    const id = anEndpoint()
    await take(id, 'a')
    await take(id, 'b')
    await db.pool.query(`update endpoint_senders set held_until = now() + interval '100 ms' where endpoint_id = $1`, [id])
    expect(await take(id, 'a')).toBe(true)
    const refused = await takeEndpoint(db.pool, { endpointId: id, sender: 'b' })
    expect(refused).toEqual({ elsewhereMs: expect.any(Number) })
    expect(refused !== 'taken' && refused.elsewhereMs > 1_000 && refused.elsewhereMs <= 5_000).toBe(true)
    await leave(id, 'a')
    await take(id, 'a')
    expect(await leave(id, 'a')).toMatchObject({ woken: false })
  })

  it('that is gone keeps no lease', async () => {
    const [gone, held] = [anEndpoint(), anEndpoint()]
    await take(gone, 'a')
    await leave(gone, 'a')
    await take(held, 'a')
    await deleteOldSenders(db, 1_000)
    const { rows } = await db.pool.query('select endpoint_id from endpoint_senders where endpoint_id = any($1)', [[gone, held]])
    expect(rows).toEqual([{ endpoint_id: held }])
  })

  it('is left with what waits for it, the earliest first', async () => {
    const [id, other] = [anEndpoint(), anEndpoint()]
    const at = ['2030-01-02T00:00:00.000Z', '2030-01-01T00:00:00.000Z', '2029-01-01T00:00:00.000Z']
    await db.pool.query(
      `insert into deliveries (endpoint_id, event_type, event_id, due_at, status, made)
       select $1, 'webhook.test', 'evt_' || n, due, case when n = 3 then 'delivered' else 'pending' end, n
       from unnest($2::timestamptz[]) with ordinality as d (due, n)`,
      [id, at],
    )
    await take(id, 'a')
    await take(other, 'a')
    const left = await Promise.all([leave(other, 'a'), leave(id, 'a')])
    expect(left).toMatchObject([
      { at: null, waiting: 0 },
      { at: at[1], waiting: 2 },
    ])
    expect(await nextDue(db, id)).toEqual({ at: at[1], waiting: 2, made: 2 })
    expect(await leave(id, 'a')).toMatchObject({ due: false })
    await db.pool.query('update deliveries set due_at = now() where endpoint_id = $1', [id])
    expect(await leave(id, 'a')).toMatchObject({ due: true })
  })
})
