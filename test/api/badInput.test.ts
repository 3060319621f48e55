import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Response } from 'supertest'
import { bodyIsOptional, takesJson } from '../../src/contract/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import type { ErrorEnvelope } from '../../src/contract/errorEnvelope.ts'
import { checkReply, ENVELOPE, faultsAgainst } from '../support/http/contract.ts'
import { useLoggedServer } from '../support/http/useLoggedServer.ts'
import { overTheWire } from '../support/http/wire.ts'
import { paidInvoice } from '../support/settlement/paidInvoice.ts'
import { useMarket } from '../support/useMarket.ts'

/** Any input to any endpoint gets the envelope, and no input causes an error line in the log. */
const market = useMarket()
const server = useLoggedServer(market)
beforeAll(async () => {
  const webhook = await market.acme.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
  Object.assign(ids, { order_id: await market.created(), endpoint_id: webhook.body.endpoint_id, invoice_id: await paidInvoice(market) })
})
afterEach(() => expect(server.logged.splice(0)).toEqual([]))

type Row = (typeof ENDPOINTS)[number]
const named = (rows: readonly Row[]) => rows.map((row) => [`${row.method.toUpperCase()} ${row.path}`, row] as const)
const EVERY = named(ENDPOINTS)
const WITH_BODY = named(ENDPOINTS.filter(takesJson))
/** A path names the caller's own resource; otherwise another fault would be reported before that of the body. */
const ids: Record<string, string> = { seller: 'cable', buyer_entity: 'acme' }
const pathOf = ({ path }: Row) => path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? 'some-id')
const bearer = ({ side }: Pick<Row, 'side'>) =>
  `Bearer ${{ buyer: market.acme, any: market.acme, everybody: market.acme, seller: market.cable, operator: market.operations }[side].token}`

interface Ask {
  body?: string | Buffer | undefined
  headers?: Record<string, string | undefined>
}
/** Sends bytes as they are; `undefined` takes a header away. */
async function send(row: Pick<Row, 'method' | 'side'>, path: string, { body, headers = {} }: Ask = {}): Promise<Response> {
  const all = { authorization: bearer(row), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers }
  const sent = Object.fromEntries(Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined))
  const reply = await fetch(`${server.baseUrl}${path}`, {
    method: row.method.toUpperCase(),
    headers: sent,
    ...(body === undefined ? {} : { body }),
  })
  const text = await reply.text()
  const result = { status: reply.status, headers: Object.fromEntries(reply.headers), text }
  checkReply(row.method, path, result)
  return { ...result, body: text === '' ? undefined : JSON.parse(text) } as unknown as Response
}

