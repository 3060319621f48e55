import { describe, expect, it } from '@jest/globals'
import { announced, attachment, CSV, PDF, uploaded } from '../../support/files/uploads.ts'
import { download } from '../../support/http/download.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

describe('GET /uploads/{id}/content: 200', () => {
  it('returns the bytes as a file that no browser runs or guesses the type of', async () => {
    const html = Buffer.from('line,units\n<script>alert(1)</script>,2\n')
    const uploadId = await announced(market.acme, html, 'csv', 'p"l\r\nä n;é.html')
    await market.request.put(`/v1/uploads/${uploadId}/content`).auth(market.acme.token, { type: 'bearer' }).type('text/csv').send(html)
    const { status, body, headers } = await download(market, market.acme, `/uploads/${uploadId}/content`)
    expect([status, body]).toEqual([200, html])
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(html.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="p_l____n__.html"; filename*=UTF-8''p%22l%0D%0A%C3%A4%20n%3B%C3%A9.html`,
    })
  })
})

describe('GET /uploads/{id}/content: 404', () => {
  it("is the same for another buyer's upload and an unknown one", async () => {
    const foreign = await market.zenith.get(`/uploads/${await uploaded(market, market.acme)}/content`)
    const unknown = await market.zenith.get('/uploads/upl_none/content')
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })
})

describe('GET /uploads/{id}/content: 409', () => {
  it('is the answer while there is no content', async () => {
    const pending = await market.acme.get(`/uploads/${await announced(market.acme, PDF)}/content`)
    expect([pending.status, pending.body]).toMatchObject([409, { error_code: 'INVALID_STATE', details: { status: 'pending' } }])
  })
})

describe('GET /me/orders/{id}/attachments/{upload_id}: 200', () => {
  it('returns what the buyer attached to an order to its seller', async () => {
    const uploadId = await uploaded(market, market.acme, CSV, 'csv')
    const orderId = await market.parked({ attachments: [attachment(uploadId, CSV, { format: 'csv' })] })
    const { status, body } = await download(market, market.cable, `/me/orders/${orderId}/attachments/${uploadId}`)
    expect([status, body]).toEqual([200, CSV])
  })
})

describe('GET /me/orders/{id}/attachments/{upload_id}: 404', () => {
  it('is the answer for an upload of another order or another seller, and for an unknown one', async () => {
    const [attached, loose] = [await uploaded(market, market.acme), await uploaded(market, market.acme)]
    const [orderId, other] = [await market.parked({ attachments: [attachment(attached)] }), await market.parked()]
    for (const [tenant, path] of [
      [market.cable, `${other}/attachments/${attached}`],
      [market.cable, `${orderId}/attachments/${loose}`],
      [market.cable, `${orderId}/attachments/upl_none`],
      [market.station, `${orderId}/attachments/${attached}`],
    ] as const)
      expect((await tenant.get(`/me/orders/${path}`)).status).toBe(404)
  })
})
