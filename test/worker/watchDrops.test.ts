import { afterEach, describe, expect, it } from '@jest/globals'
import type { ObjectStorage, StoredObject } from '../../src/adapters/files/objectStorage/storage.ts'
import { readDrop } from '../../src/store/drops/drops.ts'
import { notifyLanding } from '../../src/store/drops/landed.ts'
import type { Repeated } from '../../worker/repeat.ts'
import { startDropWatch, WATCH_SPEEDS } from '../../worker/watchDrops.ts'
import { endWith, manifestOf, register } from '../support/files/drops.ts'
import { chunksOf, objectText } from '../support/files/objects.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const db = () => market.deps.db
let watches: Repeated[] = []
afterEach(async () => {
  await Promise.all(watches.map((watch) => watch.stop()))
  watches = []
})

const said: unknown[] = []
function watch({ pauseMs = 50, drops = market.deps.drops, dropsPerDay = 500 } = {}): void {
  const logger = { warn: (...what: unknown[]) => void said.push(what) }
  const speed = { ...WATCH_SPEEDS.directory, pauseMs }
  const counted: ObjectStorage = {
    ...drops,
    list(prefix) {
      if (prefix === 'cable/') walks += 1
      return drops.list(prefix)
    },
  }
  watches.push(startDropWatch({ db: db(), databaseUrl: market.databaseUrl, drops: counted, dropsPerDay, logger, ...speed }))
}

let walks = 0
/** Until the watches have walked through the drops of cable from start to end, several times from now. */
async function walkedAgain(): Promise<void> {
  const enough = walks + 2 * watches.length + 1
  await until(() => walks >= enough)
}

/** Files land without the API, as in a bucket. */
async function put(seller: string, dropId: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await market.deps.drops.put(`${seller}/${dropId}/${name}`, chunksOf(text))
}
const withManifest = (dropId: string, files: Record<string, string>, more = {}) => ({
  ...files,
  'manifest.json': JSON.stringify(manifestOf(dropId, files, more)),
})
async function resultIn(seller: string, dropId: string, file: string) {
  const text = await objectText(market.deps.drops, `${seller}/${dropId}/${file}`)
  return text === undefined ? undefined : JSON.parse(text)
}
const runsOf = async (id: string) => (await db().pool.query('select from drops where drop_id = $1', [id])).rowCount ?? 0
const isRegistered = async (id: string) => (await runsOf(id)) > 0
const errorsLanded = async (id: string, seller = 'cable') => (await resultIn(seller, id, 'errors.json')) !== undefined

