import { describe, expect, it } from '@jest/globals'
import { MAPPINGS_PER_SELLER } from '../../../src/contract/vocabulary/mappings.ts'
import { A_MAPPING } from '../../support/drops/mappings.ts'
import { land, manifestOf } from '../../support/files/drops.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const cable = () => market.cable
const PATH = '/me/files/mappings'
let made = 0
const newName = () => {
  made += 1
  return `mapping-${made}`
}
const put = (name: string, body: object = A_MAPPING) => cable().put(`${PATH}/${name}`, body)

describe('PUT /me/files/mappings/{name}: 201', () => {
  it('makes a mapping, which a read returns with its version', async () => {
    const name = newName()
    const { status, body, headers } = await put(name)
    expect(status).toBe(201)
    expect(body).toEqual({ name, version: expect.any(String), updated_at: expect.any(String), ...A_MAPPING })
    expect(headers.etag).toBe(`"${body.version}"`)
    expect((await cable().get(`${PATH}/${name}`)).body).toEqual(body)
  })
})

describe('PUT /me/files/mappings/{name}: 200', () => {
  it('changes nothing with the same body again, in any order of its members', async () => {
    const name = newName()
    const { body: first } = await put(name)
    const { status, body } = await put(name, Object.fromEntries(Object.entries(A_MAPPING).reverse()))
    expect([status, body]).toEqual([200, first])
  })

  it('replaces a mapping whole', async () => {
    const name = newName()
    const { body: first } = await put(name)
    const { values: _, ...other } = A_MAPPING
    const { status, body } = await put(name, other)
    expect([status, body.values]).toEqual([200, undefined])
    expect(body.version).not.toBe(first.version)
  })

  it('takes up an earlier content again', async () => {
    const name = newName()
    const { body: first } = await put(name)
    await put(name, { ...A_MAPPING, decimal: 'comma' })
    expect((await put(name)).body.version).toBe(first.version)
  })
})

describe('PUT /me/files/mappings/{name}: 409', () => {
  it('is a mapping that has changed since it was read, or that is there already', async () => {
    const name = newName()
    const { headers } = await put(name)
    await put(name, { ...A_MAPPING, decimal: 'comma' })
    const changed = { ...A_MAPPING, decimal: 'point' }
    for (const sent of [{ 'If-Match': String(headers.etag) }, { 'If-None-Match': '*' }]) {
      const request = market.request.put(`/v1${PATH}/${name}`).auth(cable().token, { type: 'bearer' })
      const { status, body } = await request.set(sent).send(changed)
      expect([status, body.error_code, body.details.field]).toEqual([409, 'CONFLICT', Object.keys(sent)[0]])
    }
  })
})

