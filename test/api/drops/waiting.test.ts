import { describe, expect, it } from '@jest/globals'
import { landResult } from '../../../src/operations/drops/landResult.ts'
import { lookAtManifest } from '../../../src/operations/drops/lookAtManifest.ts'
import { claimManifest, noteManifests } from '../../../src/store/drops/landedManifests.ts'
import { endWith, land, manifestOf, registered } from '../../support/files/drops.ts'
import { useMarket } from '../../support/useMarket.ts'

/** A manifest.json that has landed and cannot be registered yet. Its seller sees that it waits, and for what. */
const market = useMarket()
const db = () => market.deps.db

/** Lands a manifest.json of these files, without them, and looks at it as a worker does. */
async function looked(dropId: string, files: Record<string, string>, dropsPerDay = 500): Promise<void> {
  await land(market, market.cable, dropId, { 'manifest.json': JSON.stringify(manifestOf(dropId, files)) })
  await look(dropId, dropsPerDay)
}
async function look(dropId: string, dropsPerDay = 500): Promise<void> {
  const object = await market.deps.drops.stat(`cable/${dropId}/manifest.json`)
  await noteManifests(db(), 'cable', [{ drop_id: dropId, tag: `${object?.tag} ${object?.modifiedAt}` }])
  const landed = await claimed(dropId)
  await lookAtManifest({ ...market.deps, dropsPerDay }, landed)
}
/** Claims this manifest, as the only one that is due, however long the tests before have taken. */
async function claimed(dropId: string) {
  const due = `update landed_manifests set look_at = now() + case when drop_id = $1 then '0 s' else '1 hour' end::interval`
  await db().pool.query(due, [dropId])
  const landed = await claimManifest(db(), 'cable')
  expect(landed?.drop_id).toBe(dropId)
  return landed as NonNullable<typeof landed>
}
const read = async (dropId: string) => (await market.cable.get(`/me/files/${dropId}`)).body
/** The file beside the manifest. */
const shown = async (dropId: string) => {
  const bytes = await (await market.deps.drops.get(`cable/${dropId}/waiting.json`))?.toArray()
  return bytes && JSON.parse(Buffer.concat(bytes).toString())
}
const waiting = async (query = '') => (await market.cable.get(`/me/files${query}`)).body.waiting