describe('a manifest.json that has landed', () => {
  it('is registered once, by several workers, and its run woken by the outbox', async () => {
    for (let n = 0; n < 3; n += 1) watch()
    await put('cable', 'w-1', withManifest('w-1', { 'a.csv': 'w-1' }, { unknown: 1 }))
    await until(() => isRegistered('w-1'))
    await walkedAgain()
    expect(await runsOf('w-1')).toBe(1)
    expect(await readDrop(db(), 'cable', 'w-1')).toMatchObject({
      status: 'processing',
      warnings: [{ file: 'manifest.json', code: 'UNKNOWN_MEMBER' }],
    })
    const { rowCount } = await db().pool.query(`select from outbox where kind = 'drop' and target = 'cable/w-1'`)
    expect(rowCount).toBe(1)
  })

  it('is one run with the POST of the same manifest, whichever comes first', async () => {
    for (let n = 0; n < 2; n += 1) watch({ pauseMs: 10 })
    for (const id of ['w-14', 'w-15', 'w-16']) {
      const files = { 'a.csv': id }
      await put('cable', id, files)
      const posted = [register(market.cable, id, files), register(market.cable, id, files)]
      await put('cable', id, { 'manifest.json': withManifest(id, files)['manifest.json'] })
      expect((await Promise.all(posted)).map(({ status }) => status)).toEqual([202, 202])
      await until(async () => (await db().pool.query(`select from landed_manifests where drop_id = $1 and is_done`, [id])).rowCount === 1)
      expect(await runsOf(id)).toBe(1)
    }
  })

  it('is registered when its landing is notified, before the next look', async () => {
    await put('cable', 'w-17', withManifest('w-17', { 'a.csv': 'w-17' }))
    watch({ pauseMs: 60_000 })
    await until(() => isRegistered('w-17')) // by the first look; the next one is a minute away
    await put('cable', 'w-2', withManifest('w-2', { 'a.csv': 'w-2' }))
    await until(async () => {
      await notifyLanding(db(), 'cable', 'w-2') // again, since the watch may not listen yet
      return isRegistered('w-2')
    })
  })

  it('is registered when its landing is notified, however many were before', async () => {
    watch({ pauseMs: 60_000 })
    const registeredByNotice = async (id: string) => {
      await put('cable', id, withManifest(id, { 'a.csv': id }))
      await until(async () => {
        await notifyLanding(db(), 'cable', id)
        return isRegistered(id)
      })
    }
    await registeredByNotice('w-18')
    for (let n = 0; n < 150; n += 1) await notifyLanding(db(), 'cable', 'w-none')
    await registeredByNotice('w-19')
  })

  it('waits for its files', async () => {
    watch()
    const { 'manifest.json': manifest, ...files } = withManifest('w-3', { 'a.csv': 'w-3' })
    await put('cable', 'w-3', { 'manifest.json': manifest })
    await until(async () => (await db().pool.query(`select from landed_manifests where drop_id = 'w-3'`)).rowCount === 1)
    await walkedAgain()
    expect(await isRegistered('w-3')).toBe(false)
    await put('cable', 'w-3', files)
    await until(() => isRegistered('w-3'))
    expect(await readDrop(db(), 'cable', 'w-3')).toMatchObject({ status: 'processing' })
  })

  it('is refused when its files have not come for 15 minutes', async () => {
    await put('cable', 'w-4', { 'manifest.json': JSON.stringify(manifestOf('w-4', { 'a.csv': 'w-4' })) })
    watch()
    await until(async () => (await db().pool.query(`select from landed_manifests where drop_id = 'w-4'`)).rowCount === 1)
    await db().pool.query(
      `update landed_manifests set first_seen_at = now() - interval '16 minutes', look_at = now() where drop_id = 'w-4'`,
    )
    await until(() => errorsLanded('w-4'))
    const result = await resultIn('cable', 'w-4', 'errors.json')
    expect(result).toMatchObject({
      status: 'rejected',
      rows_written: 0,
      errors: [{ file: 'manifest.json', row: 0, field: 'files.0.filename' }],
    })
    expect((await market.cable.get('/me/files/w-4')).body).toEqual(result)
    // Another manifest is looked at from the start.
    await put('cable', 'w-4', withManifest('w-4', { 'b.csv': 'w-4' }))
    await until(async () => (await runsOf('w-4')) === 2)
  })

  it('is looked at again when it lands again as it was, also in a bucket, which tags the same bytes alike', async () => {
    const { drops } = market.deps
    const alike = <T extends StoredObject | undefined>(object: T): T => object && { ...object, tag: String(object.size) }
    const bucket: ObjectStorage = {
      ...drops,
      stat: async (name) => alike(await drops.stat(name)),
      async *list(prefix) {
        for await (const object of drops.list(prefix)) yield alike(object)
      },
    }
    const files = withManifest('w-13', { 'a.csv': 'w-13' })
    await put('cable', 'w-13', { 'manifest.json': files['manifest.json'] })
    watch({ drops: bucket })
    await until(async () => (await db().pool.query(`select from landed_manifests where drop_id = 'w-13'`)).rowCount === 1)
    await db().pool.query(
      `update landed_manifests set first_seen_at = now() - interval '16 minutes', look_at = now() where drop_id = 'w-13'`,
    )
    await until(() => errorsLanded('w-13'))
    await put('cable', 'w-13', files)
    await until(async () => (await runsOf('w-13')) === 2)
    expect(await readDrop(db(), 'cable', 'w-13')).toMatchObject({ status: 'processing' })
  })

  it.each([
    ['no JSON', 'w-5', '{', undefined],
    ['another version', 'w-6', JSON.stringify(manifestOf('w-6', { 'a.csv': 'x' }, { schema_version: '2.0' })), 'schema_version'],
    ['another drop_id than its folder', 'w-7', JSON.stringify(manifestOf('w-77', { 'a.csv': 'x' })), 'drop_id'],
    ['more than a mebibyte', 'w-8', ' '.repeat(1024 * 1024 + 1), undefined],
  ])('with %s is refused at once, and once', async (_, id, text, field) => {
    await put('cable', id, { 'manifest.json': text })
    for (let n = 0; n < 2; n += 1) watch()
    await until(() => errorsLanded(id))
    const { errors } = await resultIn('cable', id, 'errors.json')
    expect(errors).toEqual([
      expect.objectContaining({ file: 'manifest.json', row: 0, error_code: 'INVALID_INPUT', message: expect.any(String) }),
    ])
    expect(errors[0].field).toBe(field)
    await walkedAgain()
    expect(await runsOf(id)).toBe(1)
  })

  it('waits when the seller has had its drops of a day', async () => {
    await put('station', 'w-9', withManifest('w-9', { 'a.csv': 'w-9' }))
    await put('station', 'w-10', withManifest('w-10', { 'a.csv': 'w-10' }))
    watch({ dropsPerDay: 1 })
    await until(async () => (await runsOf('w-9')) + (await runsOf('w-10')) === 1)
    await until(
      async () =>
        (await db().pool.query(`select from landed_manifests where seller = 'station' and look_at > now() + interval '30 minutes'`))
          .rowCount === 1,
    )
  })
})

describe('a seller with a store of any size', () => {
  it('does not keep others waiting', async () => {
    const { drops } = market.deps
    let passed = 0
    const hostile: ObjectStorage = {
      ...drops,
      async *list(prefix) {
        if (prefix !== 'cable/') return yield* drops.list(prefix)
        for (let n = 0; n < 100_000; n += 1) {
          passed += 1
          yield { name: `cable/h-${String(n).padStart(6, '0')}/manifest.json`, size: 1, tag: 't', modifiedAt: 0 }
        }
      },
    }
    await put('station', 'w-11', withManifest('w-11', { 'a.csv': 'w-11' }))
    watch({ drops: hostile })
    await until(() => isRegistered('w-11'))
    const { rowCount } = await db().pool.query(`select from landed_manifests where seller = 'cable' and not is_done`)
    expect(rowCount).toBeLessThanOrEqual(1_000)
    // A later look goes on where the one before ended.
    await until(() => passed > 2_000)
  })
})

describe('a result that has not landed', () => {
  it('is landed by a look', async () => {
    await put('cable', 'w-12', { 'a.csv': 'w-12' })
    await register(market.cable, 'w-12', { 'a.csv': 'w-12' })
    await endWith(db(), { seller: 'cable', drop_id: 'w-12', run_no: 1 }, { avails: { rows_written: 1, rows_rejected: 0 } })
    await db().pool.query(`update drops set ended_at = ended_at - interval '1 minute' where drop_id = 'w-12'`)
    watch()
    await until(async () => (await resultIn('cable', 'w-12', 'success.json')) !== undefined)
  })
})
