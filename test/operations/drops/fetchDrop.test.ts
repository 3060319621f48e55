import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { fetchDrop, fillSpool } from '../../../src/operations/drops/fetchDrop.ts'
import { openSpool } from '../../../src/operations/drops/spool.ts'
import { atStage } from '../../../src/operations/drops/stage.ts'
import { readOpenRun } from '../../../src/store/drops/dropRun.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { ingest, landDrop } from '../../support/drops/drops.ts'
import { useDrops } from '../../support/drops/useDrops.ts'

const { app, deps, name, dataDir } = useDrops()
const NEVER = new AbortController().signal

beforeEach(() =>
  landDrop(deps, name, [
    {
      filename: 'avails.csv',
      type: 'avails',
      text: `product_id,period.grain,period.start,state\n${name.drop_id},day,2026-01-01,available`,
    },
  ]),
)

const stageOf = async () => (await readDrop(app.deps.db, 'station', name.drop_id))?.stage
const spooled = () => readdir(join(dataDir(), 'spool', 'station'), { recursive: true }).catch(() => [])

describe('fetching a drop', () => {
  it('copies its files, which the end of the drop removes again', async () => {
    await fetchDrop(deps, name, NEVER)
    expect(await spooled()).toContain(`${name.drop_id}/1/files/avails.csv`)
    expect(await ingest(deps, name)).toEqual(['publish', 'avails', 'posts', 'finish'])
    expect((await spooled()).filter((path) => path.endsWith('.csv'))).toEqual([])
  })

  it('waits for a store that is away, before or in the middle of a file', async () => {
    const get = () => Promise.reject(new Error('connect ECONNREFUSED'))
    await expect(fetchDrop({ ...deps, drops: { ...deps.drops, get } }, name, NEVER)).rejects.toMatchObject({
      reason: 'storage_unavailable',
    })
    const broken = async () => {
      const bytes = await deps.drops.get(`station/${name.drop_id}/avails.csv`)
      bytes?.once('data', () => bytes.destroy(new Error('socket hang up')))
      return bytes
    }
    await expect(fetchDrop({ ...deps, drops: { ...deps.drops, get: broken } }, name, NEVER)).rejects.toMatchObject({
      reason: 'storage_unavailable',
    })
    expect(await stageOf()).toBe('fetch')
    expect((await spooled()).filter((path) => path.includes('.csv'))).toEqual([]) // parts would fill the spool
    await ingest(deps, name)
    expect(await stageOf()).toBe('ended')
  })

  it('keeps nothing of a file that has changed, nor of a copy that was stopped', async () => {
    const changed = async () => Readable.from([Buffer.from('changed')])
    const stopped = new AbortController()
    const stopping = async () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('product_id')
          stopped.abort()
          yield Buffer.from(',state')
        })(),
      )
    await expect(fetchDrop({ ...deps, drops: { ...deps.drops, get: stopping } }, name, stopped.signal)).rejects.toThrow()
    const run = await readOpenRun(deps.db, name)
    if (run === undefined) throw new Error('the drop has ended')
    expect(await fillSpool({ ...deps, drops: { ...deps.drops, get: changed } }, run, run.files, NEVER)).toMatchObject([
      { file: 'avails.csv', error_code: 'SHA256_MISMATCH' },
    ])
    expect((await spooled()).filter((path) => path.includes('.csv'))).toEqual([])
    await ingest(deps, name)
  })

  it('waits while the spool is full', async () => {
    await expect(fetchDrop({ ...deps, spool: openSpool(dataDir(), 10) }, name, NEVER)).rejects.toMatchObject({ reason: 'spool_full' })
    await ingest(deps, name)
    expect(await stageOf()).toBe('ended')
  })

  it('waits while the disk is full', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    await expect(atStage(deps.db, name, 'fetch', () => Promise.reject(full))).rejects.toMatchObject({ reason: 'disk_full' })
    await ingest(deps, name)
  })

  it('by two at once is done once', async () => {
    await Promise.all([fetchDrop(deps, name, NEVER), fetchDrop(deps, name, NEVER)])
    expect(await stageOf()).toBe('publish')
    await ingest(deps, name)
  })
})

describe('the spool', () => {
  it('loses what a killed worker left of drops that are over, and keeps what is under way', async () => {
    await fetchDrop(deps, name, NEVER)
    const gone = { seller: 'station', drop_id: 'over', run_no: 1 }
    await fetchDrop(deps, name, NEVER)
    await mkdir(deps.spool.folderOf(gone), { recursive: true })
    await writeFile(join(deps.spool.folderOf(gone), 'left.csv'), 'x')
    await deps.spool.removeLeftovers(async ({ drop_id }) => drop_id === name.drop_id)
    const left = await spooled()
    expect(left.filter((path) => path.startsWith('over'))).toEqual([])
    expect(left).toContain(`${name.drop_id}/1/files/avails.csv`)
  })
})
