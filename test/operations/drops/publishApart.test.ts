import { describe, expect, it } from '@jest/globals'
import { ROOT } from '../../../src/config/root.ts'
import { processesStartedWith } from '../../../src/local/embedded/processIdentity.ts'
import { publishDrop } from '../../../src/operations/drops/publishDrop.ts'
import { readOpenRun } from '../../../src/store/drops/dropRun.ts'
import { type FileToDrop, ingest, landDrop, STAGES } from '../../support/drops/drops.ts'
import { useDrops } from '../../support/drops/useDrops.ts'
import { aCard, aCatalog, aProduct, aRate } from '../../support/orders/published.ts'
import { until } from '../../support/until.ts'

const { app, deps, name, result } = useDrops(100_000)

const NEVER = new AbortController().signal
/** Every drop is large. */
const APART = { ownBytes: 0, heapMib: 768 }
const file = (filename: string, type: FileToDrop['type'], body: object): FileToDrop => ({ filename, type, text: JSON.stringify(body) })
const products = async () =>
  (await app.deps.db.pool.query(`select product_id from products where seller = 'station' order by 1`)).rows.map(
    ({ product_id }) => product_id,
  )
const stage = async () => (await readOpenRun(deps.db, name))?.stage
const fetched = async (...files: FileToDrop[]) => {
  await landDrop(deps, name, files)
  await STAGES.fetch(deps, name, NEVER)
}

describe('a large drop is published in a process of its own', () => {
  it('as a small one is', async () => {
    await fetched(
      file('c.json', 'catalog', aCatalog(aProduct('a'), aProduct('b'))),
      file('r.json', 'rate_cards', aCard('card', [aRate('b')])),
    )
    await publishDrop(deps, name, NEVER, APART)
    await ingest(deps, name)
    expect(await result()).toMatchObject({ status: 'success', rows_written: 3, counts: { catalog: { rows_written: 2 } } })
    expect(await products()).toEqual(['a', 'b'])
  })

  it('also if its files are smaller than their entries, and is rejected by an integrity failure as a small one is', async () => {
    const catalog = file('c.json', 'catalog', aCatalog(aProduct('t1', { external_ref: 'same' }), aProduct('t2', { external_ref: 'same' })))
    await fetched(catalog)
    await publishDrop(deps, name, NEVER, { ...APART, ownBytes: Buffer.byteLength(catalog.text) })
    await ingest(deps, name)
    expect(await result()).toMatchObject({ status: 'rejected', errors: [{ error_code: 'DUPLICATE_EXTERNAL_REF', value: 'same' }] })
  })

  it('is rejected by name if it exhausts the memory that it has, and leaves nothing', async () => {
    const many = Array.from({ length: 6_000 }, (_, index) =>
      aProduct(`many-${index}`, { advertiser_classes: Array.from({ length: 200 }, (_, of) => `class ${of} of ${index}`) }),
    )
    await fetched(file('c.json', 'catalog', aCatalog(...many)))
    await publishDrop(deps, name, NEVER, { ownBytes: 0, heapMib: 40 })
    await ingest(deps, name)
    expect(await result()).toMatchObject({
      status: 'rejected',
      rows_written: 0,
      errors: [{ file: 'c.json', row: 0, error_code: 'INVALID_INPUT', message: expect.stringContaining('Send them in several drops.') }],
    })
    expect(await products()).toEqual(['a', 'b'])
    const { rows } = await app.owner().query(`select unpublished_commit_nos as numbers from sellers where seller = 'station'`)
    expect(rows).toEqual([{ numbers: [] }])
  }, 60_000)

  it('is tried again if the process was killed from outside or with its worker', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => aProduct(`again-${index}`))
    await fetched(file('c.json', 'catalog', aCatalog(...many)))
    const stop = new AbortController()
    const stopped = expect(publishDrop(deps, name, stop.signal, APART)).rejects.toThrow()
    stop.abort()
    await stopped
    const killed = expect(publishDrop(deps, name, NEVER, APART)).rejects.toThrow('ended (SIGKILL)')
    const publishers = () => processesStartedWith([ROOT, 'publisher', `station/${name.drop_id}`])
    await until(async () => (await publishers()).length === 1)
    for (const pid of await publishers()) process.kill(pid, 'SIGKILL')
    await killed
    expect(await stage()).toBe('publish')
    await publishDrop(deps, name, NEVER, APART)
    await ingest(deps, name)
    expect(await result()).toMatchObject({ status: 'success', rows_written: 3_000 })
  }, 60_000)
})
