import { beforeAll, expect, it } from '@jest/globals'
import { uploaded } from '../support/files/uploads.ts'
import type { Tenant } from '../support/market.ts'
import { xlsxOf } from '../support/orders/buysheets.ts'
import { sheetOf, takesDocuments } from '../support/orders/documentOrders.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { usePlatform } from './support/usePlatform.ts'
import { quiet, victim } from './support/victim.ts'

const { market, moved } = usePlatform()
beforeAll(() => takesDocuments(market))

/** Creates an order by a document, and waits until its lines have been read. */
async function orderBy(tenant: Tenant, upload_id: string): Promise<void> {
  await moved(tenant, market.order({ line_items: undefined, document: { upload_id, format: 'xlsx' } }), ['needs_confirmation'])
}

const small = async (tenant: Tenant) => uploaded(market, tenant, await xlsxOf(sheetOf({})), 'xlsx')

/** A document that takes its reader a while: a table of many cells above the lines. */
async function largeDocument(): Promise<Buffer> {
  const cells = Array.from({ length: scale(150, 380) }, (_, row) => Array.from({ length: 256 }, (_, column) => `${row} ${column}`))
  return xlsxOf({ rows: [...cells, ...sheetOf({}).rows] })
}

async function readings(upload: string): Promise<number> {
  const { rows } = await market.deps.db.pool.query('select from document_readings where upload_id = $1', [upload])
  return rows.length
}

it('many documents of one buyer delay another by about one document, and an upload is read once', async () => {
  const mine = async () => orderBy(market.zenith, await small(market.zenith))
  const calm = await quiet(mine, { calls: scale(2, 10) })

  const document = await largeDocument()
  const [shared, ...others] = await Promise.all(Array.from({ length: scale(4, 40) }, () => uploaded(market, market.acme, document, 'xlsx')))
  const oneBegan = performance.now()
  await orderBy(market.acme, others.pop() ?? '')
  const one = performance.now() - oneBegan

  const began = performance.now()
  const ofOne = Promise.all(Array.from({ length: scale(9, 100) }, () => orderBy(market.acme, shared ?? '')))
  const besideOne = await victim(mine, ofOne, { least: 1 })
  await ofOne
  const all = performance.now() - began

  const ofMany = Promise.all(others.map((upload) => orderBy(market.acme, upload)))
  const besideMany = await victim(mine, ofMany, { least: 1 })
  await ofMany

  report('document queue', {
    quiet_max_ms: calm.max,
    one_order_ms: Math.round(one),
    orders_of_one_upload_ms: Math.round(all),
    beside_them_max_ms: besideOne.max,
    beside_many_uploads_max_ms: besideMany.max,
  })
  expect([...besideOne.failures, ...besideMany.failures]).toEqual([])
  expect(await readings(shared ?? '')).toBe(1)
  // A buyer shares the machine with the others, but does not wait for all of their work.
  for (const { max } of [besideOne, besideMany]) expectWithin(max, Math.max(5 * calm.max, one + 2 * calm.max, 2_000))
}, 300_000)
