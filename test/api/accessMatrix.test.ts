import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Response } from 'supertest'
import { ENDPOINTS } from '../../api/routes.ts'
import { SCOPES, type Scope, SIDE_SCOPES, type Side } from '../../src/contract/vocabulary.ts'
import { newId } from '../../src/store/newId.ts'
import { newToken, tokenHash } from '../../src/store/token.ts'
import { ACCESS, type AccessRow, type Named } from '../support/access.ts'
import { checkReply } from '../support/contract.ts'
import { type Market, startMarket } from '../support/market.ts'
import { uploaded } from '../support/uploads.ts'

let market: Market
let named: Named
beforeAll(async () => {
  market = await startMarket()
  const { body: creative } = await market.acme.post('/creatives', { creative_code: 'C-1', name: 'Spot', length_seconds: 30 })
  const effective = { start: '2030-01-01', end: '2030-12-31' }
  await market.cable.put('/me/agreements/agr-1', { buyer_entity: 'acme', effective })
  const [order, canceled] = [await market.parked(), await market.created()]
  await market.acme.post(`/orders/${canceled}/cancel`, {})
  await market.cable.put('/me/capabilities', { holds: true })
  const lines = [{ product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 1, spot_length: 30 }]
  const { body: hold } = await market.acme.post('/holds', { seller: 'cable', lines, ttl_minutes: 10 })
  await market.acme.delete(`/holds/${hold.hold_id}`)
  const webhooks = { buyer: await webhooksOf('acme'), seller: await webhooksOf('cable') }
  const bySide = <Value>(pick: (own: Awaited<ReturnType<typeof webhooksOf>>) => Value) => ({
    buyer: pick(webhooks.buyer),
    seller: pick(webhooks.seller),
  })
  named = {
    endpoint: bySide(({ endpoint }) => endpoint),
    deletedEndpoint: bySide(({ deleted }) => deleted),
    delivery: bySide(({ endpoint, delivery }) => [endpoint, delivery] as const),
    order,
    canceled,
    agreement: 'agr-1',
    creative: creative.creative_id,
    hold: hold.hold_id,
    secret: 'pull',
    upload: await uploaded(market, market.acme),
    commit: 'june',
    seller: 'cable',
    buyer: 'acme',
  }
})
afterAll(() => market.stop())

async function webhooksOf(owner: 'acme' | 'cable') {
  const made = async (name: string): Promise<string> =>
    (await market[owner].post('/webhooks/endpoints', { url: `https://${owner}.example/${name}` })).body.endpoint_id
  const [endpoint, deleted] = [await made('hook'), await made('gone')]
  await market[owner].delete(`/webhooks/endpoints/${deleted}`)
  const { body } = await market[owner].post(`/webhooks/endpoints/${endpoint}/test`, undefined)
  return { endpoint, deleted, delivery: body.delivery_id as string }
}

const OTHER: Record<Side, Side> = { buyer: 'seller', seller: 'buyer' }
const OWNER = { buyer: 'acme', seller: 'cable' } as const
const STRANGER = { buyer: 'zenith', seller: 'station' } as const
const MATRIX = ENDPOINTS.map(({ method, path }) => [`${method} ${path}`, method, path] as const)
const rowOf = (operation: string): AccessRow => {
  const row = ACCESS[operation]
  if (row === undefined) throw new Error(`${operation} has no row in test/support/access.ts: say whom it lets in`)
  return row
}
const sidesOf = ({ side }: AccessRow): Side[] => (side === 'any' ? ['buyer', 'seller'] : [side])

/** A credential as it may lie in the database; past the limit of two living ones. */
async function credential(side: Side, more: { scopes?: readonly Scope[]; expires_at?: string; revoked_at?: string } = {}): Promise<string> {
  const token = newToken('test')
  const { scopes = SIDE_SCOPES[side], ...dates } = more
  const row = { credential_id: newId('cred_'), entity: OWNER[side], side, token_sha256: tokenHash(token), last_four: token.slice(-4) }
  await market.deps.db.sql
    .insertInto('credentials')
    .values({ ...row, scopes: [...scopes], ...dates })
    .execute()
  return token
}

