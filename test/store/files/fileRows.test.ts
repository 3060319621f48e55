import { beforeEach, describe, expect, it } from '@jest/globals'
import { rememberedAnswers, rememberLayout } from '../../../src/store/files/documentLayouts.ts'
import { deleteOldReadings, findReading, findShownPages, keepReading } from '../../../src/store/files/documentReadings.ts'
import {
  claimUpload,
  endClaim,
  findAttached,
  findOwnBytes,
  lapseUploads,
  mintUpload,
  readObjectName,
  readUpload,
  uploadsCleared,
  uploadsToClear,
} from '../../../src/store/files/uploads.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import { anOrderRow, anUploadRow, insertRows, minutesAgo, PAST, SOON } from '../../support/orders/rowsOfMarket.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const OTHER = { buyer_entity: 'buyer_two' }
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const uploads = (...made: Parameters<typeof anUploadRow>[]) =>
  insertRows(
    db.owner(),
    made.map((row) => anUploadRow(...row)),
  )
const inStatus = async (status: string) =>
  (await rows(`select upload_id from uploads where status = '${status}' order by 1`)).map(({ upload_id }) => upload_id)

beforeEach(async () => {
  for (const table of ['order_uploads', 'document_readings', 'document_layouts', 'uploads']) await db.owner().query(`delete from ${table}`)
})

describe('an upload of a buyer', () => {
  it('is minted as often in a day as the buyer may, others not counted', async () => {
    const day = 24 * 60
    await uploads(
      ['upl_1', { created_at: minutesAgo(60) }],
      ['upl_2', { created_at: minutesAgo(day + 1) }],
      ['upl_3', { ...OTHER, created_at: minutesAgo(1) }],
    )
    const mint = (perDay: number) =>
      mintUpload(db, 'buyer_one', { filename: 'f', format: 'pdf', size_bytes: 1 } as never, { ttlHours: 1, perDay })
    expect(await mint(2)).toHaveProperty('minted')
    const refused = (await mint(2)) as { retryAfter: number }
    expect(Math.round(refused.retryAfter / 3_600)).toBe(23)
    expect(await mint(0)).toHaveProperty('minted')
  })

  it('is read in the state that it is in for clients, by that buyer', async () => {
    await uploads(
      ['upl_1', { status: 'receiving' }],
      ['upl_2', { expires_at: PAST }],
      ['upl_3', { expires_at: PAST, pinned: true }],
      ['upl_4', { expires_at: PAST, status: 'rejected' }],
      ['upl_5', OTHER],
    )
    const status = async (id: string) => (await readUpload(db, 'buyer_one', id))?.status
    expect(await Promise.all(['upl_1', 'upl_2', 'upl_3', 'upl_4', 'upl_5'].map(status))).toEqual([
      ...['pending', 'expired', 'uploaded', 'rejected', undefined],
    ])
  })

  it('has its bytes for the buyer while it lives, and for the parties of the order that it is in', async () => {
    const claimed = { claimed_at: PAST }
    await uploads(
      ['upl_1', claimed],
      ['upl_2', { ...claimed, expires_at: PAST }],
      ['upl_3', { ...claimed, expires_at: PAST, pinned: true }],
      ['upl_4', { ...claimed, status: 'rejected' }],
      ['upl_5', { ...claimed, ...OTHER }],
      ['upl_6', { claimed_at: null }],
    )
    const ids = ['upl_1', 'upl_2', 'upl_3', 'upl_4', 'upl_5']
    const own = await Promise.all(ids.map((id) => findOwnBytes(db, 'buyer_one', id)))
    expect(own.map((one) => one !== undefined)).toEqual([true, false, true, false, false])
    const names = await Promise.all([...ids, 'upl_6'].map((id) => readObjectName(db, id)))
    expect(names.map((one) => one !== undefined)).toEqual([true, true, true, false, true, false])
    await insertRows(db.owner(), [anOrderRow('ord_1'), ['order_uploads', { order_id: 'ord_1', upload_id: 'upl_1' }]])
    expect(await findAttached(db, 'ord_1', 'upl_2')).toBeUndefined()
  })

  it('is claimed once while it waits and lives, and that claim alone ends it', async () => {
    await uploads(
      ['upl_1', { status: 'pending' }],
      ['upl_2', { status: 'pending', expires_at: PAST }],
      ['upl_3', { status: 'pending', ...OTHER }],
      ['upl_4', { status: 'receiving', claimed_at: minutesAgo(4) }],
      ['upl_5', { status: 'receiving', claimed_at: minutesAgo(6) }],
      ['upl_6', {}],
    )
    const claims = await Promise.all(['upl_1', 'upl_2', 'upl_3', 'upl_4', 'upl_5', 'upl_6'].map((id) => claimUpload(db, 'buyer_one', id)))
    expect(claims.map((claim) => claim !== undefined)).toEqual([true, false, false, false, true, false])
    const [first] = claims
    if (first === undefined) throw new Error('it is not claimed')
    expect(await endClaim(db, { ...first, claimed_at: PAST }, { status: 'rejected' })).toBe(false)
    await db.owner().query(`update uploads set expires_at = now() where upload_id = 'upl_1'`)
    expect(await endClaim(db, first, { status: 'uploaded', sha256: 'h' })).toBe(false)
    expect(await endClaim(db, first, { status: 'pending' })).toBe(true)
    expect(await endClaim(db, first, { status: 'rejected' })).toBe(false)
    expect(await inStatus('receiving')).toEqual(['upl_4', 'upl_5'])
  })

  it('lapses past its time, the oldest first, unless it is pinned, arriving or held', async () => {
    const over = { expires_at: PAST }
    await uploads(
      ['upl_1', over],
      ['upl_2', { expires_at: minutesAgo(90) }],
      ['upl_3', { ...over, pinned: true }],
      ['upl_4', { ...over, status: 'receiving', claimed_at: minutesAgo(4) }],
      ['upl_5', { ...over, status: 'receiving', claimed_at: minutesAgo(6) }],
      ['upl_6', { ...over, status: 'rejected', claimed_at: PAST }],
      ['upl_7', { expires_at: SOON }],
      ['upl_8', over],
    )
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await client.query(`select from uploads where upload_id = 'upl_8' for update`)
      expect([await lapseUploads(db, 1), await inStatus('expired')]).toEqual([1, ['upl_2']])
      expect([await lapseUploads(db, 9), await inStatus('expired')]).toEqual([2, ['upl_1', 'upl_2', 'upl_5']])
      await client.query('rollback')
    } finally {
      client.release()
    }
    expect([await uploadsToClear(db, 9), await uploadsToClear(db, 1)]).toEqual([['upl_5', 'upl_6'], ['upl_5']])
    await uploadsCleared(db, ['upl_5', 'upl_4'])
    expect(await uploadsToClear(db, 9)).toEqual(['upl_6'])
    expect(await rows(`select upload_id from uploads where claimed_at is null and upload_id in ('upl_4', 'upl_5')`)).toEqual([
      { upload_id: 'upl_5' },
    ])
  })
})