describe('PUT /me/files/mappings/{name}: 422', () => {
  const { columns, ...others } = A_MAPPING
  const { product_id: _, ...fewer } = columns
  it.each<[field: string, body: object]>([
    ['type', { ...A_MAPPING, type: 'orders' }],
    ['headers', { ...A_MAPPING, headers: [] }],
    ['columns', others],
    ['columns.package', { ...A_MAPPING, columns: { ...columns, package: 'Note' } }],
    ['columns.state', { ...A_MAPPING, columns: { ...columns, state: 'Condition' } }],
    ['columns.product_id', { ...A_MAPPING, columns: fewer }],
    ['columns.STATE', { ...A_MAPPING, columns: { ...columns, STATE: 'Note' } }],
    ['columns.state', { ...A_MAPPING, headers: [...A_MAPPING.headers, ' state '] }],
    ['constants.state', { ...A_MAPPING, constants: { state: 'available' } }],
    ['constants.colour', { ...A_MAPPING, constants: { colour: 'red' } }],
    ['values.basis', { ...A_MAPPING, values: { basis: { a: 'measured' } } }],
    ['skip.0.column', { ...A_MAPPING, skip: [{ column: 'Remark', in: ['x'] }] }],
    ['skip.0.in', { ...A_MAPPING, skip: [{ column: 'Note', in: [] }] }],
    ['date_order', { ...A_MAPPING, date_order: 'ymd' }],
    ['decimal', { ...A_MAPPING, decimal: '.' }],
    ['clock', { ...A_MAPPING, clock: 'broadcast' }],
    ['colour', { ...A_MAPPING, colour: 'red' }],
    ['headers', { ...A_MAPPING, headers: Array.from({ length: 257 }, (_, n) => `H${n}`) }],
    [
      'values.state',
      { ...A_MAPPING, values: { state: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`w${n}`, 'available'])) } },
    ],
    ['headers.0', { ...A_MAPPING, headers: ['x'.repeat(501)] }],
  ])('names %s', async (field, body) => {
    const reply = await put(newName(), body)
    expect([reply.status, reply.body.error_code]).toEqual([422, 'INVALID_INPUT'])
    expect(reply.body.details.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  it('names a mapping that is too large as a whole', async () => {
    const state = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${n}${'w'.repeat(300)}`, 'available']))
    const { status, body } = await put(newName(), { ...A_MAPPING, values: { state } })
    expect([status, body.error_message]).toEqual([422, expect.stringContaining('at most 65536 characters')])
  })

  it('names a name that its path cannot have', async () => {
    const { status, body } = await put('a%20b')
    expect([status, body.details.field]).toEqual([422, 'name'])
  })

  it('is one mapping more than a seller may have', async () => {
    const { rows } = await market.deps.db.pool.query(`select count(*)::int as n from drop_mappings where seller = 'station' and is_current`)
    for (let n = rows[0].n; n < MAPPINGS_PER_SELLER; n += 1)
      expect((await market.station.put(`${PATH}/m-${n}`, A_MAPPING)).status).toBe(201)
    const { status, body } = await market.station.put(`${PATH}/one-more`, A_MAPPING)
    expect([status, body.details]).toMatchObject([422, { field: 'name', most: MAPPINGS_PER_SELLER }])
    expect((await market.station.put(`${PATH}/m-0`, { ...A_MAPPING, decimal: 'comma' })).status).toBe(200)
  })
})

describe('GET /me/files/mappings/{name}: 404', () => {
  it('is a name that this seller does not use', async () => {
    const name = newName()
    await put(name)
    const { status, body } = await market.station.get(`${PATH}/${name}`)
    expect([status, body.error_code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('DELETE /me/files/mappings/{name}: 204', () => {
  it('removes a mapping, and changes nothing the second time', async () => {
    const name = newName()
    await put(name)
    for (const _ of [1, 2]) expect((await cable().delete(`${PATH}/${name}`)).status).toBe(204)
    expect((await cable().get(`${PATH}/${name}`)).status).toBe(404)
    expect((await put(name)).status).toBe(201)
  })
})

describe('POST /me/files/manifest: 422', () => {
  it('names a mapping that is not there, is of another type, or has nothing to read', async () => {
    const name = newName()
    await put(name)
    const files = { 'log.csv': 'a,b\n1,2\n', 'more.json': '{}' }
    await land(market, cable(), 'd-mapped', files)
    const manifest = manifestOf('d-mapped', files)
    const sent = (mapping: object, index = 0) =>
      cable().post('/me/files/manifest', {
        ...manifest,
        files: manifest.files.map((file, n) => (n === index ? { ...file, ...mapping } : file)),
      })
    for (const [reply, index, why] of [
      [await sent({ mapping: 'nothing' }), 0, 'there is none of this name'],
      [await sent({ mapping: name, type: 'catalog' }), 0, 'it is one of avails files'],
      [await sent({ mapping: name }, 1), 1, 'a json file has no columns'],
    ] as const) {
      expect([reply.status, reply.body.details.field]).toEqual([422, `files.${index}.mapping`])
      expect(reply.body.error_message).toContain(why)
    }
    expect((await sent({ mapping: name })).status).toBe(202)
  })
})
