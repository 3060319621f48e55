import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from '@jest/globals'
import { announced, CSV, expires, PDF, putContent, sha256Of, storedText, uploaded, XLSX } from '../../support/files/uploads.ts'
import { watchBuffers } from '../../support/heldBuffers.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const put = (id: string, bytes: Uint8Array, type?: string) => putContent(market, market.acme, id, bytes, type)
const read = async (id: string) => (await market.acme.get(`/uploads/${id}`)).body
const rowOf = async (id: string) => (await market.deps.db.pool.query('select * from uploads where upload_id = $1', [id])).rows[0]

/** A PUT that the test writes, pauses and aborts itself. */
function open(id: string, headers: Record<string, string | number> = {}): ClientRequest {
  return httpRequest(`${market.baseUrl}/uploads/${id}/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${market.acme.token}`, ...headers },
  })
}
async function answerTo(request: ClientRequest): Promise<{ status: number | undefined; body: Record<string, unknown> }> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: (await json(response)) as Record<string, unknown> }
}
const receiving = (id: string) => until(async () => (await rowOf(id)).status === 'receiving')

describe('PUT /uploads/{id}/content: 200', () => {
  it.each([
    ['pdf', PDF],
    ['xlsx', XLSX],
    ['csv', CSV],
  ] as const)('takes %s bytes, and stores them unchanged', async (format, bytes) => {
    const id = await announced(market.acme, bytes, format)
    const { status, body } = await put(id, bytes)
    expect(status).toBe(200)
    expect(body).toEqual({ upload_id: id, status: 'uploaded', sha256: sha256Of(bytes), size_bytes: bytes.length })
    expect(await read(id)).toMatchObject({ status: 'uploaded', sha256: sha256Of(bytes) })
    expect(await storedText(market, id)).toBe(bytes.toString())
  })

  it.each(['application/octet-stream', 'text/csv; charset=utf-8', 'application/json', 'multipart/form-data; boundary=x', 'nonsense'])(
    'takes them as %s',
    async (type) => {
      const id = await announced(market.acme, PDF)
      const request = open(id, { 'content-type': type })
      request.end(PDF)
      expect(await answerTo(request)).toMatchObject({ status: 200 })
    },
  )

  it('takes them in chunks and without a length', async () => {
    const id = await announced(market.acme, CSV, 'csv')
    const request = open(id)
    for (const byte of CSV) request.write(Uint8Array.of(byte))
    request.end()
    expect(await answerTo(request)).toMatchObject({ status: 200, body: { sha256: sha256Of(CSV) } })
  })

  it('holds little of 25 MiB in memory at any time', async () => {
    const chunk = Buffer.from(`${'x'.repeat(1023)}\n`.repeat(64))
    const size_bytes = 25 * 1024 * 1024
    const { body: upload } = await market.acme.post('/uploads', { filename: 'big.csv', format: 'csv', size_bytes })
    const request = open(upload.upload_id, { 'content-length': size_bytes })
    const bound = 12 * 1024 * 1024
    const held = watchBuffers(bound)
    let max = 0
    for (let sent = 0; sent < size_bytes; sent += chunk.length) {
      if (!request.write(chunk)) await once(request, 'drain')
      max = Math.max(max, held())
    }
    request.end()
    expect(await answerTo(request)).toMatchObject({ status: 200, body: { size_bytes } })
    expect(max).toBeLessThanOrEqual(bound)
  })
})

describe('PUT /uploads/{id}/content: 404', () => {
  it("is the same for another buyer's upload as for an unknown one, and the upload still waits", async () => {
    const id = await announced(market.acme, PDF)
    const foreign = await putContent(market, market.zenith, id, PDF)
    const none = await putContent(market, market.zenith, 'upl_none', PDF)
    expect([foreign.status, none.status]).toEqual([404, 404])
    expect(foreign.text).toBe(none.text)
    expect(await read(id)).toMatchObject({ status: 'pending' })
  })
})