const order = (member: string) => `{"buyer_metadata":{"advertiser_id":"a","buyer_contact":{${member}}}}`
const nested = (levels: number) => `{"a":`.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1)
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const MALFORMED: [string, string | Buffer][] = [
  ['nothing', ''],
  ['blanks', ' \n\t'],
  ['an open brace', '{'],
  ['two values', '{} {}'],
  ['a trailing comma', '{"a":1,}'],
  ['a comment', '{} // no'],
  ['single quotes', "{'a':1}"],
  ['NaN', '{"a":NaN}'],
  ['a leading zero', '{"a":01}'],
  ['HTML', '<html></html>'],
  ['a form', 'a=1&b=2'],
  ['a line break in a string', '{"a":"\n"}'],
  ['a key twice', '{"a":1,"a":1}'],
  ['a key twice, once escaped', '{"a":1,"\\u0061":2}'],
  ['a key twice, deep inside', '{"a":[{"b":{"c":1,"c":2}}]}'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2}'],
  ['U+0000 in a value', '{"a":"x\\u0000"}'],
  ['U+0000 in a key', '{"x\\u0000":1}'],
  ['U+0000 as a byte', Buffer.from('{"a":"\0"}')],
  ['a high surrogate alone', '{"a":"\\ud800"}'],
  ['a low surrogate alone, in a key', '{"\\udc00":1}'],
  ['surrogates the wrong way round', '{"a":"\\udc00\\ud800"}'],
  ['a byte that is not UTF-8', latin1('{"a":"\xff"}')],
  ['an overlong form', latin1('{"a":"\xc0\xaf"}')],
  ['a surrogate in UTF-8', latin1('{"a":"\xed\xa0\x80"}')],
  ['a character cut short', latin1('{"a":"\xe2\x82"}')],
  ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ['33 levels', nested(33)],
  ['33 levels of lists', '['.repeat(33) + ']'.repeat(33)],
  ['100,000 levels', nested(100_000)],
  ['100,000 levels of lists', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['100,000 levels that do not close', '['.repeat(100_000)],
  ['17 digits of a whole number', '{"a":12345678901234567}'],
  ['18 digits after the point', '{"a":-0.123456789012345678}'],
  ['18 digits with an exponent', '{"a":1.23456789012345678e5}'],
  ['a number past all doubles', '{"a":1e400}'],
  ['a number past all doubles, in full', `{"a":1${'0'.repeat(400)}}`],
  ['a number below all doubles', '{"a":1e-400}'],
]

describe.each(WITH_BODY)('%s: 400', (_, row) => {
  it.each(MALFORMED.filter(([what]) => what !== 'nothing' || !bodyIsOptional(row)))('refuses %s', async (__, body) => {
    const reply = await send(row, pathOf(row), { body })
    expect([reply.status, reply.body.error_code]).toEqual([400, 'MALFORMED_REQUEST'])
    expect(reply.body.details.errors).toHaveLength(1)
  })
})

describe.each(WITH_BODY)('%s: 415', (_, row) => {
  it.each([
    [undefined],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-16'],
    ['application/jsonx'],
    ['application/json, text/html'],
    ['\t'],
  ])('refuses the content type %s', async (type) => {
    const reply = await send(row, pathOf(row), { body: Buffer.from('{}'), headers: { 'content-type': type } })
    expect([reply.status, reply.body.error_code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it.each(['gzip', 'br', 'deflate', 'nonsense'])('refuses the content encoding %s', async (encoding) => {
    const reply = await send(row, pathOf(row), { body: gzipSync('{}'), headers: { 'content-encoding': encoding } })
    expect([reply.status, reply.body.error_code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })
})

describe.each(WITH_BODY)('%s: 413', (_, row) => {
  it('refuses a body over its limit, and not one at it', async () => {
    const limit = row.bodyLimit ?? 1024 * 1024
    const over = await send(row, pathOf(row), { body: `"${'x'.repeat(limit - 1)}"` })
    expect([over.status, over.body.error_code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect((await send(row, pathOf(row), { body: `"${'x'.repeat(limit - 2)}"` })).status).toBe(422)
  })

  it('refuses it also without a Content-Length', async () => {
    const size = (row.bodyLimit ?? 1024 * 1024) + 1
    const head = `${row.method.toUpperCase()} /v1${pathOf(row)} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(row)}\r\n`
    const type = 'Content-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
    const reply = await overTheWire(server.baseUrl, `${head}${type}${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`)
    expect(reply?.status).toBe(413)
    checkReply(row.method, pathOf(row), reply as NonNullable<typeof reply>)
  })
})

describe.each(WITH_BODY)('%s: 422', (_, row) => {
  it.each(['null', 'true', '7', '"{}"', '[]', '[{}]'])('refuses %s, which is not an object', async (body) => {
    const reply = await send(row, pathOf(row), { body })
    expect([reply.status, reply.body.error_code]).toEqual([422, 'INVALID_INPUT'])
    expect(reply.body.details.errors).toEqual([expect.objectContaining({ pointer: '' })])
  })

  it('accepts 32 levels, 15 digits and text of every plane', async () => {
    for (const body of [nested(32), '{"a":123456789012345}', '{"a":1.5e308}', '{"\\ud83d\\ude00":"\u{1F600}\u{10FFFF}\\u0001"}', ' {} ']) {
      expect((await send(row, pathOf(row), { body })).status).not.toBe(400)
    }
  })

  it('is unaffected by keys that name a prototype', async () => {
    const evil = '{"polluted":true,"toString":1,"status":"placed"}'
    await send(row, pathOf(row), { body: `{"__proto__":${evil},"constructor":{"prototype":${evil}},"prototype":${evil}}` })
    await send(row, pathOf(row), { body: order(`"__proto__":${evil}`) })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(String({})).toBe('[object Object]')
  })
})

describe.each(EVERY)('%s', (_, row) => {
  const ask = (path: string) => send(row, path, takesJson(row) ? { body: '{}' } : {})

  it.each(['nonsense=1', 'limit=1&__proto__=1', 'constructor=1', '%F0%9F%98%80=1', '=', 'a[b][c]=1'])(
    'refuses the query ?%s',
    async (query) => {
      const reply = await ask(`${pathOf(row)}?${query}`)
      expect([reply.status, reply.body.error_code]).toEqual([422, 'INVALID_INPUT'])
    },
  )

  it.each(['nonsense=%00', '%00=1', 'limit=%00'])('refuses U+0000 in the query ?%s', async (query) => {
    const reply = await ask(`${pathOf(row)}?${query}`)
    expect([reply.status, reply.body.error_code]).toEqual([400, 'MALFORMED_REQUEST'])
  })

  it('refuses every parameter that is sent twice', async () => {
    for (const name of Object.keys(row.query.shape)) {
      const reply = await ask(`${pathOf(row)}?${name}=1&${name}=1`)
      expect([name, reply.status, reply.body.error_code]).toEqual([name, 422, 'INVALID_INPUT'])
      expect(JSON.stringify(reply.body.details.errors)).toContain(`"/${name}"`)
    }
  })

  it.each(['%00', 'a%00b', '%', '%zz', '%ff', '%c0%af', '%ed%a0%80', '%2'])('refuses the path segment %s', async (segment) => {
    const path = row.path.includes(':') ? row.path.replace(/:\w+/, segment) : `${row.path}/${segment}`
    const reply = await ask(path)
    expect([400, 404, 405]).toContain(reply.status)
    if (row.path.includes(':')) expect(reply.body.error_code).toBe('MALFORMED_REQUEST')
  })

  it('keeps a harmless request id, and makes one in place of another', async () => {
    expect((await send(row, pathOf(row), { headers: { 'x-request-id': 'trace-1:2.3_4' } })).headers['x-request-id']).toBe('trace-1:2.3_4')
    for (const id of ['a b', '<script>', 'x'.repeat(129), '%0d%0a']) {
      expect((await send(row, pathOf(row), { headers: { 'x-request-id': id } })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})

describe('a method that a path does not serve: 405', () => {
  const paths = [...new Set(ENDPOINTS.map(({ path }) => path))]
  it.each(paths)('%s names what is served', async (path) => {
    const served = ENDPOINTS.filter((row) => row.path === path).map(({ method }) => method.toUpperCase())
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((other) => !served.includes(other))) {
      const reply = await fetch(`${server.baseUrl}${path.replaceAll(/:\w+/g, 'x')}`, { method })
      const text = await reply.text()
      expect([method, reply.status]).toEqual([method, 405])
      expect(reply.headers.get('allow')?.split(', ').sort()).toEqual(served.sort())
      checkReply(method, path.replaceAll(/:\w+/g, 'x'), { status: 405, headers: Object.fromEntries(reply.headers), text })
      expect(JSON.parse(text).error_code).toBe('METHOD_NOT_ALLOWED')
    }
  })
})

describe('a path that leads nowhere: 404', () => {
  it.each(['/', '/nothing', '/orders/x/y/z', '//orders', '/orders//x', '/.env', '/..%2f..%2fetc%2fpasswd', `/${'x'.repeat(8_000)}`])(
    'answers %s with the envelope',
    async (path) => {
      for (const method of ['get', 'post'] as const) {
        const reply = await send({ method, side: 'buyer' }, path, method === 'post' ? { body: '{' } : {})
        expect([reply.status, reply.body.error_code]).toEqual([404, 'NOT_FOUND'])
      }
    },
  )

  it('answers outside of /v1 as well', async () => {
    const reply = await fetch(new URL('/nowhere', server.baseUrl))
    const body = (await reply.json()) as ErrorEnvelope
    expect([reply.status, faultsAgainst(ENVELOPE, body)]).toEqual([404, undefined])
    expect(body.error_message).toBe(
      'There is nothing at /nowhere; what there is begins with /v1 and is listed at /v1/openapi.json; people use /console and /docs.',
    )
  })
})

describe('input that is not HTTP: 400', () => {
  const get = (more: string) => `GET /v1/orders HTTP/1.1\r\nHost: x\r\n${more}\r\n\r\n`
  it.each([
    ['noise', 'hello\r\n\r\n'],
    ['an unknown method', 'BREW /v1/orders HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a line break in a path', 'GET /v1/or\nders HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in a header name', get('Bad Header: 1')],
    ['a control character in a header', get('X-A: \u0001')],
    ['headers of 20 KiB', get(`X-A: ${'x'.repeat(20_000)}`)],
    ['a credential of 20 KiB', get(`Authorization: Bearer ${'x'.repeat(20_000)}`)],
    ['two lengths', get('Content-Length: 1\r\nContent-Length: 2')],
    ['a length and chunks', get('Content-Length: 1\r\nTransfer-Encoding: chunked')],
    ['a negative length', get('Content-Length: -1')],
    ['no Host', 'GET /v1/orders HTTP/1.1\r\n\r\n'],
    ['two Hosts', get('Host: y')],
    ['an expectation', get('Expect: x')],
  ])('answers %s with the envelope', async (_, bytes) => {
    const reply = await overTheWire(server.baseUrl, bytes)
    expect(reply?.status).toBe(400)
    expect(reply?.headers).toMatchObject({ 'content-type': expect.stringContaining('application/json'), 'cache-control': 'no-store' })
    expect(faultsAgainst(ENVELOPE, JSON.parse(reply?.text ?? ''))).toBeUndefined()
    expect(JSON.parse(reply?.text ?? '').error_code).toBe('MALFORMED_REQUEST')
  })
})

describe('a body that is too large: 413', () => {
  const head = (token: string, more: string) =>
    `POST /v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`

  it('is refused by its stated length, before a byte of it arrives, and the connection is closed', async () => {
    const reply = await overTheWire(server.baseUrl, head(market.acme.token, `Content-Length: ${2 * 1024 * 1024}`))
    expect([reply?.status, reply?.headers.connection]).toEqual([413, 'close'])
  })

  it('gets no 100 Continue when it is too large', async () => {
    const reply = await overTheWire(server.baseUrl, head(market.acme.token, `Expect: 100-continue\r\nContent-Length: ${2 * 1024 * 1024}`))
    expect(reply?.status).toBe(413)
  })

  it('gets 100 Continue when its size is allowed', async () => {
    const bytes = head(market.acme.token, 'Expect: 100-continue\r\nConnection: close\r\nContent-Length: 2')
    expect((await overTheWire(server.baseUrl, bytes + '{}'))?.status).toBe(100)
  })
})

describe('a body that never arrives whole', () => {
  it.each([
    ['a length that is not reached', 'Content-Length: 100\r\n\r\n{"a":'],
    ['chunks that stop', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n'],
    ['an invalid chunk size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'],
  ])('creates nothing and blocks nobody: %s', async (_, rest) => {
    const orders = async () => (await market.deps.db.pool.query('select count(*) from orders')).rows
    const before = await orders()
    const head = `POST /v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${market.acme.token}\r\nContent-Type: application/json\r\n`
    const replies = await Promise.all(Array.from({ length: 10 }, () => overTheWire(server.baseUrl, head + rest, { end: true })))
    for (const reply of replies) expect([undefined, 400]).toContain(reply?.status)
    expect(await orders()).toEqual(before)
    expect((await fetch(`${server.baseUrl}/orders`, { headers: { authorization: `Bearer ${market.acme.token}` } })).status).toBe(200)
  })
})
