import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { endWith, land, putFile, registered } from '../../support/files/drops.ts'
import { sha256Of } from '../../support/files/uploads.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const db = () => market.deps.db

async function storedIn(seller: string, dropId: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { name } of market.deps.drops.list(`${seller}/${dropId}/`)) {
    const bytes = await (await market.deps.drops.get(name))?.toArray()
    found[name] = Buffer.concat(bytes ?? []).toString()
  }
  return found
}

describe('PUT /me/files/{drop_id}/{filename}: 201', () => {
  it('stores the bytes and answers their hash', async () => {
    const bytes = Buffer.from([0, 1, 255, 10])
    const { status, body } = await putFile(market, market.cable, 'p-1', 'a.parquet', bytes)
    expect([status, body]).toEqual([201, { filename: 'a.parquet', sha256: sha256Of(bytes), size_bytes: 4 }])
    expect((await market.deps.drops.stat('cable/p-1/a.parquet'))?.size).toBe(4)
  })

  it('replaces a file of the same name', async () => {
    for (const text of ['first', 'second']) await land(market, market.cable, 'p-2', { 'a.csv': text })
    expect(await storedIn('cable', 'p-2')).toEqual({ 'cable/p-2/a.csv': 'second' })
  })

  it('keeps the drops of two sellers apart', async () => {
    await land(market, market.cable, 'p-3', { 'a.csv': 'of cable' })
    await land(market, market.station, 'p-3', { 'a.csv': 'of station' })
    expect(await storedIn('cable', 'p-3')).toEqual({ 'cable/p-3/a.csv': 'of cable' })
  })

  it('takes an empty file and a manifest.json', async () => {
    await land(market, market.cable, 'p-4', { 'a.csv': '', 'manifest.json': '{}' })
    expect(Object.keys(await storedIn('cable', 'p-4'))).toEqual(['cable/p-4/a.csv', 'cable/p-4/manifest.json'])
  })

  it('notifies the workers of manifest.json alone', async () => {
    const client = await db().pool.connect()
    const heard: (string | undefined)[] = []
    client.on('notification', ({ payload }) => heard.push(payload))
    try {
      await client.query('listen drops')
      await land(market, market.cable, 'p-5', { 'a.csv': '', 'manifest.json': '{}' })
      await client.query('select 1')
      expect(heard).toEqual(['cable/p-5'])
    } finally {
      client.release(true)
    }
  })

  it('keeps the earlier file when the client disconnects in the middle', async () => {
    await land(market, market.cable, 'p-6', { 'a.csv': 'whole' })
    const socket = await begun('p-6', 'a.csv')
    socket.destroy()
    await until(async () => (await landings('p-6')) === 0)
    expect(await storedIn('cable', 'p-6')).toEqual({ 'cable/p-6/a.csv': 'whole' })
  })
})

describe('PUT /me/files/{drop_id}/{filename}: 422', () => {
  it.each([
    [
      'filename',
      'p-7',
      'success.json',
      'filename must not be success.json, errors.json, errors.csv, waiting.json, which the service writes.',
    ],
    [
      'filename',
      'p-7',
      'ERRORS.json',
      'filename must not be success.json, errors.json, errors.csv, waiting.json, which the service writes.',
    ],
    [
      'filename',
      'p-7',
      'waiting.json',
      'filename must not be success.json, errors.json, errors.csv, waiting.json, which the service writes.',
    ],
    ['filename', 'p-7', 'Manifest.json', 'filename must be manifest.json in lower case; Manifest.json was sent.'],
    ['filename', 'p-7', '.a.csv', expect.stringContaining('must not begin with a dot; ".a.csv" was sent.')],
    ['filename', 'p-7', '..%2Fa.csv', expect.stringContaining('must not begin with a dot; "../a.csv" was sent.')],
    ['filename', 'p-7', 'a%0Ab.csv', expect.stringContaining('filename must have 1 to 128 bytes of printable characters')],
    ['drop_id', 'p%207', 'a.csv', expect.stringContaining('drop_id must have 1 to 128 characters')],
    ['drop_id', 'manifest', 'a.csv', 'drop_id must not be manifest or mappings, which are reserved; "manifest" was sent.'],
  ])('names %s of %s/%s', async (field, dropId, filename, message) => {
    const { status, body } = await putFile(market, market.cable, dropId, filename, 'x')
    expect([status, body.error_code, body.details.field, body.error_message]).toEqual([422, 'INVALID_INPUT', field, message])
    expect(await storedIn('cable', 'p-7')).toEqual({})
  })

  it('takes 64 files a drop besides its manifest', async () => {
    await db().pool.query(
      `insert into drop_files (seller, drop_id, filename, size) select 'cable', 'p-8', 'f' || n, 1 from generate_series(1, 63) n`,
    )
    await land(market, market.cable, 'p-8', { 'manifest.json': '{}', 'a.csv': '' })
    const { status, body } = await putFile(market, market.cable, 'p-8', 'b.csv', 'x')
    expect([status, body.error_message]).toEqual([422, 'A drop has at most 64 files; p-8 has them.'])
    await land(market, market.cable, 'p-8', { 'a.csv': 'again' })
  })
})