describe('PUT /uploads/{id}/content: 409', () => {
  it('is the answer to a second PUT, and the stored bytes stay unchanged', async () => {
    const id = await uploaded(market, market.acme, PDF)
    const other = Buffer.from('%PDF-1.4\n%%EOF\n')
    const { status, body } = await put(id, other)
    expect(status).toBe(409)
    expect(body).toMatchObject({ error_code: 'CONFLICT', details: { status: 'uploaded' } })
    expect(await read(id)).toMatchObject({ status: 'uploaded', sha256: sha256Of(PDF) })
    expect(await storedText(market, id)).toBe(PDF.toString())
  })

  it('is the answer after a rejected PUT, even to valid bytes', async () => {
    const id = await announced(market.acme, PDF)
    await put(id, CSV)
    const { status, body } = await put(id, PDF)
    expect([status, body.details.status]).toEqual([409, 'rejected'])
  })

  it('is the answer for an expired upload', async () => {
    const id = await announced(market.acme, PDF)
    await expires(market, id)
    const { status, body } = await put(id, PDF)
    expect([status, body.details.status]).toEqual([409, 'expired'])
  })

  it('is the answer while another PUT is in progress, which then succeeds', async () => {
    const id = await announced(market.acme, PDF)
    const slow = open(id, { 'content-length': PDF.length })
    slow.write(PDF.subarray(0, 5))
    await receiving(id)
    expect(await read(id)).toMatchObject({ status: 'pending', sha256: null })
    const { status, body } = await put(id, PDF)
    expect([status, body.details.status]).toEqual([409, 'pending'])
    slow.end(PDF.subarray(5))
    expect(await answerTo(slow)).toMatchObject({ status: 200 })
  })

  it('is the answer to all but one of several concurrent PUTs', async () => {
    const id = await announced(market.acme, PDF)
    const replies = await Promise.all(Array.from({ length: 8 }, () => put(id, PDF)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    expect(await storedText(market, id)).toBe(PDF.toString())
  })

  it('is the answer when the upload expires while its bytes arrive, and they are not kept', async () => {
    const id = await announced(market.acme, PDF)
    const slow = open(id, { 'content-length': PDF.length })
    slow.write(PDF.subarray(0, 5))
    await receiving(id)
    await expires(market, id)
    slow.end(PDF.subarray(5))
    expect(await answerTo(slow)).toMatchObject({ status: 409, body: { details: { status: 'expired' } } })
    expect(await storedText(market, id)).toBeUndefined()
  })

  it('is the answer when another PUT has taken over, whose bytes remain', async () => {
    const [mine, theirs] = [Buffer.from('%PDF-1.7 a'), Buffer.from('%PDF-1.7 b')]
    const id = await announced(market.acme, mine)
    const slow = open(id, { 'content-length': mine.length })
    slow.write(mine.subarray(0, 5))
    await receiving(id)
    await market.deps.db.pool.query(`update uploads set claimed_at = claimed_at - interval '6 minutes' where upload_id = $1`, [id])
    expect((await put(id, theirs)).status).toBe(200)
    slow.end(mine.subarray(5))
    expect(await answerTo(slow)).toMatchObject({ status: 409, body: { details: { status: 'uploaded' } } })
    expect(await read(id)).toMatchObject({ sha256: sha256Of(theirs) })
    expect(await storedText(market, id)).toBe(theirs.toString())
  })
})

describe('PUT /uploads/{id}/content: 415', () => {
  it('is the answer to an encoded body, whose bytes are not those of the file', async () => {
    const id = await announced(market.acme, PDF)
    const request = open(id, { 'content-encoding': 'gzip', 'content-length': PDF.length })
    request.end(PDF)
    expect(await answerTo(request)).toMatchObject({ status: 415 })
    expect(await read(id)).toMatchObject({ status: 'pending' })
  })
})

describe('PUT /uploads/{id}/content: a csv that other marks than commas separate', () => {
  it.each([
    ['semicolons', 'Program;Week;Rate, gross\nPrime;2030-W23;1250,50\n'],
    ['tabs', 'Program\tWeek\nPrime\t2030-W23\n'],
  ])('is stored where it is regular, with a warning that names the %s', async (separator, text) => {
    const bytes = Buffer.from(text)
    const { status, body } = await put(await announced(market.acme, bytes, 'csv'), bytes)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'uploaded',
      warnings: [{ code: 'FOREIGN_SEPARATOR', message: expect.stringContaining(`separated by ${separator};`) }],
    })
  })

  it('has no warning for marks in a quoted heading, or for fewer than its commas', async () => {
    const bytes = Buffer.from('"a;b;c",b\n1,2\n')
    expect((await put(await announced(market.acme, bytes, 'csv'), bytes)).body).not.toHaveProperty('warnings')
  })
})

