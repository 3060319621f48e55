import { beforeAll, describe, expect, it } from '@jest/globals'
import { NO_BODY } from '../../src/contract/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { checkReply } from '../support/http/contract.ts'
import { useMarket } from '../support/useMarket.ts'

/** Faults of a body are reported only to the owner of the resource. The order of checks is credential, scope, tenant, body. */
const market = useMarket()
const foreign: Record<string, string> = {}
beforeAll(async () => {
  const order_id = await market.created()
  const { body: endpoint } = await market.zenith.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
  const { body: upload } = await market.zenith.post('/uploads', { filename: 'a.csv', format: 'csv', size_bytes: 3 })
  const agreement = { buyer_entity: 'acme', effective: { start: '2030-01-01', end: '2030-12-31' }, catalog_scope: [] }
  expect((await market.station.put('/me/agreements/agr-station', agreement)).status).toBe(201)
  const { endpoint_id } = endpoint
  Object.assign(foreign, {
    order_id,
    endpoint_id,
    upload_id: upload.upload_id,
    agreement_id: 'agr-station',
    buyer_entity: 'x',
    seller: 'x',
  })
})

/** Names that a seller chooses itself, which can never refer to another tenant's resource. */
const OWN_NAMES = ['/me/files/:drop_id/:filename', '/me/files/mappings/:name', '/me/secrets/:name', '/me/buyers/:buyer_entity']
/** A PUT to an unknown name creates the resource. */
const MADE_BY_PUT = [...OWN_NAMES, '/me/agreements/:agreement_id']
const ROWS = ENDPOINTS.filter(({ path, body }) => path.includes(':') && body !== NO_BODY)
const rows = (those = ROWS) => those.map((row) => [`${row.method.toUpperCase()} ${row.path}`, row] as const)

const BODIES: readonly (readonly [string, string, Record<string, string>])[] = [
  ['no JSON', '{', {}],
  ['no object', '[]', {}],
  ['unknown members', '{"zzz":1}', {}],
  ['too large', `"${'x'.repeat(1024 * 1024)}"`, {}],
  ['another content type', 'a=1', { 'content-type': 'text/plain' }],
  ['a content encoding', '{}', { 'content-encoding': 'gzip' }],
]

/** Orders are acme's with cable, so zenith and station are the strangers. */
async function replies(
  { method, path, side }: (typeof ENDPOINTS)[number],
  ids: Record<string, string>,
): Promise<[string, number, unknown][]> {
  const stranger =
    side === 'seller'
      ? path.includes('agreement')
        ? market.cable
        : market.station
      : path.includes('order_id')
        ? market.zenith
        : market.acme
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? 'unknown')
  return Promise.all(
    BODIES.map(async ([what, body, more]) => {
      const headers = { authorization: `Bearer ${stranger.token}`, 'content-type': 'application/json', ...more }
      const reply = await fetch(`${market.baseUrl}${url}`, { method: method.toUpperCase(), headers, body })
      const text = await reply.text()
      checkReply(method, url, { status: reply.status, headers: Object.fromEntries(reply.headers), text })
      return [what, reply.status, JSON.parse(text).error_code]
    }),
  )
}
const NOT_FOUND = BODIES.map(([what]) => [what, 404, 'NOT_FOUND'])

describe.each(rows(ROWS.filter(({ path }) => !OWN_NAMES.includes(path))))('%s: 404', (_, row) => {
  it("reports another's resource, even if the body is wrong", async () => {
    expect(await replies(row, foreign)).toEqual(NOT_FOUND)
  })
})

describe.each(rows(ROWS.filter(({ path }) => !MADE_BY_PUT.includes(path))))('%s: 404', (_, row) => {
  it('reports a missing resource, even if the body is wrong', async () => {
    expect(await replies(row, {})).toEqual(NOT_FOUND)
  })
})