describe('what was read of a document', () => {
  const kept = (name: string) => ({ reading: { name } as never, shown: { pages: name } as never })
  it('is found for its date, or for all, and shown to its buyer', async () => {
    await uploads(['upl_1'], ['upl_2', OTHER])
    await keepReading(db, { upload_id: 'upl_1', anchor: '2030-01-01' }, kept('of a day'), true)
    await keepReading(db, { upload_id: 'upl_2', anchor: '2030-01-01' }, kept('of all'), false)
    await keepReading(db, { upload_id: 'upl_2', anchor: '2030-02-01' }, kept('again'), false)
    const find = (upload_id: string, anchor: string) => findReading(db, { upload_id, anchor })
    expect([await find('upl_1', '2030-01-01'), await find('upl_1', '2030-02-01'), await find('upl_2', '2030-02-01')]).toEqual([
      ...[{ name: 'of a day' }, undefined, { name: 'of all' }],
    ])
    expect(await Promise.all(['upl_1', 'upl_2'].map((id) => findShownPages(db, 'buyer_one', id)))).toEqual([
      { pages: 'of a day' },
      undefined,
    ])
    await db.owner().query('update document_readings set reader = reader - 1')
    expect([await find('upl_1', '2030-01-01'), await findShownPages(db, 'buyer_one', 'upl_1')]).toEqual([undefined, undefined])
  })

  it('is kept sixteen times of an upload, and for a week', async () => {
    await uploads(['upl_1'], ['upl_2'])
    await keepReading(db, { upload_id: 'upl_2', anchor: 'x' }, kept('x'), true)
    for (let day = 10; day < 27; day += 1) await keepReading(db, { upload_id: 'upl_1', anchor: `2030-01-${day}` }, kept('x'), true)
    expect(await rows('select upload_id, count(*)::int as n from document_readings group by 1 order by 1')).toEqual([
      { upload_id: 'upl_1', n: 16 },
      { upload_id: 'upl_2', n: 1 },
    ])
    await db.owner().query(`update document_readings set read_at = now() - interval '8 days' where anchor in ('2030-01-10', '2030-01-11')`)
    await db.owner().query(`update document_readings set read_at = now() - interval '6 days' where anchor = 'x'`)
    expect([await deleteOldReadings(db, 1), await deleteOldReadings(db, 9)]).toEqual([1, 1])
  })

  it('is remembered by layout, of buyer and seller, the latest two hundred', async () => {
    const key = (fingerprint: string, more: object = {}) => ({ buyer: 'buyer_one', seller: 'seller_one', fingerprint, ...more })
    const actor = operator('buyer_one', 'buyer', 'platform')
    const answer = (choice: string) => [{ kind: 'product', label: 'l', choice }] as never
    const layouts = Array.from({ length: 200 }, (_, n) => ({ fingerprint: `f${n}`, said_at: minutesAgo(200 - n) }))
    await insertRows(db.owner(), [
      ...layouts.map((row) => ['document_layouts', { buyer: 'buyer_one', seller: 'seller_one', answers: '[]', ...row }] as const),
      ['document_layouts', { ...key('f0', { buyer: 'buyer_two' }), answers: '[]', said_at: minutesAgo(999) }],
      ['document_layouts', { ...key('f0', { seller: 'seller_two' }), answers: '["else"]', said_at: minutesAgo(999) }],
    ])
    await rememberLayout(db, key('new'), answer('a'), actor)
    await rememberLayout(db, key('f1'), answer('b'), actor)
    expect(await rows(`select count(*)::int as n from document_layouts`)).toEqual([{ n: 202 }])
    expect([
      await rememberedAnswers(db, key('f0')),
      await rememberedAnswers(db, key('f1')),
      await rememberedAnswers(db, key('f0', { seller: 'seller_two' })),
    ]).toEqual([...[[], answer('b'), ['else']]])
    expect(
      await rows(
        `select count(*)::int as n from document_layouts where seller = 'seller_one' and buyer = 'buyer_one' and fingerprint = 'f0'`,
      ),
    ).toEqual([{ n: 0 }])
  })
})
