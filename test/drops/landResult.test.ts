import { beforeEach, describe, expect, it } from '@jest/globals'
import type { ObjectStorage } from '../../src/adapters/objectStorage.ts'
import { landResult } from '../../src/drops/landResult.ts'
import { unlandedResults } from '../../src/store/drops/landed.ts'
import { endWith, land, register, registered } from '../support/files/drops.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const db = () => market.deps.db
let id: string
let made = 0
beforeEach(async () => {
  made += 1
  id = await registered(market, market.cable, `d-${made}`, { 'a.csv': `${made}` })
})

const WRITTEN = { avails: { rows_written: 1, rows_rejected: 0 } }
const ERROR = { file: 'a.csv', row: 2, error_code: 'INVALID_ENTRY' as const, value: null, message: 'is wrong' }
const key = (run_no = 1) => ({ seller: 'cable', drop_id: id, run_no })
const landing = (drops: ObjectStorage = market.deps.drops) => landResult({ db: db(), drops }, 'cable', id)

async function results(): Promise<Record<string, { registered_at: string; status: string }>> {
  const found: Record<string, { registered_at: string; status: string }> = {}
  for (const name of ['success.json', 'errors.json']) {
    const bytes = await (await market.deps.drops.get(`cable/${id}/${name}`))?.toArray()
    if (bytes !== undefined) found[name] = JSON.parse(Buffer.concat(bytes).toString())
  }
  return found
}

describe('the landing of a result', () => {
  it('does nothing for a run that has not ended', async () => {
    await landing()
    expect(await results()).toEqual({})
  })

  it('writes what the API serves into success.json, or into errors.json in its place', async () => {
    await endWith(db(), key(), WRITTEN)
    await landing()
    expect(await results()).toEqual({ 'success.json': (await market.cable.get(`/me/files/${id}`)).body })
    await land(market, market.cable, id, { 'a.csv': `${made} again` })
    await register(market.cable, id, { 'a.csv': `${made} again` })
    await endWith(db(), key(2), WRITTEN, [ERROR])
    await landing()
    expect(await results()).toEqual({ 'errors.json': (await market.cable.get(`/me/files/${id}`)).body })
  })

  it('leaves the newest result, when that came while an older one was being written by a process that is then killed', async () => {
    await endWith(db(), key(), WRITTEN)
    await register(market.cable, id, { 'a.csv': `${made}` }, { reprocess: true })
    const { drops } = market.deps
    let newer: Promise<void> | undefined
    const killed: ObjectStorage = {
      ...drops,
      async put(name, bytes) {
        await endWith(db(), key(2), WRITTEN, [ERROR])
        newer = landing()
        // Long enough for the newer result to have landed, if it does not wait.
        await new Promise((resolve) => setTimeout(resolve, 500))
        await drops.put(name, bytes)
        throw new Error('killed')
      },
    }
    await expect(landing(killed)).rejects.toThrow('killed')
    await newer
    expect(Object.entries(await results()).map(([name, { status }]) => [name, status])).toEqual([['errors.json', 'partial']])
  })

  it('is still to be done until it is done', async () => {
    const isWaiting = async () => (await unlandedResults(db(), 100)).some(({ drop_id }) => drop_id === id)
    await endWith(db(), key(), WRITTEN)
    await db().pool.query(`update drops set ended_at = ended_at - interval '1 minute' where drop_id = $1`, [id])
    const away = { ...market.deps.drops, put: () => Promise.reject(new Error('away')) }
    await expect(landing(away)).rejects.toThrow('away')
    expect(await isWaiting()).toBe(true)
    await landing()
    expect(await isWaiting()).toBe(false)
  })
})