type Method = (typeof ENDPOINTS)[number]['method']
async function call(
  method: Method,
  path: string,
  row: AccessRow,
  authorization: string | undefined,
  more: { side?: Side; name?: string; body?: unknown } = {},
) {
  const names = more.name === undefined ? namesOf(row, more.side ?? 'buyer') : [more.name]
  const left = [...names]
  const [name = ''] = names
  const url = `${path.replaceAll(/:\w+/g, () => left.shift() ?? name)}${row.query?.(name) ?? ''}`
  const body = 'body' in more ? more.body : row.body
  let request = market.request[method](`/v1${url}`)
  if (authorization !== undefined) request = request.set('Authorization', authorization)
  const reply: Response = await (body === undefined ? request : request.type('application/json').send(body as object))
  checkReply(method, url, reply)
  return reply
}
/** One for each parameter of the path. */
function namesOf({ names }: AccessRow, side: Side): readonly string[] {
  const owned = names === undefined ? '' : named[names]
  const own = typeof owned === 'string' ? owned : owned[side]
  return typeof own === 'string' ? [own] : own
}
const tokenOf = (tenant: 'acme' | 'zenith' | 'cable' | 'station') => `Bearer ${market[tenant].token}`
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
  it('is 401 without a credential that lives, before it looks at the body', async () => {
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
      `Bearer ${await credential(side, { expires_at: past })}`,
      `Bearer ${await credential(side, { revoked_at: past })}`,
    ]
    for (const authorization of strangers) {
      const reply = await call(method, path, row, authorization, row.body === undefined ? {} : { body: 'no JSON' })
      expect([authorization, reply.status]).toEqual([authorization, 401])
      expect(reply.headers['www-authenticate']).toBe('Bearer')
      expect(reply.body).toMatchObject({ error_code: 'UNAUTHENTICATED', stage: 'authentication', details: {} })
    }
  })

  it('is 403 for the other side, and without its scope, before it looks at the body', async () => {
    const row = rowOf(operation)
    const body = row.body === undefined ? {} : { body: 'no JSON' }
    for (const side of sidesOf(row)) {
      const scopes = SIDE_SCOPES[side].filter((scope) => scope !== row.scope && !(SCOPES[scope] as readonly string[]).includes(row.scope))
      const reply = await call(method, path, row, `Bearer ${await credential(side, { scopes })}`, body)
      expect(reply.status).toBe(403)
      expect(reply.body).toMatchObject({ error_code: 'FORBIDDEN', details: { required_scope: row.scope } })
    }
    if (row.side === 'any') return
    const reply = await call(method, path, row, tokenOf(OWNER[OTHER[row.side]]), body)
    expect(reply.status).toBe(403)
    expect(reply.body).toMatchObject({ error_code: 'FORBIDDEN', details: { required_side: row.side } })
  })

  it('serves its owner, with every scope and with the one that it asks for', async () => {
    const row = rowOf(operation)
    for (const side of sidesOf(row)) {
      const narrow = await credential(side, { scopes: [row.scope, ...(row.with ?? [])] })
      expect((await call(method, path, row, tokenOf(OWNER[side]), { side })).status).toBe(row.status)
      expect((await call(method, path, row, `Bearer ${narrow}`, { side })).status).toBe(row.status)
    }
  })

  it('answers a stranger of its side as if what it names were unknown', async () => {
    const row = rowOf(operation)
    for (const side of sidesOf(row)) {
      const own = await call(method, path, row, tokenOf(STRANGER[side]))
      if (row.names === undefined || row.shared) {
        expect(own.status).toBe(row.status)
        continue
      }
      expect([own.status, own.body.error_code]).toEqual([404, 'NOT_FOUND'])
      const unknown = await call(method, path, row, tokenOf(STRANGER[side]), { name: `nothing-${side}` })
      expect(unknown.status).toBe(row.unknown ?? 404)
      if (row.unknown === undefined) expect(unknown.text).toBe(own.text)
    }
    if (row.names === undefined || row.unknown !== undefined) return
    const [side = 'buyer'] = sidesOf(row)
    expect((await call(method, path, row, tokenOf(OWNER[side]), { name: 'nothing' })).status).toBe(404)
  })
})

describe('after all of this', () => {
  it('the order stands where it stood', async () => {
    expect(await market.snapshot(named.order)).toMatchObject({ status: 'seller_review', last_seq: 3 })
  })
})