describe('PUT /uploads/{id}/content: 422, and the record is rejected', () => {
  it.each([
    ['a workbook announced as pdf', 'pdf', XLSX, 'xlsx'],
    ['a table announced as pdf', 'pdf', CSV, 'csv'],
    ['a pdf announced as xlsx', 'xlsx', PDF, 'pdf'],
    ['a pdf announced as csv', 'csv', PDF, 'pdf'],
    ['a ragged table', 'csv', Buffer.from('a,b\n1\n'), null],
    ['an object announced as csv', 'csv', Buffer.from('{"a":1}'), null],
    ['text that is not UTF-8', 'csv', Buffer.from([0x61, 0xff]), null],
    ['anything announced as xlsx', 'xlsx', Buffer.from([0, 1, 2, 3]), null],
  ] as const)('for %s, naming the detected format', async (_, format, bytes, detected_format) => {
    const id = await announced(market.acme, bytes, format)
    const { status, body } = await put(id, bytes)
    expect(status).toBe(422)
    expect(body).toMatchObject({ error_code: 'INVALID_INPUT', details: { detected_format } })
    expect(await read(id)).toMatchObject({ status: 'rejected', sha256: null })
    expect(await storedText(market, id)).toBeUndefined()
  })

  it.each([
    [3, 'Row 3 of the csv has 1 field, but the first row has 2.', 'a,b\r\n1,2\r\n3\r\n4,5\r\n'],
    [4, 'Row 4 of the csv has 3 fields, but the first row has 2.', 'a,b\n"1\n1",2\n\nprime,1,250.50\n'],
    [2, 'Row 2 of the csv opens a quote that is never closed.', 'a,b\n1,"2\n3,4\n'],
    [
      2,
      'Row 2 of the csv has 2 fields, but the first row has 1. The fields are separated by semicolons; save the file with commas between the fields and points in decimals.',
      'Program;Week;"Units; ordered"\nPrime;2030-W23;1250,50\n',
    ],
  ])('names row %i where the csv is ragged', async (row, error_message, text) => {
    const bytes = Buffer.from(text)
    const { body } = await put(await announced(market.acme, bytes, 'csv'), bytes)
    expect(body).toMatchObject({ error_message, details: { detected_format: null, row } })
  })

  it.each([
    ['a byte too many', Buffer.concat([PDF, Buffer.from('x')])],
    ['a byte too few', PDF.subarray(1)],
    ['nothing at all', Buffer.alloc(0)],
  ])('for %s', async (_, bytes) => {
    const id = await announced(market.acme, PDF)
    const { status, body } = await put(id, bytes)
    expect(status).toBe(422)
    expect(body).toMatchObject({ error_code: 'INVALID_INPUT', details: { size_bytes: PDF.length } })
    expect(await read(id)).toMatchObject({ status: 'rejected' })
  })

  it('for a stated length that is too large, before a byte of it arrives', async () => {
    const id = await announced(market.acme, PDF)
    const request = open(id, { 'content-length': 2 ** 40 })
    request.flushHeaders()
    expect(await answerTo(request)).toMatchObject({ status: 422 })
    expect(await read(id)).toMatchObject({ status: 'rejected' })
    request.destroy()
  })

  it('for endless chunks, before they end', async () => {
    const id = await announced(market.acme, PDF)
    const request = open(id, { connection: 'keep-alive' })
    const answer = answerTo(request)
    let answered = false
    void answer.then(() => {
      answered = true
    })
    for (let sent = 0; !answered && sent < 500; sent += 1) {
      if (!request.write(Buffer.alloc(64 * 1024))) await Promise.race([once(request, 'drain'), answer])
    }
    expect(await answer).toMatchObject({ status: 422 })
    expect(answered).toBe(true)
    request.destroy()
    expect(await read(id)).toMatchObject({ status: 'rejected' })
  })
})

describe('an aborted PUT', () => {
  it.each([
    ['with a length', { 'content-length': PDF.length }],
    ['in chunks', {}],
  ])('%s can be sent again', async (_, headers) => {
    const id = await announced(market.acme, PDF)
    const request = open(id, headers)
    request.on('error', () => undefined)
    request.write(PDF.subarray(0, 5))
    await receiving(id)
    request.destroy()
    await until(async () => (await rowOf(id)).status === 'pending')
    expect(await rowOf(id)).toMatchObject({ claimed_at: null, sha256: null })
    expect((await put(id, PDF)).status).toBe(200)
    expect(await storedText(market, id)).toBe(PDF.toString())
  })

  it('of a process that died can be sent again after five minutes', async () => {
    const id = await announced(market.acme, PDF)
    await market.deps.db.pool.query(
      `update uploads set status = 'receiving', claimed_at = now() - interval '4 minutes 50 seconds' where upload_id = $1`,
      [id],
    )
    expect((await put(id, PDF)).body.details.status).toBe('pending')
    await market.deps.db.pool.query(`update uploads set claimed_at = now() - interval '5 minutes 1 second' where upload_id = $1`, [id])
    expect((await put(id, PDF)).status).toBe(200)
  })
})
