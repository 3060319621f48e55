import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSpool } from '../../src/operations/drops/spool.ts'
import { readDrop } from '../../src/store/drops/drops.ts'
import type { Repeated } from '../../worker/repeat.ts'
import { startDropWatch, WATCH_SPEEDS } from '../../worker/watchDrops.ts'
import { MAPPINGS } from '../operations/drops/stationMappings.ts'
import { ingest } from '../support/drops/drops.ts'
import { putFile } from '../support/files/drops.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { sha256Of } from '../support/files/uploads.ts'
import { sftp, withOpenSsh, writeAskPass } from '../support/sftp/openSsh.ts'
import { type SftpProcess, startSftpProcess } from '../support/sftp/sftpProcess.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

/** The log of a station's traffic system, as it is, through the doors of drops. */
const LOG = 'f17a-station-log.xlsx'
const market = useMarket()
let folder: TemporaryFolder
let bytes: Buffer
beforeAll(async () => {
  folder = await temporaryFolder()
  bytes = await readFile(new URL(`../corpus/documents/${LOG}`, import.meta.url))
})
afterAll(() => folder.remove())

const SEVERAL = { 'week of June 3.xlsx': 'log-week' }
const manifestOf = (drop_id: string, more: object = {}) => {
  const files = Object.keys(SEVERAL).map((filename) => ({ filename, type: 'delivery_posts', sha256: sha256Of(bytes), ...more }))
  return { schema_version: '1.0', drop_id, files }
}
const ingested = async (drop_id: string) => {
  const { db, drops } = market.deps
  await ingest({ db, drops, spool: openSpool(folder.path), productsPerSeller: 100 }, { seller: 'cable', drop_id })
  return (await market.cable.get(`/me/files/${drop_id}`)).body
}
const READ = {
  status: 'success',
  counts: { delivery_posts: { rows_written: 0, rows_rejected: 0, rows_unattached: 21 } },
  mappings: [{ file: 'week of June 3.xlsx', mapping: 'log-week', version: expect.any(String) }],
}

describe('the log of a station', () => {
  it('is refused with the offer of a mapping, and read once there is one, over HTTP', async () => {
    const [name] = Object.keys(SEVERAL) as [string]
    expect((await putFile(market, market.cable, 'h-1', encodeURIComponent(name), bytes)).status).toBe(201)
    const register = () => market.cable.post('/me/files/manifest', manifestOf('h-1'))
    expect((await register()).status).toBe(202)
    const { status, errors } = await ingested('h-1')
    expect([status, errors[0].message]).toEqual(['rejected', expect.stringContaining('PUT /v1/me/files/mappings/{name}')])
    expect((await market.cable.put('/me/files/mappings/log-week', MAPPINGS['log-week'])).status).toBe(201)
    const again = await register()
    expect([again.status, again.headers['x-idempotent-replay']]).toEqual([202, undefined])
    expect(await ingested('h-1')).toMatchObject(READ)
    expect((await register()).headers['x-idempotent-replay']).toBe('true')
  })

  withOpenSsh('over SFTP', () => {
    let server: SftpProcess
    let watch: Repeated
    beforeAll(async () => {
      const { db, drops } = market.deps
      await writeAskPass(folder.path)
      server = await startSftpProcess(market)
      const logger = { warn: () => undefined }
      watch = startDropWatch({
        db,
        drops,
        databaseUrl: market.databaseUrl,
        dropsPerDay: 500,
        logger,
        ...WATCH_SPEEDS.directory,
        pauseMs: 200,
      })
    })
    market.beforeStop(async () => {
      await watch.stop()
      await server.stop('SIGKILL')
    })

    it('is read by the mapping that its manifest.json names, and its success.json says so', async () => {
      const local = (name: string) => join(folder.path, name)
      const [name] = Object.keys(SEVERAL) as [string]
      await writeFile(local('log.xlsx'), bytes)
      await writeFile(local('manifest.json'), JSON.stringify({ ...manifestOf('s-1', { mapping: 'log-week' }), reprocess: true }))
      const run = (...commands: string[]) =>
        sftp({ port: server.port, home: folder.path }, 'cable', { password: market.cable.token }, commands)
      const sent = await run('mkdir s-1', `put ${local('log.xlsx')} "s-1/${name}"`, `put ${local('manifest.json')} s-1/manifest.json`)
      expect(sent).toMatchObject({ code: 0, err: '' })
      await until(async () => (await readDrop(market.deps.db, 'cable', 's-1')) !== undefined, 90)
      await ingested('s-1')
      expect(await run(`get s-1/success.json ${local('success.json')}`)).toMatchObject({ code: 0 })
      expect(JSON.parse(await readFile(local('success.json'), 'utf8'))).toMatchObject(READ)
    }, 120_000)
  })
})
