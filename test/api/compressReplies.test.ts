import { describe, expect, it } from '@jest/globals'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

describe.each(['ASCII', 'Zürich, 東京'])('the same order (%s) for any Accept-Encoding', (name) => {
  const get = (path: string, encoding: string | undefined) => {
    const asked = market.request.get(`/v1${path}`).set('Authorization', `Bearer ${market.tokens.buyers.acme}`)
    return encoding === undefined ? asked.unset('Accept-Encoding') : asked.set('Accept-Encoding', encoding)
  }

  it.each([undefined, 'gzip', 'identity', ''])('%s', async (encoding) => {
    const orderId = await market.created({ buyer_metadata: { advertiser_id: 'adv-1', buyer_contact: { name } } })
    const [plain, reply] = [await get(`/orders/${orderId}`, undefined), await get(`/orders/${orderId}`, encoding)]
    expect(reply.status).toBe(200)
    expect(reply.text).toBe(plain.text)
    expect(reply.body.buyer_metadata.buyer_contact).toEqual({ name })
    const { 'content-encoding': encoded, 'content-length': length, vary } = reply.headers
    expect([encoded, vary]).toEqual([encoding === 'gzip' ? 'gzip' : undefined, 'Accept-Encoding'])
    if (encoded === undefined) expect(Number(length)).toBe(Buffer.byteLength(plain.text))
  })
})
