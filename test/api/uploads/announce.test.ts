import { describe, expect, it } from '@jest/globals'
import { announced, CSV, expires, PDF, putContent, uploaded } from '../../support/files/uploads.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket({ uploads: { maxBytes: 25 * 1024 * 1024, ttlHours: 72, perDay: 200 } })

const upload = { filename: 'plan.pdf', format: 'pdf', size_bytes: 1024 }
const count = async () => (await market.deps.db.pool.query('select from uploads')).rowCount

describe('POST /uploads: 201', () => {
  it('answers the record that later reads return', async () => {
    const { status, body } = await market.acme.post('/uploads', upload)
    expect(status).toBe(201)
    expect(body).toEqual({
      upload_id: expect.stringMatching(/^upl_[0-9a-z]{26}$/),
      buyer_entity: 'acme',
      ...upload,
      status: 'pending',
      sha256: null,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      upload_url: `/v1/uploads/${body.upload_id}/content`,
    })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(72 * 3_600_000)
    expect((await market.acme.get(`/uploads/${body.upload_id}`)).body).toEqual(body)
  })

  it.each(['../../etc/passwd', 'C:\\plan.pdf', 'план 🙂.pdf', ' ', 'a\nb', "'; drop table uploads; --"])(
    'records the filename %j as it is',
    async (filename) => {
      const { status, body } = await market.acme.post('/uploads', { ...upload, filename })
      expect([status, body.filename]).toEqual([201, filename])
    },
  )

  it('takes the largest size', async () => {
    expect((await market.acme.post('/uploads', { ...upload, size_bytes: 25 * 1024 * 1024 })).status).toBe(201)
  })

  it('ignores members of the platform in the body', async () => {
    const more = {
      upload_id: 'upl_mine',
      status: 'uploaded',
      sha256: 'a'.repeat(64),
      expires_at: '2999-01-01T00:00:00Z',
      buyer_entity: 'zenith',
    }
    const { status, body } = await market.acme.post('/uploads', { ...upload, ...more })
    expect(status).toBe(201)
    expect(body).toMatchObject({ buyer_entity: 'acme', status: 'pending', sha256: null })
    expect(body.upload_id).not.toBe('upl_mine')
  })
})

describe('POST /uploads: 422, and nothing is stored', () => {
  it.each([
    ['an unsupported format', { format: 'docx' }, { field: 'format' }],
    ['no format', { format: undefined }, { field: 'format', missing: ['format'] }],
    ['no filename', { filename: undefined }, { field: 'filename', missing: ['filename'] }],
    ['an empty filename', { filename: '' }, { field: 'filename', missing: ['filename'] }],
    ['no size', { size_bytes: undefined }, { field: 'size_bytes', missing: ['size_bytes'] }],
    ['a size over the maximum', { size_bytes: 25 * 1024 * 1024 + 1 }, { field: 'size_bytes', maximum: 25 * 1024 * 1024 }],
    ['a size of nothing', { size_bytes: 0 }, { field: 'size_bytes' }],
    ['half a byte', { size_bytes: 1.5 }, { field: 'size_bytes' }],
    ['a size in words', { size_bytes: '1024' }, { field: 'size_bytes' }],
  ])('for %s', async (_, more, details) => {
    const before = await count()
    const { status, body } = await market.acme.post('/uploads', { ...upload, ...more })
    expect(status).toBe(422)
    expect(body).toMatchObject({ error_code: 'INVALID_INPUT', details })
    expect(await count()).toBe(before)
  })
})

describe('POST /uploads: 429', () => {
  const small = useMarket({ uploads: { maxBytes: 1024, ttlHours: 1, perDay: 3 } })

  it('is the answer beyond the daily limit of a buyer, with the time until there is room again', async () => {
    const mints = await Promise.all(Array.from({ length: 8 }, () => small.acme.post('/uploads', upload)))
    expect(mints.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429, 429, 429])
    const refused = await small.acme.post('/uploads', upload)
    expect(refused.body).toMatchObject({ error_code: 'RATE_LIMITED', recoverable: true })
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(86_300)
    expect(seconds).toBeLessThanOrEqual(86_400)
    expect((await small.zenith.post('/uploads', upload)).status).toBe(201)

    await small.deps.db.pool.query(`update uploads set created_at = created_at - interval '1 day' where buyer_entity = 'acme'`)
    expect((await small.acme.post('/uploads', upload)).status).toBe(201)
  })
})

describe('POST /uploads where the daily limit is 0: 201', () => {
  const free = useMarket({ uploads: { maxBytes: 1024, ttlHours: 1, perDay: 0 } })

  it('accepts uploads without a limit', async () => {
    const mints = await Promise.all(Array.from({ length: 8 }, () => free.acme.post('/uploads', upload)))
    expect(new Set(mints.map(({ status }) => status))).toEqual(new Set([201]))
  })
})

describe('GET /uploads/{id}: 200', () => {
  it('has the hash once the bytes have arrived', async () => {
    const id = await uploaded(market, market.acme, CSV, 'csv')
    expect((await market.acme.get(`/uploads/${id}`)).body).toMatchObject({
      status: 'uploaded',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('is expired after expires_at, with or without bytes, and a rejected one stays rejected', async () => {
    const pending = await announced(market.acme, PDF)
    const there = await uploaded(market, market.acme)
    const rejected = await announced(market.acme, PDF)
    await putContent(market, market.acme, rejected, CSV)
    for (const id of [pending, there, rejected]) await expires(market, id)
    const statusOf = async (id: string) => (await market.acme.get(`/uploads/${id}`)).body.status
    expect(await Promise.all([pending, there, rejected].map(statusOf))).toEqual(['expired', 'expired', 'rejected'])
  })
})

describe('GET /uploads/{id}: 404', () => {
  it("is the same for another buyer's upload as for an unknown one", async () => {
    const id = await announced(market.acme, PDF)
    const foreign = await market.zenith.get(`/uploads/${id}`)
    const none = await market.zenith.get('/uploads/upl_none')
    expect([foreign.status, none.status]).toEqual([404, 404])
    expect(foreign.text).toBe(none.text)
  })
})
