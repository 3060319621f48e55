import { Readable } from 'node:stream'
import { beforeAll, expect, it } from '@jest/globals'
import { openDocumentReadings } from '../../src/operations/documents/documentReadings.ts'
import { uploaded } from '../support/files/uploads.ts'
import type { Tenant } from '../support/market.ts'
import { csvOf } from '../support/orders/buysheets.ts'
import { parsedOrder, sheetOf, takesDocuments } from '../support/orders/documentOrders.ts'
import { useMarket } from '../support/useMarket.ts'
import { besideFlood, statusesOf } from './support/besideFlood.ts'
import { attackMs, scale } from './support/scale.ts'

const market = useMarket()
beforeAll(() => takesDocuments(market))

/** Uploads a document of so many rows and reads it as the workflow's step does. */
async function readUpload(tenant: Tenant, buyer_entity: string, rows: number): Promise<string> {
  const bytes = csvOf({ rows: Array.from({ length: rows }, (_, at) => [`row ${at}`, 'with some', 'more', 'cells']) })
  const upload_id = await uploaded(market, tenant, bytes, 'csv')
  const ask = { upload_id, format: 'csv' as const, buyer_entity, anchor: '2030-06-01' }
  await openDocumentReadings(market.deps.db).of(ask, async () => Readable.from([bytes]), new AbortController().signal)
  return upload_id
}

it('a flood of reads of a large document delays no other buyer who reads its own', async () => {
  const [large, small] = [await readUpload(market.acme, 'acme', 1_000), await readUpload(market.zenith, 'zenith', 3)]
  const read = async (tenant: Tenant, upload_id: string) => expect((await tenant.get(`/uploads/${upload_id}/pages`)).status).toBe(200)
  const flooded = await besideFlood({
    name: 'pages of a document',
    baseUrl: market.baseUrl,
    call: () => read(market.zenith, small),
    floods: [
      { method: 'GET', path: `/uploads/${large}/pages`, token: market.acme.token, atOnce: scale(16, 128) },
      { method: 'GET', path: `/uploads/${small}/pages`, token: market.acme.token, atOnce: scale(2, 8) },
    ],
    ms: attackMs(1_000, 20_000),
    floorMs: 1_000,
  })
  expect(flooded.answers.get(200)).toBeGreaterThan(0)
  // The other buyer's document is as unknown as any other.
  expect(statusesOf(flooded).filter((status) => ![200, 404, 429, 503].includes(Number(status)))).toEqual([])
}, 240_000)

it('a flood of confirms that are only tried delays no other buyer, and books nothing', async () => {
  const lines = Array.from({ length: scale(50, 500) }, (_, at) => ({ Units: 1 + (at % 9) }))
  const order = await parsedOrder(market, sheetOf(...lines))
  const before = await market.events(order)
  const flooded = await besideFlood({
    name: 'confirms that are only tried',
    baseUrl: market.baseUrl,
    call: async () => expect((await market.zenith.post('/orders', market.order())).status).toBe(201),
    floods: [
      {
        method: 'POST',
        path: `/orders/${order}/confirm?dry_run=true`,
        token: market.acme.token,
        body: JSON.stringify({ action: 'confirm', actor: 'Dana' }),
        atOnce: scale(8, 64),
      },
    ],
    ms: attackMs(1_000, 20_000),
    floorMs: 1_000,
  })
  expect(flooded.answers.get(200)).toBeGreaterThan(0)
  expect(statusesOf(flooded).filter((status) => ![200, 429, 503].includes(Number(status)))).toEqual([])
  expect(await market.events(order)).toEqual(before)
}, 240_000)