describe('GET /me/files: a manifest.json that waits', () => {
  it('for its files is listed with what is missing, and becomes a run once they arrive', async () => {
    await looked('m-1', { 'a.csv': 'm-1' })
    const summary = {
      ...{ drop_id: 'm-1', status: 'processing', stage: 'manifest', reason: 'waiting_for_files', rows_written: 0, rows_rejected: 0 },
      ...{ registered_at: expect.any(String), ended_at: null },
    }
    expect(await waiting()).toEqual([{ ...summary, results_uri: '/v1/me/files/m-1' }])
    expect(await waiting('?status=processing')).toHaveLength(1)
    expect(await waiting('?status=success')).toEqual([])
    expect(await shown('m-1')).toEqual(await read('m-1'))
    expect(await read('m-1')).toEqual({
      ...summary,
      ...{ counts: {}, errors_truncated: false, warnings: [] },
      errors: [
        {
          ...{ file: 'manifest.json', row: 0, error_code: 'INVALID_INPUT', value: null, field: 'files.0.filename' },
          message: 'files.0.filename must name a file of the drop; a.csv was sent, and the drop has no such file.',
        },
      ],
    })
    await land(market, market.cable, 'm-1', { 'a.csv': 'm-1' })
    await look('m-1')
    expect([await waiting(), await shown('m-1')]).toEqual([[], undefined])
    expect(await read('m-1')).toMatchObject({ status: 'processing', stage: 'fetch', errors: [] })
  })

  it('for the limit of a day is listed at once, with the limit', async () => {
    await land(market, market.cable, 'm-2', { 'a.csv': 'm-2' })
    await looked('m-2', { 'a.csv': 'm-2' }, 1)
    expect(await read('m-2')).toMatchObject({
      ...{ status: 'processing', stage: 'manifest', reason: 'daily_limit' },
      errors: [{ file: 'manifest.json', message: 'A seller may register 1 drops in 24 hours.' }],
    })
    expect(await shown('m-2')).toEqual(await read('m-2'))
    await look('m-2')
    expect(await shown('m-2')).toBeUndefined()
    expect(await read('m-2')).toMatchObject({ status: 'processing', stage: 'fetch' })
  })

  it('for the limit of a day also says what is wrong with it', async () => {
    await land(market, market.cable, 'm-3', { 'manifest.json': '{' })
    await look('m-3', 1)
    expect(await read('m-3')).toMatchObject({ reason: 'daily_limit', errors: [{ file: 'manifest.json', error_code: 'INVALID_INPUT' }] })
  })

  it('is reported in waiting.json while files are missing, and in errors.json after 15 minutes', async () => {
    await looked('m-5', { 'a.csv': 'm-5', 'b.csv': 'm-5 b' })
    const written = () => market.deps.drops.stat('cable/m-5/waiting.json')
    const first = await written()
    await look('m-5')
    expect(await written()).toEqual(first)
    await land(market, market.cable, 'm-5', { 'a.csv': 'm-5' })
    await look('m-5')
    expect((await shown('m-5')).errors).toMatchObject([{ field: 'files.1.filename' }])
    await db().pool.query(`update landed_manifests set first_seen_at = now() - interval '16 minutes' where drop_id = 'm-5'`)
    await look('m-5')
    expect([await shown('m-5'), await market.deps.drops.exists('cable/m-5/errors.json')]).toEqual([undefined, true])
  })

  it('is no longer reported once its manifest.json is deleted', async () => {
    await looked('m-6', { 'a.csv': 'm-6' })
    await market.deps.drops.delete('cable/m-6/manifest.json')
    await lookAtManifest({ ...market.deps, dropsPerDay: 500 }, await claimed('m-6'))
    expect(await shown('m-6')).toBeUndefined()
  })

  it('is shown in place of an earlier result, but not in place of a run in progress', async () => {
    await registered(market, market.cable, 'm-4', { 'a.csv': 'm-4' })
    await looked('m-4', { 'b.csv': 'm-4 b' })
    expect(await read('m-4')).toMatchObject({ stage: 'fetch' })
    await endWith(db(), { seller: 'cable', drop_id: 'm-4', run_no: 1 }, { avails: { rows_written: 1, rows_rejected: 0 } })
    expect(await read('m-4')).toMatchObject({ stage: 'manifest', errors: [{ field: 'files.0.filename' }] })
  })

  it('takes the place of an earlier result in the drop, which comes back with its manifest, also after the seller has removed it', async () => {
    const key = { seller: 'cable', drop_id: 'm-7', run_no: 1 }
    const isThere = () => market.deps.drops.exists('cable/m-7/errors.csv')
    await registered(market, market.cable, 'm-7', { 'a.csv': 'm-7' })
    const error = { file: 'a.csv', row: 2, error_code: 'INVALID_ENTRY' as const, value: null, message: 'is wrong' }
    await endWith(db(), key, { avails: { rows_written: 1, rows_rejected: 0 } }, [error])
    await landResult(market.deps, 'cable', 'm-7')
    expect(await isThere()).toBe(true)
    await looked('m-7', { 'b.csv': 'm-7 b' })
    expect(await isThere()).toBe(false)
    for (let time = 0; time < 2; time++) {
      await market.deps.drops.delete('cable/m-7/errors.csv')
      await looked('m-7', { 'a.csv': 'm-7' })
      expect([await isThere(), await shown('m-7')]).toEqual([true, undefined])
    }
  })

  it('is not shown to others', async () => {
    expect((await market.station.get('/me/files')).body.waiting).toEqual([])
    expect((await market.station.get('/me/files/m-3')).status).toBe(404)
  })
})
