import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import type { UploadFormat } from '../../../src/contract/vocabulary.ts'
import { openDocumentReadings } from '../../../src/operations/documents/documentReadings.ts'
import { uploaded } from '../../support/files/uploads.ts'
import { csvOf } from '../../support/orders/buysheets.ts'
import { sheetOf } from '../../support/orders/documentOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

/** Uploads a document and reads it as the workflow's step does. */
async function readUpload(bytes: Uint8Array, format: UploadFormat): Promise<string> {
  const upload_id = await uploaded(market, market.acme, bytes, format)
  const ask = { upload_id, format, buyer_entity: 'acme', anchor: '2030-06-01' }
  await openDocumentReadings(market.deps.db).of(ask, async () => Readable.from([bytes]), new AbortController().signal)
  return upload_id
}

describe('GET /uploads/{id}/pages: 200', () => {
  it('has the cells of a csv by their names, and nothing else of its reading', async () => {
    const upload_id = await readUpload(csvOf(sheetOf({})), 'csv')
    const { status, body } = await market.acme.get(`/uploads/${upload_id}/pages`)
    expect([status, body]).toMatchObject([200, { upload_id, format: 'csv', left_out: 0, pages: [{ layout: 'grid' }] }])
    expect(Object.keys(body).sort()).toEqual(['format', 'left_out', 'pages', 'upload_id'])
    const { texts } = body.pages[0]
    expect(texts).toContainEqual({ text: 'prime', at: 'A2', left: 0, right: 1, y: expect.any(Number), size: 1 })
  })

  it('has the texts of a pdf at their points, in no more than it keeps', async () => {
    const bytes = await readFile(new URL('../../corpus/documents/f03a-spots-per-week.pdf', import.meta.url))
    const upload_id = await readUpload(bytes, 'pdf')
    const { pages } = (await market.acme.get(`/uploads/${upload_id}/pages`)).body
    expect(pages[0]).toMatchObject({ layout: 'page' })
    expect(pages[0].texts[0]).toMatchObject({ at: 'page 1', size: expect.any(Number) })
  })

  it('has what was seen of a document that is no order', async () => {
    const upload_id = await readUpload(csvOf({ rows: [['Dear Sir', 'please order']] }), 'csv')
    const { status, body } = await market.acme.get(`/uploads/${upload_id}/pages`)
    expect([status, body.pages[0].texts[0]]).toMatchObject([200, { text: 'Dear Sir', at: 'A1' }])
  })

  it('leaves out what goes beyond, and says how much', async () => {
    const rows = Array.from({ length: 1_002 }, (_, at) => [`a${at}`, 'b', 'c', 'd'])
    const upload_id = await readUpload(csvOf({ rows }), 'csv')
    const { body } = await market.acme.get(`/uploads/${upload_id}/pages`)
    expect([body.left_out, body.pages[0].texts.length]).toEqual([8, 4_000])
  })
})

describe('GET /uploads/{id}/pages: 404', () => {
  it('knows no upload of another buyer', async () => {
    const upload_id = await readUpload(csvOf(sheetOf({})), 'csv')
    expect((await market.zenith.get(`/uploads/${upload_id}/pages`)).status).toBe(404)
  })
})

describe('GET /uploads/{id}/pages: 409', () => {
  it('has nothing of an upload that has not been read', async () => {
    const upload_id = await uploaded(market, market.acme, csvOf(sheetOf({})), 'csv')
    const { status, body } = await market.acme.get(`/uploads/${upload_id}/pages`)
    expect([status, body]).toMatchObject([409, { error_code: 'INVALID_STATE', details: { status: 'uploaded' } }])
  })
})
