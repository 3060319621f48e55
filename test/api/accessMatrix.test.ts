import { beforeAll, describe, expect, it } from '@jest/globals'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { newToken } from '../../src/store/tenants/token.ts'
import { ACCESS } from '../support/access/access.ts'
import { type AccessWorld, accessWorld, enoughOf, lackingOf, OWNER, othersOf, rowOf, sidesOf } from '../support/access/accessWorld.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let world: AccessWorld
beforeAll(async () => {
  world = await accessWorld(market)
})

/** There is one team of operators, to which nothing is foreign. */
const STRANGER = { buyer: 'zenith', seller: 'station', operator: 'operations' } as const
const MATRIX = ENDPOINTS.map(({ method, path }) => [`${method} ${path}`, method, path] as const)
const tokenOf = (tenant: 'acme' | 'zenith' | 'cable' | 'station' | 'operations') => `Bearer ${market[tenant].token}`
const wrongChecksum = (token: string) => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')

describe('the access matrix', () => {
  it('has a row for every endpoint of the table, and none for others', () => {
    expect(Object.keys(ACCESS).sort()).toEqual(MATRIX.map(([operation]) => operation).sort())
  })

  it('says of every endpoint the side and scope that the table enforces', () => {
    for (const { method, path, side, scope } of ENDPOINTS) {
      const row = rowOf(`${method} ${path}`)
      expect([path, row.side, row.scope]).toEqual([path, side, scope])
    }
  })
})

describe.each(MATRIX)('%s', (operation, method, path) => {
  it('is 401 without a valid credential, before the body is checked', async () => {
    const row = rowOf(operation)
    const past = '2020-01-01T00:00:00Z'
    const [side = 'buyer'] = sidesOf(row)
    const strangers = [
      undefined,
      '',
      'Bearer',
      'Bearer two words',
      'Basic YWNtZTphY21l',
      market[OWNER[side]].token,
      `Bearer ${'x'.repeat(2_000)}`,
      `Bearer ${wrongChecksum(market[OWNER[side]].token)}`,
      `Bearer ${newToken('test')}`,
      `Bearer ${await world.credential(side, { expires_at: past })}`,
      `Bearer ${await world.credential(side, { revoked_at: past })}`,
    ]
    for (const authorization of strangers) {
      const reply = await world.call(method, path, row, authorization, row.body === undefined ? {} : { body: 'no JSON' })
      expect([authorization, reply.status]).toEqual([authorization, 401])
      expect(reply.headers['www-authenticate']).toBe('Bearer')
      expect(reply.body).toMatchObject({ error_code: 'UNAUTHENTICATED', stage: 'authentication', details: {} })
    }
  })

  it('is 403 for the other sides, and without its scope, before the body is checked', async () => {
    const row = rowOf(operation)
    const body = row.body === undefined ? {} : { body: 'no JSON' }
    for (const side of sidesOf(row)) {
      if (row.scope === null) continue
      const scopes = lackingOf(side, row.scope)
      const reply = await world.call(method, path, row, `Bearer ${await world.credential(side, { scopes })}`, body)
      expect(reply.status).toBe(403)
      expect(reply.body).toMatchObject({ error_code: 'FORBIDDEN', details: { required_scope: row.scope } })
    }
    for (const side of othersOf(row)) {
      const reply = await world.call(method, path, row, tokenOf(OWNER[side]), body)
      expect([side, reply.status]).toEqual([side, 403])
      expect(reply.body).toMatchObject({ error_code: 'FORBIDDEN', details: { required_side: row.side } })
    }
  })

  it('serves its owner, with every scope and with only the one that it requires', async () => {
    const row = rowOf(operation)
    for (const side of sidesOf(row)) {
      const narrow = await world.credential(side, { scopes: enoughOf(row) })
      expect((await world.call(method, path, row, tokenOf(OWNER[side]), { side })).status).toBe(row.status)
      expect((await world.call(method, path, row, `Bearer ${narrow}`, { side })).status).toBe(row.status)
    }
  })

  it('answers a stranger of the same side as if the resource were unknown', async () => {
    const row = rowOf(operation)
    for (const side of sidesOf(row)) {
      const own = await world.call(method, path, row, tokenOf(STRANGER[side]))
      if (row.names === undefined || row.shared) {
        expect(own.status).toBe(row.status)
        continue
      }
      expect([own.status, own.body.error_code]).toEqual([404, 'NOT_FOUND'])
      const unknown = await world.call(method, path, row, tokenOf(STRANGER[side]), { name: `nothing-${side}` })
      expect(unknown.status).toBe(row.unknown ?? 404)
      if (row.unknown === undefined) expect(unknown.text).toBe(own.text)
    }
    if (row.names === undefined || row.unknown !== undefined) return
    const [side = 'buyer'] = sidesOf(row)
    expect((await world.call(method, path, row, tokenOf(OWNER[side]), { name: 'nothing' })).status).toBe(404)
  })
})

describe('after all of this', () => {
  it('the order has not changed', async () => {
    expect(await market.snapshot(world.named.order)).toMatchObject({ status: 'seller_review', last_seq: 3 })
  })
})