describe('PUT /me/files/{drop_id}/{filename}: 413', () => {
  it.each([
    ['p-9', 'a.csv', 512 * 1024 * 1024],
    ['p-9', 'a.xlsx', 64 * 1024 * 1024],
    ['p-9', 'manifest.json', 1024 * 1024],
  ])('refuses more bytes than %s/%s may have before it reads any', async (dropId, filename, max) => {
    expect(await announced(dropId, filename, max + 1)).toMatch(/^HTTP\/1.1 413 /)
  })

  it('refuses more than 2 GiB in a drop', async () => {
    await db().pool.query(`insert into drop_files (seller, drop_id, filename, size) values ('cable', 'p-10', 'big.csv', 2147483640)`)
    expect((await putFile(market, market.cable, 'p-10', 'a.csv', '12345678')).status).toBe(201)
    const { status, body } = await putFile(market, market.cable, 'p-10', 'a.csv', '123456789')
    expect([status, body.error_code, body.details.most]).toEqual([413, 'PAYLOAD_TOO_LARGE', 8])
  })

  it('stops reading a body without a stated length at the limit', async () => {
    await db().pool.query(`insert into drop_files (seller, drop_id, filename, size) values ('cable', 'p-11', 'big.csv', 2147483640)`)
    expect(await send('p-11', 'a.csv', 'Transfer-Encoding: chunked', '9\r\n123456789\r\n0\r\n\r\n')).toMatch(/^HTTP\/1.1 413 /)
    expect(await storedIn('cable', 'p-11')).toEqual({})
  })
})

describe('PUT /me/files/{drop_id}/{filename}: 429', () => {
  it('receives eight files of a seller at once', async () => {
    const sockets = Array.from({ length: 8 }, (_, n) => opened('p-12', `f-${n}.csv`, 'Content-Length: 1000', 'some'))
    await until(async () => (await landings('p-12')) === 8)
    const { status, body } = await putFile(market, market.cable, 'p-12', 'one-more.csv', 'x')
    expect([status, body.error_code]).toEqual([429, 'RATE_LIMITED'])
    expect((await putFile(market, market.station, 'p-12', 'a.csv', 'x')).status).toBe(201)
    for (const socket of sockets) socket.destroy()
    await until(async () => (await putFile(market, market.cable, 'p-12', 'a.csv', 'x')).status === 201)
  })
})

