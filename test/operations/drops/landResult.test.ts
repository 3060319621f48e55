import { beforeEach, describe, expect, it } from '@jest/globals'
import type { ObjectStorage } from '../../../src/adapters/files/objectStorage/storage.ts'
import { landResult } from '../../../src/operations/drops/landResult.ts'
import { unlandedResults } from '../../../src/store/drops/landed.ts'
import { endWith, land, register, registered } from '../../support/files/drops.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

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

const textOf = async (name: string) => {
  const bytes = await (await market.deps.drops.get(`cable/${id}/${name}`))?.toArray()
  return bytes && Buffer.concat(bytes).toString()
}

async function results(): Promise<Record<string, { registered_at: string; status: string }>> {
  const found: Record<string, { registered_at: string; status: string }> = {}
  for (const name of ['success.json', 'errors.json']) {
    const text = await textOf(name)
    if (text !== undefined) found[name] = JSON.parse(text)
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

  it('is indented, and lists the errors as a table beside it', async () => {
    const errors = [
      { ...ERROR, field: 'name', value: '=1+1', message: 'is "wrong", and more' },
      { ...ERROR, row: 3, value: 7 },
    ]
    await endWith(db(), key(), WRITTEN, errors)
    await landing()
    expect(await textOf('errors.json')).toMatch(/^\{\n {2}"drop_id": .+\n {2}"status": "partial",\n/)
    expect(await textOf('errors.csv')).toBe(
      [
        'file,row,field,error_code,value,message',
        `a.csv,2,name,INVALID_ENTRY,'=1+1,"is ""wrong"", and more"`,
        'a.csv,3,,INVALID_ENTRY,7,is wrong',
        '',
      ].join('\r\n'),
    )
    await register(market.cable, id, { 'a.csv': `${made}` }, { reprocess: true })
    expect([await textOf('errors.json'), await textOf('errors.csv')]).toEqual([undefined, undefined])
    await endWith(db(), key(2), WRITTEN)
    await landing()
    expect([await textOf('errors.csv'), await textOf('success.json')]).toEqual([undefined, expect.any(String)])
  })

  it('is none while a newer run is in progress, also where an older one has not landed', async () => {
    await endWith(db(), key(), WRITTEN, [ERROR])
    await landing()
    await land(market, market.cable, id, { 'a.csv': `${made} again` })
    await register(market.cable, id, { 'a.csv': `${made} again` })
    expect(await results()).toEqual({})
    await landing()
    expect(await results()).toEqual({})
    expect((await unlandedResults(db(), 100)).map(({ drop_id }) => drop_id)).not.toContain(id)
  })

  it('leaves the newest result, when that came while an older one was being written by a process that is then killed', async () => {
    await endWith(db(), key(), WRITTEN)
    const { drops } = market.deps
    let newer: Promise<void> | undefined
    let registering: Promise<unknown> | undefined
    const killed: ObjectStorage = {
      ...drops,
      async put(name, bytes) {
        // Its answer waits for the result that is being written.
        registering = register(market.cable, id, { 'a.csv': `${made}` }, { reprocess: true })
        await until(async () => (await market.cable.get(`/me/files/${id}`)).body.status === 'processing')
        await endWith(db(), key(2), WRITTEN, [ERROR])
        newer = landing()
        // Long enough for the newer result to have landed, if it does not wait.
        await new Promise((resolve) => setTimeout(resolve, 500))
        await drops.put(name, bytes)
        throw new Error('killed')
      },
    }
    await expect(landing(killed)).rejects.toThrow('killed')
    await registering
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
