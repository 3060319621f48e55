import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { deleteOldRefused, listRefused, type NewRefused, saveRefused, trimRefused } from '../../../src/store/requests/refusedRequests.ts'
import { claimKey, deleteOldRequestKeys, KEYS_PER_TENANT, resolveKey } from '../../../src/store/requests/requestKeys.ts'
import { openSecrets, type SecretBox } from '../../../src/store/tenants/secrets.ts'
import { aTenantRow, insertRows, PAST, SOON } from '../../support/orders/rowsOfMarket.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
let box: SecretBox
beforeAll(async () => {
  const key = randomBytes(32)
  box = await openSecrets(db, () => [key])
  await insertRows(db.owner(), [aTenantRow('one', 'buyer'), aTenantRow('two', 'buyer')])
})
beforeEach(async () => {
  await db.owner().query('truncate request_keys, refused_requests')
})
const rows = async (sql: string) => (await db.owner().query(sql)).rows

describe('a key of a request', () => {
  const place = (tenant = 'one', operation = 'createX') => ({ tenant, operation })
  const key = (name: string, body = 'body') => ({ key: name, body_hash: Buffer.from(body) })
  const claim = (name = 'k', of = place(), body?: string) => claimKey(db, box, of, key(name, body))

  it('is of one tenant and operation, under way, and then answered', async () => {
    const others = [place('two'), place('one', 'createY')]
    expect(await Promise.all([claim(), claim('k2'), ...others.map((of) => claim('k', of))])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([await claim(), await claim('k', place(), 'other')]).toEqual(['under_way', 'other_body'])
    await resolveKey(db, box, place(), 'k', 'the reply')
    expect(await claim()).toEqual({ reply: 'the reply' })
    expect([await claim('k2'), ...(await Promise.all(others.map((of) => claim('k', of))))]).toEqual(['under_way', 'under_way', 'under_way'])
    await resolveKey(db, box, place(), 'k', undefined)
    expect(await claim()).toEqual({ reply: 'the reply' })
    await resolveKey(db, box, place(), 'k2', undefined)
    expect(await claim('k2')).toBeUndefined()
    for (const of of others) expect(await claim('k', of)).toBe('under_way')
  })

  it('may be taken over when its request has ended without an answer', async () => {
    await claim()
    await claim('answered')
    await resolveKey(db, box, place(), 'answered', 'the reply')
    await db.owner().query(`update request_keys set created_at = now() - interval '119 seconds'`)
    expect(await claim('k', place(), 'other')).toBe('other_body')
    await db.owner().query(`update request_keys set created_at = now() - interval '121 seconds'`)
    expect([await claim('k', place(), 'other'), await claim('k', place(), 'other')]).toEqual([undefined, 'under_way'])
    expect(await claim('answered')).toEqual({ reply: 'the reply' })
  })

  it('is one of ten thousand of a tenant, and forgotten after two days', async () => {
    await db.owner().query(`insert into request_keys (tenant, operation, key, body_hash, created_at)
      select 'one', 'o', 'k' || n, '', now() - interval '1 hour' from generate_series(1, ${KEYS_PER_TENANT - 1}) n`)
    expect([await claim('last'), await claim('over'), await claim('k', place('two'))]).toEqual([undefined, 'too many', undefined])
    expect(await claim('last')).toBe('under_way')
    await db.owner().query(`update request_keys set created_at = now() - interval '121 seconds' where key = 'last'`)
    expect(await claim('last')).toBeUndefined()
    await db.owner().query(`update request_keys set created_at = now() - interval '49 hours' where key in ('k1', 'k2')`)
    await db.owner().query(`update request_keys set created_at = now() - interval '47 hours' where key = 'k3'`)
    expect([await deleteOldRequestKeys(db, 1), await deleteOldRequestKeys(db, 9)]).toEqual([1, 1])
  })
})

describe('the log of refused requests', () => {
  const refused = (tenant: string, n: number, more: Partial<NewRefused> = {}) =>
    ({
      ...{
        tenant,
        at: PAST,
        request_id: `req_${n}`,
        operation: 'createX',
        method: 'POST',
        path: '/v1/x',
        status: 422,
        error_code: 'INVALID_INPUT',
      },
      ...{ pointers: [], credential_id: 'cred_1', ...more },
    }) as NewRefused
  const list = async (filter: object = {}, before?: string, limit = 9) => listRefused(db, 'one', filter, before, limit)
  const ids = async (...asked: Parameters<typeof list>) => (await list(...asked)).map(({ request_id }) => request_id)

  it('is a tenant’s own, newest first, by page, time, status and request', async () => {
    await saveRefused(db, [refused('one', 1), refused('two', 2), refused('one', 3, { status: 409 }), refused('one', 4, { at: SOON })])
    expect(await ids()).toEqual(['req_4', 'req_3', 'req_1'])
    const [first] = await list()
    expect(await ids({}, first?.refused_no, 1)).toEqual(['req_3'])
    expect([await ids({ since: SOON }), await ids({ status: 409 }), await ids({ request_id: 'req_1' })]).toEqual([
      ['req_4'],
      ['req_3'],
      ['req_1'],
    ])
  })

  it('keeps the newest of each tenant, for a week, and loses so many at a time', async () => {
    const week = 7 * 86_400_000
    const at = (ms: number) => ({ at: new Date(Date.now() - ms).toISOString() })
    await saveRefused(db, [
      refused('one', 1, at(week + 60_000)),
      refused('two', 2, at(week + 60_000)),
      refused('one', 3, at(week - 60_000)),
    ])
    expect([await deleteOldRefused(db, 1), await deleteOldRefused(db, 9)]).toEqual([1, 1])
    await saveRefused(
      db,
      [4, 5, 6].map((n) => refused('one', n)),
    )
    await saveRefused(
      db,
      [7, 8, 9].map((n) => refused('two', n)),
    )
    expect(await trimRefused(db, 9, 4)).toBe(0)
    expect(await trimRefused(db, 1, 2)).toBe(1)
    expect(await ids()).toEqual(['req_6', 'req_5', 'req_4'])
    expect(await trimRefused(db, 9, 2)).toBe(2)
    expect((await rows('select request_id from refused_requests order by 1')).map(({ request_id }) => request_id)).toEqual([
      ...['req_5', 'req_6', 'req_8', 'req_9'],
    ])
  })
})