describe('GET /me/files/{drop_id}: 200', () => {
  it('shows the progress of a run', async () => {
    await registered(market, market.cable, 'g-1', { 'a.csv': 'g-1' })
    await db().pool.query(
      `update drops set stage = 'avails', rows_written = 7, counts = '{"avails":{"rows_written":7,"rows_rejected":0}}', stuck_reason = 'the store is away'
       where drop_id = 'g-1'`,
    )
    const { status, body } = await market.cable.get('/me/files/g-1')
    expect([status, body]).toEqual([
      200,
      {
        ...{ drop_id: 'g-1', status: 'processing', stage: 'avails', rows_written: 7, rows_rejected: 0 },
        ...{ registered_at: expect.any(String), ended_at: null, reason: 'the store is away' },
        ...{ counts: { avails: { rows_written: 7, rows_rejected: 0 } }, errors: [], errors_truncated: false, warnings: [] },
      },
    ])
  })

  it('is the stored result of an ended run, with its errors', async () => {
    await registered(market, market.cable, 'g-2', { 'a.csv': 'g-2' })
    const error = {
      file: 'a.csv',
      row: 2,
      error_code: 'UNKNOWN_PRODUCT_ID' as const,
      field: 'product_id',
      value: 'x',
      message: 'is unknown',
    }
    await endWith(db(), { seller: 'cable', drop_id: 'g-2', run_no: 1 }, { avails: { rows_written: 0, rows_rejected: 1 } }, [error])
    const { body } = await market.cable.get('/me/files/g-2')
    expect(body).toMatchObject({ drop_id: 'g-2', status: 'rejected', stage: 'ended', rows_written: 0, rows_rejected: 1, errors: [error] })
  })
})

describe('GET /me/files/{drop_id}: 404', () => {
  it("is the same for another seller's drop and for an unknown one", async () => {
    await registered(market, market.cable, 'g-3', { 'a.csv': 'g-3' })
    const [foreign, unknown] = await Promise.all([market.station.get('/me/files/g-3'), market.station.get('/me/files/nothing')])
    expect([foreign.status, unknown.status, foreign.text]).toEqual([404, 404, unknown.text])
  })
})

describe('GET /me/files: 200', () => {
  it('lists the runs of a seller newest first, by status and in pages', async () => {
    for (const id of ['l-1', 'l-2', 'l-3']) await registered(market, market.station, id, { 'a.csv': id })
    await endWith(db(), { seller: 'station', drop_id: 'l-2', run_no: 1 }, { avails: { rows_written: 1, rows_rejected: 0 } })
    const idsOf = ({ body }: { body: { items: { drop_id: string }[] } }) => body.items.map(({ drop_id }) => drop_id)
    const first = await market.station.get('/me/files?limit=2')
    expect(idsOf(first)).toEqual(['l-3', 'l-2'])
    expect(first.body.items[1]).toMatchObject({ status: 'success', stage: 'ended', results_uri: '/v1/me/files/l-2' })
    const next = await market.station.get(`/me/files?limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`)
    expect([idsOf(next), next.body.next_cursor]).toEqual([['l-1'], null])
    expect(idsOf(await market.station.get('/me/files?status=success'))).toEqual(['l-2'])
  })
})

describe('GET /me/files: 422', () => {
  it.each(['status=ended', 'limit=0', 'cursor=x', 'state=success'])('refuses ?%s', async (query) => {
    expect((await market.cable.get(`/me/files?${query}`)).status).toBe(422)
  })
})

/** The files of a drop that are being received. */
const landings = async (dropId: string) => (await db().pool.query('select from drop_landings where drop_id = $1', [dropId])).rowCount

/** A connection on which a PUT begins. */
function opened(dropId: string, filename: string, header: string, text: string): Socket {
  const { hostname, port } = new URL(market.baseUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const head = [
    `PUT /v1/me/files/${dropId}/${filename} HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Bearer ${market.cable.token}`,
    header,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  return socket
}

/** The connection of a PUT of which the service has received a part. */
async function begun(dropId: string, filename: string): Promise<Socket> {
  const socket = opened(dropId, filename, 'Content-Length: 1000', 'some')
  await until(async () => (await landings(dropId)) === 1)
  return socket
}

/** The reply to a PUT whose body is this text. */
async function send(dropId: string, filename: string, header: string, text: string): Promise<string> {
  const socket = opened(dropId, filename, header, text)
  const [reply] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return String(reply)
}

const announced = (dropId: string, filename: string, length: number) => send(dropId, filename, `Content-Length: ${length}`, '')
