import { describe, expect, it } from '@jest/globals'
import { abandonLanding, beginLanding } from '../../../src/store/drops/landings.ts'
import { land, putFile } from '../../support/files/drops.ts'
import { useMarket } from '../../support/useMarket.ts'

/** The bounds of what a seller lands, for files that arrive one after another and at the same time. */
const market = useMarket({ dropsPerDay: 3, dropBytesPerSeller: 1_000 })
const db = () => market.deps.db
const bounds = { dropsPerDay: 0, dropBytesPerSeller: 0 }
const text = (bytes: number) => 'x'.repeat(bytes)
/** As many as a seller may send at once. */
const together = (count: number, pathOf: (n: number) => [dropId: string, filename: string], bytes: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => putFile(market, market.cable, ...pathOf(n), text(bytes))))
const codes = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).sort()

describe('PUT /me/files/{drop_id}/{filename}: 413', () => {
  it('refuses more bytes than a seller may store in total, and says how many are left', async () => {
    await land(market, market.station, 's-1', { 'a.csv': text(900) })
    const { status, body } = await putFile(market, market.station, 's-2', 'b.csv', text(101))
    expect([status, body.error_code, body.details.most]).toEqual([413, 'PAYLOAD_TOO_LARGE', 100])
    expect(body.error_message).toBe(
      'The files of a seller may have at most 1000 bytes in all, of which 100 are left; files are deleted after 30 days.',
    )
    // A file that is replaced makes room for its successor.
    await land(market, market.station, 's-1', { 'a.csv': text(1_000) })
    expect((await putFile(market, market.station, 's-1', 'a.csv', text(1_001))).status).toBe(413)
  })

  it('holds files that arrive at the same time to the same total', async () => {
    const replies = await together(8, (n) => ['race-1', `f-${n}.csv`], 300)
    expect(codes(replies)).toEqual([201, 201, 201, 413, 413, 413, 413, 413])
    const { rows } = await db().pool.query(`select bytes::int from drop_stock where seller = 'cable'`)
    expect(rows).toEqual([{ bytes: 900 }])
    expect((await db().pool.query('select from drop_landings')).rowCount).toBe(0)
  })
})

describe('PUT /me/files/{drop_id}/{filename}: 429', () => {
  it('holds drops that begin at the same time to the number of a day', async () => {
    expect(codes(await together(8, (n) => [`race-2-${n}`, 'a.csv'], 1))).toEqual([201, 201, 429, 429, 429, 429, 429, 429])
  })
})

describe('PUT /me/files/{drop_id}/{filename}: 422', () => {
  it('holds files that arrive at the same time to the 64 of a drop', async () => {
    await db().pool.query(
      `insert into drop_files (seller, drop_id, filename, size) select 'cable', 'race-1', 'g' || n, 0 from generate_series(1, 59) n`,
    )
    expect(codes(await together(8, (n) => ['race-1', `h-${n}.csv`], 1))).toEqual([201, 201, 422, 422, 422, 422, 422, 422])
  })
})

describe('a file whose process was killed while it landed', () => {
  it('keeps its bytes reserved for an hour, and not longer', async () => {
    const key = { seller: 'cable', drop_id: 'killed', filename: 'a.csv' }
    const small = { ...bounds, dropBytesPerSeller: 2_000 }
    const killed = await beginLanding(db(), key, { needed: 1_000 }, small)
    const other = { ...key, filename: 'b.csv' }
    await expect(beginLanding(db(), other, { needed: 1_000 }, small)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    await db().pool.query(`update drop_landings set until = now() - interval '1 second' where landing_id = $1`, [killed.landing_id])
    const landing = await beginLanding(db(), other, { needed: 1_000 }, small)
    expect((await db().pool.query('select filename from drop_landings')).rows).toEqual([{ filename: 'b.csv' }])
    await abandonLanding(db(), landing)
  })
})
