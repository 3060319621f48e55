import { CSV, sha256Of } from '../../support/files/uploads.ts'
import { csvOf } from '../../support/orders/buysheets.ts'
import { parsed, readingOf, sheetOf } from '../../support/orders/documentOrders.ts'
import { type ContractStory, ok, parked, refused, same, story } from './world.ts'

export const FILES: readonly ContractStory[] = [
  story('document', 'A document is read, and resumes at needs_confirmation.', 'states.md#confirm', async (world, holds) => {
    const { acme, market } = world
    const bytes = csvOf(sheetOf({}))
    const order_id = await holds('a document is uploaded and ordered', async () => {
      const { upload_id } = ok(await acme.post('/uploads', { filename: 'a.csv', format: 'csv', size_bytes: bytes.length }), 201)
      ok(await acme.put(`/uploads/${upload_id}/content`, bytes, 'text/csv'), 200)
      return parked(world, { line_items: undefined, document: { upload_id, format: 'csv' } })
    })
    await parsed(market, order_id, await readingOf(bytes))
    await holds('a confirm is 202 confirmed', async () => {
      same(ok(await acme.get(`/orders/${order_id}`), 200).status, 'needs_confirmation', 'the status')
      const body = ok(await acme.post(`/orders/${order_id}/confirm`, { action: 'confirm', actor: 'Dana' }), 202)
      same([body.order_id, body.status], [order_id, 'confirmed'], 'the reply')
    })
  }),
  story(
    'uploads',
    'Exactly one content PUT per upload; its bytes are checked against the declared format.',
    'files.md#upload',
    async (world, holds) => {
      const { acme, zenith } = world
      const announce = async (format: string, size_bytes: number) =>
        ok(await acme.post('/uploads', { filename: `a.${format}`, format, size_bytes }), 201)
      const { upload_id, sha256 } = await holds('an upload is pending, and then uploaded with its hash', async () => {
        const minted = await announce('csv', CSV.length)
        same([minted.status, minted.sha256], ['pending', null], 'the upload')
        const put = ok(await acme.put(`/uploads/${minted.upload_id}/content`, CSV, 'text/csv'), 200)
        same([put.status, put.sha256, put.size_bytes], ['uploaded', sha256Of(CSV), CSV.length], 'the reply')
        return put
      })
      await holds('a second PUT is 409, and the hash stays', async () => {
        refused(await acme.put(`/uploads/${upload_id}/content`, CSV, 'text/csv'), 409, 'CONFLICT')
        same(ok(await acme.get(`/uploads/${upload_id}`), 200).sha256, sha256, 'the hash')
      })
      await holds('another buyer gets 404', async () => {
        refused(await zenith.get(`/uploads/${upload_id}`), 404, 'NOT_FOUND')
      })
      await holds('an unknown format is named; bytes of another format reject the upload', async () => {
        refused(await acme.post('/uploads', { filename: 'a.doc', format: 'doc', size_bytes: 5 }), 422, 'INVALID_INPUT', { field: 'format' })
        const pdf = await announce('pdf', CSV.length)
        const details = refused(await acme.put(`/uploads/${pdf.upload_id}/content`, CSV, 'application/pdf'), 422, 'INVALID_INPUT')
        same('detected_format' in details, true, 'details.detected_format')
        same(ok(await acme.get(`/uploads/${pdf.upload_id}`), 200).status, 'rejected', 'the status')
      })
      await holds('an attachment is echoed with its hash; another hash is 422', async () => {
        const attachment = { upload_id, format: 'csv', role: 'buysheet', filename: 'a.csv', sha256 }
        const { order_id } = ok(await acme.post('/orders', world.market.order({ attachments: [attachment] })), 201)
        same(ok(await acme.get(`/orders/${order_id}`), 200).attachments?.[0]?.sha256, sha256, 'the attachment')
        const wrong = { ...attachment, sha256: '0'.repeat(64) }
        refused(await acme.post('/orders', world.market.order({ attachments: [wrong] })), 422, 'INVALID_INPUT')
      })
    },
  ),
]
