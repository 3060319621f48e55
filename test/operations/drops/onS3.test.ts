import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { openSpool } from '../../../src/operations/drops/spool.ts'
import type { StageDeps } from '../../../src/operations/drops/stage.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import type { Repeated } from '../../../worker/repeat.ts'
import { startDropWatch, WATCH_SPEEDS } from '../../../worker/watchDrops.ts'
import { ingest } from '../../support/drops/drops.ts'
import { findS3Server, type S3Server, startS3Server } from '../../support/engines/s3Server.ts'
import { land, manifestOf, register } from '../../support/files/drops.ts'
import { chunksOf, listedNames, objectText } from '../../support/files/objects.ts'
import { s3Environment, setS3Credential } from '../../support/files/s3Credential.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { sha256Of } from '../../support/files/uploads.ts'
import { sftp, withOpenSsh, writeAskPass } from '../../support/sftp/openSsh.ts'
import { startSftpProcess } from '../../support/sftp/sftpProcess.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'
import { MAPPINGS } from './stationMappings.ts'

/** Drops whose files are in a bucket: hashing, the watch, runs, results and SFTP, on a real S3 server. */
const program = await findS3Server()

;(program === undefined ? describe.skip : describe)('drops in a bucket', () => {
  let s3: S3Server
  let folder: TemporaryFolder
  let deps: StageDeps
  let watch: Repeated | undefined
  beforeAll(async () => {
    setS3Credential()
    s3 = await startS3Server(program ?? '')
    await s3.createBucket('marketplace')
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    await watch?.stop()
    watch = undefined
  })
  afterAll(async () => {
    await s3.remove()
    await folder.remove()
  })
  const url = () => s3.url('marketplace/drops')
  const market = useMarket(() => ({ storeUrls: { DROPS_URL: url() } }))
  beforeAll(() => {
    deps = { db: market.deps.db, drops: market.deps.drops, spool: openSpool(folder.path), productsPerSeller: 1_000 }
  })

  const warned: string[] = []
  const watches = () => {
    const logger = { warn: (message: string) => void warned.push(message) }
    const speed = { ...WATCH_SPEEDS.s3, pauseMs: 200 }
    watch = startDropWatch({ db: deps.db, drops: deps.drops, databaseUrl: market.databaseUrl, dropsPerDay: 500, logger, ...speed })
  }
  const avails = (spots: number) => `product_id,period.grain,period.start,state,spots.available\nprime,week,2030-W23,available,${spots}\n`
  const put = (path: string, text: string) => deps.drops.put(path, chunksOf(text))
  const result = async (dropId: string, file: string) => {
    const text = await objectText(deps.drops, `cable/${dropId}/${file}`)
    return text === undefined ? undefined : JSON.parse(text)
  }
  const isRegistered = async (dropId: string) => (await readDrop(deps.db, 'cable', dropId)) !== undefined

  it('are put over HTTP, hashed once, registered, ingested, and their result lands', async () => {
    const files = { 'a.csv': avails(11) }
    await land(market, market.cable, 's-1', files)
    expect((await register(market.cable, 's-1', { 'a.csv': 'other' })).body.details.field).toBe('files.0.sha256')
    const kept = await deps.db.pool.query(`select tag from drop_files where drop_id = 's-1' and sha256 is not null`)
    expect(kept.rows).toEqual([{ tag: (await deps.drops.stat('cable/s-1/a.csv'))?.tag }])
    expect((await register(market.cable, 's-1', files)).status).toBe(202)
    await ingest(deps, { seller: 'cable', drop_id: 's-1' })
    expect(await result('s-1', 'success.json')).toEqual((await market.cable.get('/me/files/s-1')).body)
    expect(await result('s-1', 'success.json')).toMatchObject({ status: 'success', rows_written: 1 })
  })

  it('that a seller puts into the bucket itself are found by the watch, and wait for their files', async () => {
    watches()
    for (let n = 0; n < 20; n += 1) await put(`station/other-${n}/a.csv`, 'x')
    const files = { 'a.csv': avails(12) }
    await put('cable/s-2/manifest.json', JSON.stringify(manifestOf('s-2', files)))
    await until(async () => (await market.cable.get('/me/files/s-2')).body.reason === 'waiting_for_files')
    await put('cable/s-2/a.csv', files['a.csv'])
    await until(async () => (await isRegistered('s-2')) && (await readDrop(deps.db, 'cable', 's-2'))?.status === 'processing', 60)
    await ingest(deps, { seller: 'cable', drop_id: 's-2' })
    await until(async () => (await result('s-2', 'success.json')) !== undefined)
  }, 90_000)

  it('are found when the bucket was away, and nothing is refused meanwhile', async () => {
    const files = { 'a.csv': avails(13) }
    await put('cable/s-3/a.csv', files['a.csv'])
    await put('cable/s-3/manifest.json', JSON.stringify(manifestOf('s-3', files)))
    await s3.kill()
    warned.length = 0
    watches()
    await until(() => warned.length > 0, 60)
    expect(await isRegistered('s-3')).toBe(false)
    await s3.start()
    await until(() => isRegistered('s-3'), 60)
    expect(await readDrop(deps.db, 'cable', 's-3')).toMatchObject({ status: 'processing', stage: 'fetch' })
    await ingest(deps, { seller: 'cable', drop_id: 's-3' })
    expect(await readDrop(deps.db, 'cable', 's-3')).toMatchObject({ status: 'success' })
  }, 180_000)

  it('that are a log of a station are read by the mapping that its manifest.json names', async () => {
    watches()
    const log = await readFile(new URL('../../corpus/documents/12-station-log.xlsx', import.meta.url))
    await market.cable.put('/me/files/mappings/log-short', MAPPINGS['log-short'])
    const named = { filename: 'log.xlsx', type: 'delivery_posts', sha256: sha256Of(log), mapping: 'log-short' }
    await deps.drops.put('cable/s-6/log.xlsx', Readable.from([log]))
    await put('cable/s-6/manifest.json', JSON.stringify({ ...manifestOf('s-6', {}), files: [named] }))
    await until(() => isRegistered('s-6'), 60)
    await ingest(deps, { seller: 'cable', drop_id: 's-6' })
    expect(await result('s-6', 'success.json')).toMatchObject({
      counts: { delivery_posts: { rows_rejected: 0, rows_unattached: 2 } },
      mappings: [{ file: 'log.xlsx', mapping: 'log-short' }],
    })
  }, 90_000)

  withOpenSsh('over SFTP', () => {
    it('land, are renamed, listed, read and removed, and their result is read where it lands', async () => {
      const server = await startSftpProcess(market, { DROPS_URL: url(), ...s3Environment() })
      try {
        await writeAskPass(folder.path)
        const endpoint = { port: server.port, home: folder.path }
        const local = (name: string) => join(folder.path, name)
        const run = (...commands: string[]) => sftp(endpoint, 'cable', { password: market.cable.token }, commands)
        const files = { 'a.csv': avails(14) }
        await writeFile(local('a.csv'), files['a.csv'])
        await writeFile(local('manifest.json'), JSON.stringify(manifestOf('s-4', files)))
        watches()
        const sent = await run(
          ...['mkdir s-4', `put ${local('a.csv')} s-4/a.csv.part`, 'rename s-4/a.csv.part s-4/a.csv'],
          ...[`put ${local('a.csv')} s-4/gone.csv`, 'rm s-4/gone.csv', `put ${local('manifest.json')} s-4/manifest.json`, 'ls s-4'],
        )
        expect([sent.code, sent.err]).toEqual([0, ''])
        expect(sent.out).toMatch(/s-4\/a\.csv\s+s-4\/manifest\.json/)
        expect(await listedNames(deps.drops, 'cable/s-4/')).toEqual(['cable/s-4/a.csv', 'cable/s-4/manifest.json'])
        await until(() => isRegistered('s-4'), 30)
        await ingest(deps, { seller: 'cable', drop_id: 's-4' })
        expect(await run(`get s-4/success.json ${local('success.json')}`, `get s-4/a.csv ${local('back.csv')}`)).toMatchObject({ code: 0 })
        await s3.kill()
        const away = await run(`put ${local('a.csv')} s-5/a.csv`)
        expect([away.code, away.err]).toEqual([1, expect.stringContaining('Failure')])
        expect(server.said()).toContain('the file store failed')
      } finally {
        await s3.start()
        await server.stop('SIGKILL')
      }
    }, 120_000)
  })
})
