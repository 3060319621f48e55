import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { DocumentAnswer } from '../../../src/operations/documents/documentReader.ts'
import { type DocumentRequest, openDocumentReadings } from '../../../src/operations/documents/documentReadings.ts'
import { uploaded } from '../../support/files/uploads.ts'
import type { Market } from '../../support/market.ts'
import { csvOf, LAYOUTS, type Sheet } from '../../support/orders/buysheets.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let uploads: { acme: string[]; zenith: string[] }
beforeAll(async () => {
  const some = (tenant: Market['acme']) => Promise.all(Array.from({ length: 12 }, () => uploaded(market, tenant)))
  uploads = { acme: await some(market.acme), zenith: await some(market.zenith) }
}, 60_000)

/** Resolves when the database has no more requests: everything that could continue has. */
async function settled(): Promise<void> {
  const { pool } = market.deps.db
  for (let quiet = 0; quiet < 5; quiet += 1) {
    await sleep(10)
    if (pool.idleCount < pool.totalCount || pool.waitingCount > 0) quiet = 0
  }
}
const never = new AbortController().signal
const open = async () => Readable.from([])
const ask = (buyer_entity: 'acme' | 'zenith', at: number, anchor = '2030-06-01'): DocumentRequest => ({
  buyer_entity,
  upload_id: uploads[buyer_entity][at] ?? '',
  format: 'csv',
  anchor,
})

/** A reader whose readings end when the test says so, in the order in which they began. */
function heldReader(counted_from_anchor = false) {
  const out: (() => void)[] = []
  let begun = 0
  const read = () => {
    begun += 1
    const answer: DocumentAnswer = {
      reading: { lines: [], doubts: [], totals: [{ of: 'units', read: `${begun}`, at: 'A1', value: `${begun}` }] },
      counted_from_anchor,
    }
    return new Promise<DocumentAnswer>((resolve) => out.push(() => resolve(answer)))
  }
  return {
    readings: openDocumentReadings(market.deps.db, read),
    begun: () => begun,
    async end() {
      out.shift()?.()
      await settled()
    },
  }
}

describe('the reading of a document', () => {
  it('is done once for all orders that name it, also when they come at the same time', async () => {
    const { readings, begun, end } = heldReader()
    const all = ['2030-06-01', '2030-06-01', '2031-01-01'].map((anchor) => readings.of(ask('acme', 0, anchor), open, never))
    await settled()
    await end()
    const said = await Promise.all(all)
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(await readings.of(ask('acme', 0), open, never)).toEqual(said[0])
    expect(begun()).toBe(1)
  })

  it('is done for each date to count from, where it depends on that', async () => {
    const { readings, begun, end } = heldReader(true)
    for (const anchor of ['2030-06-01', '2031-01-01', '2030-06-01']) {
      const said = readings.of(ask('acme', 1, anchor), open, never)
      await settled()
      await end()
      expect(await said).toMatchObject({ totals: [{ read: anchor === '2030-06-01' ? '1' : '2' }] })
    }
    expect(begun()).toBe(2)
  })

  it('leaves a place to others while many documents of one buyer wait, and refuses more with a retry', async () => {
    const { readings, begun, end } = heldReader()
    const mine = [2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => readings.of(ask('acme', at), open, never))
    await settled()
    expect(await readings.of(ask('acme', 11), open, never)).toBe('permits_taken')
    expect(begun()).toBe(1)
    const other = readings.of(ask('zenith', 0), open, never)
    await settled()
    expect(begun()).toBe(2)
    for (let at = 0; at < 10; at += 1) await end()
    expect(await Promise.all([...mine, other])).not.toContain('permits_taken')
  })

  it('gives its place back when it is stopped, or fails', async () => {
    const readings = openDocumentReadings(market.deps.db, () => Promise.reject(new Error('no reader')))
    for (let at = 0; at < 2; at += 1) await expect(readings.of(ask('zenith', 1), open, never)).rejects.toThrow('no reader')
    const held = heldReader()
    const first = held.readings.of(ask('zenith', 1), open, never)
    await until(() => held.begun() === 1) // so that the second one waits for its place
    const stop = new AbortController()
    const second = held.readings.of(ask('zenith', 2), open, stop.signal)
    await settled()
    stop.abort(new Error('stopped'))
    await expect(second).rejects.toThrow('stopped')
    await held.end()
    expect(await first).toHaveProperty('lines')
  })
})

it('is by a real reader what the document says', async () => {
  const bytes = csvOf(LAYOUTS['a plain list'] as Sheet)
  const readings = openDocumentReadings(market.deps.db)
  const said = await readings.of(ask('zenith', 3), async () => Readable.from([bytes]), never)
  expect(said).toMatchObject({ lines: [{ units: { read: '10' } }, { units: { read: '4' } }] })
  const { rows } = await market.deps.db.pool.query('select anchor from document_readings where upload_id = $1', [uploads.zenith[3]])
  expect(rows).toEqual([{ anchor: '' }]) // it names every year
})
