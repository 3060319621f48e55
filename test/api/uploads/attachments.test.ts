import { describe, expect, it } from '@jest/globals'
import { announced, attachment, CSV, expires, PDF, putContent, sha256Of, uploaded, XLSX } from '../../support/files/uploads.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const create = (...attachments: unknown[]) => market.acme.post('/orders', market.order({ attachments }))
const statusOf = async (id: string) => (await market.acme.get(`/uploads/${id}`)).body.status
const rows = async (text: string, values: unknown[] = []) => (await market.deps.db.pool.query(text, values)).rows
const written = async () =>
  rows(
    'select (select count(*) from orders) as orders, (select count(*) from order_uploads) as pins, (select count(*) from uploads where pinned) as pinned',
  )

describe('POST /orders with attachments: 201', () => {
  it('echoes them verbatim on both order reads, and names their uploads on the event to both sides', async () => {
    const pdf = await uploaded(market, market.acme, PDF)
    const sheet = await uploaded(market, market.acme, XLSX, 'xlsx')
    const attachments = [
      attachment(sheet, XLSX, { format: 'xlsx', role: 'makegood_notice', filename: '../buy sheet.xlsx' }),
      attachment(pdf, PDF, { sha256: sha256Of(PDF).toUpperCase(), role: 'other' }),
    ]
    const orderId = await market.parked({ attachments })
    expect((await market.snapshot(orderId)).attachments).toEqual(attachments)
    expect((await market.cable.get(`/me/orders/${orderId}`)).body.attachments).toEqual(attachments)
    for (const side of [market.acme, market.cable]) {
      const { events } = (await side.get(`/events?order=${orderId}`)).body
      const named = events.map(({ status, upload_ids }: Record<string, unknown>) => [status, upload_ids])
      expect(named).toEqual([
        ['submitted', undefined],
        ['validating', undefined],
        ['seller_review', [sheet, pdf]],
      ])
    }
  })

  it('names no uploads where nothing is attached', async () => {
    const orderId = await market.parked()
    expect((await market.events(orderId)).some((event) => 'upload_ids' in event)).toBe(false)
  })

  it('pins the upload, which then outlives expires_at, for this order and for another', async () => {
    const id = await uploaded(market, market.acme)
    const orderId = await market.created({ attachments: [attachment(id)] })
    expect(await rows('select order_id from order_uploads where upload_id = $1', [id])).toEqual([{ order_id: orderId }])
    await expires(market, id)
    expect(await statusOf(id)).toBe('uploaded')
    expect((await create(attachment(id), attachment(id, PDF, { role: 'other' }))).status).toBe(201)
    expect(await rows('select count(*) from order_uploads where upload_id = $1', [id])).toEqual([{ count: '2' }])
  })

  it('replays like any other create', async () => {
    const id = await uploaded(market, market.acme)
    const text = JSON.stringify(market.order({ attachments: [attachment(id)] }))
    const replies = await Promise.all(Array.from({ length: 6 }, () => market.acme.post('/orders', text)))
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers['x-idempotent-replay'] === 'true')).toHaveLength(5)
    expect(await rows('select count(*) from order_uploads where upload_id = $1', [id])).toEqual([{ count: '1' }])
  })
})

describe('POST /orders with attachments: 422, and nothing is created', () => {
  const refused = async (fields: string[], ...attachments: unknown[]) => {
    const before = await written()
    const { status, body } = await create(...attachments)
    expect([status, body.error_code]).toEqual([422, 'INVALID_INPUT'])
    expect(body.details.field).toBe(fields[0])
    expect(body.details.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
    expect(await written()).toEqual(before)
    return body.details.errors as { field: string; message: string }[]
  }

  it('reports an unknown, foreign, pending, rejected or expired upload in the same words', async () => {
    const foreign = await uploaded(market, market.zenith)
    const pending = await announced(market.acme, PDF)
    const rejected = await announced(market.acme, PDF)
    await putContent(market, market.acme, rejected, CSV)
    const expired = await uploaded(market, market.acme)
    await expires(market, expired)
    const ids = ['upl_none', foreign, pending, rejected, expired]
    const fields = ids.map((_, index) => `attachments.${index}.upload_id`)
    const errors = await refused(fields, ...ids.map((id) => attachment(id)))
    const messages = errors.map(({ message }, index) => message.replace(ids[index] ?? '', 'ID'))
    expect(new Set(messages).size).toBe(1)
  })

  it('reports another hash by itself', async () => {
    const id = await uploaded(market, market.acme)
    await refused(['attachments.1.sha256'], attachment(id), attachment(id, CSV))
  })

  it('reports another format by itself', async () => {
    const id = await uploaded(market, market.acme)
    await refused(['attachments.0.format'], attachment(id, PDF, { format: 'csv' }))
  })

  it.each([
    ['upload_id', { upload_id: undefined }],
    ['format', { format: 'docx' }],
    ['format', { format: undefined }],
    ['role', { role: 'invoice' }],
    ['filename', { filename: undefined }],
    ['sha256', { sha256: 'short' }],
  ])('names %s when it is wrong or missing: %j', async (member, more) => {
    const id = await uploaded(market, market.acme)
    await refused([`attachments.0.${member}`], attachment(id, PDF, more))
  })

  it('reports them in a dry run, which pins nothing', async () => {
    const id = await uploaded(market, market.acme)
    const preview = (attachments: unknown[]) => market.acme.post('/orders?dry_run=true', market.order({ attachments }))
    expect((await preview([attachment('upl_none')])).body.details.field).toBe('attachments.0.upload_id')
    expect((await preview([attachment(id)])).status).toBe(200)
    await expires(market, id)
    expect(await statusOf(id)).toBe('expired')
  })

  it('takes none with a request or a document', async () => {
    const id = await uploaded(market, market.acme)
    for (const input of [{ request: { request_type: 'open', brief: 'x' } }, { document: { upload_id: id, format: 'pdf' } }]) {
      const body = { ...market.order({ attachments: [attachment(id)], ...input }), line_items: undefined }
      const reply = await market.acme.post('/orders', body)
      expect([reply.status, reply.body.details.field]).toEqual([422, 'attachments'])
    }
  })
})
