import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { documentActivities } from '../../../activities/documents.ts'
import { housekeepingActivities } from '../../../activities/housekeeping.ts'
import { findS3Server, type S3Server, startS3Server } from '../../support/engines/s3Server.ts'
import { listedNames } from '../../support/files/objects.ts'
import { setS3Credential } from '../../support/files/s3Credential.ts'
import { announced, expires, PDF, putContent, sha256Of, storedText, uploaded, XLSX } from '../../support/files/uploads.ts'
import { csvOf, LAYOUTS } from '../../support/orders/buysheets.ts'
import { documentOrder, parseOf, takesDocuments } from '../../support/orders/documentOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const program = await findS3Server()

;(program === undefined ? describe.skip : describe)('uploads in a bucket', () => {
  let s3: S3Server
  beforeAll(async () => {
    setS3Credential()
    s3 = await startS3Server(program ?? '')
    await s3.createBucket('marketplace')
  })
  afterAll(() => s3.remove())
  const market = useMarket(() => ({ storeUrls: { OBJECTS_URL: s3.url('marketplace/objects') } }))

  it('are stored like uploads in a directory', async () => {
    const id = await announced(market.acme, PDF)
    const { status, body } = await putContent(market, market.acme, id, PDF)
    expect(status).toBe(200)
    expect(body).toEqual({ upload_id: id, status: 'uploaded', sha256: sha256Of(PDF), size_bytes: PDF.length })
    expect(await storedText(market, id)).toBe(PDF.toString())
    expect((await market.acme.get(`/uploads/${id}`)).body).toMatchObject({ status: 'uploaded', sha256: sha256Of(PDF) })
  })

  it('leave nothing when they differ from what was announced', async () => {
    const before = await listedNames(market.deps.objects, '')
    const id = await announced(market.acme, XLSX, 'pdf')
    expect((await putContent(market, market.acme, id, XLSX)).status).toBe(422)
    expect(await listedNames(market.deps.objects, '')).toEqual(before)
  })

  it('are the documents that orders are read from', async () => {
    await takesDocuments(market)
    const orderId = await documentOrder(market, csvOf(LAYOUTS['a plain list'] as never))
    const { orders: log, db, objects } = market.deps
    const { parseDocument } = documentActivities({ log, db, objects })
    const { status } = (await new MockActivityEnvironment().run(parseDocument, orderId)) as { status: string }
    expect(status).toBe('needs_confirmation')
    expect(parseOf(await market.snapshot(orderId)).lines[0]?.read).toMatchObject({ product: { read: 'prime', at: 'A2' } })
  })

  it('are deleted once they expire', async () => {
    const id = await uploaded(market, market.acme)
    expect(await storedText(market, id)).toBe(PDF.toString())
    await expires(market, id)
    const { lapseUploads } = housekeepingActivities(market.deps)
    await new MockActivityEnvironment().run(lapseUploads)
    expect(await storedText(market, id)).toBeUndefined()
  })

  it('get 503 while the bucket is unreachable, and are accepted once it is back', async () => {
    const id = await announced(market.acme, PDF)
    await s3.kill()
    try {
      const { status, body, headers } = await putContent(market, market.acme, id, PDF)
      expect([status, body.error_code]).toEqual([503, 'UNAVAILABLE'])
      expect(body.error_message).toBe('The service cannot reach its file store right now; try again.')
      expect(headers['retry-after']).toBe('1')
      expect((await market.acme.get(`/uploads/${id}`)).body.status).toBe('pending')
    } finally {
      await s3.start()
    }
    expect((await putContent(market, market.acme, id, PDF)).status).toBe(200)
  })
})
