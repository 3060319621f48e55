import { beforeAll, describe, expect, it } from '@jest/globals'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { CREDENTIAL_SIDES, type CredentialSide, SCOPES, type Scope, SIDE_SCOPES, type Side } from '../../src/contract/vocabulary/access.ts'
import { CredentialFault } from '../../src/store/tenants/credentialFault.ts'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import type { AccessRow } from '../support/access/access.ts'
import { type AccessWorld, accessWorld, OWNER, rowOf, sidesOf } from '../support/access/accessWorld.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { useMarket } from '../support/useMarket.ts'
import { IS_LONG } from './support/scale.ts'
import { report } from './support/table.ts'

const market = useMarket()
let world: AccessWorld
beforeAll(async () => {
  world = await accessWorld(market)
})

const SIDES = ['buyer', 'seller'] as const
const ALL = Object.keys(SCOPES) as Scope[]

/** Each scope alone, all but one, none and all, with scopes of the other side, as a broken issuer could write them. The long run adds every pair. */
function forgeries(side: CredentialSide): (readonly Scope[])[] {
  const own = SIDE_SCOPES[side]
  const foreign = ALL.filter((scope) => !own.includes(scope))
  const single = ALL.map((scope) => [scope])
  const pairs = IS_LONG ? own.flatMap((one, at) => own.slice(at + 1).map((other) => [one, other])) : []
  return [[], own, [...own, ...foreign], foreign, ...single, ...own.map((scope) => own.filter((each) => each !== scope)), ...pairs]
}

/** The scopes together with those that they imply. */
const meant = (scopes: readonly Scope[]) => new Set<Scope>(scopes.flatMap((scope) => [scope, ...(SCOPES[scope] as readonly Scope[])]))

/** What the access table says about a credential, computed without the code that enforces it. */
function expected(row: AccessRow, side: CredentialSide, scopes: readonly Scope[]): [status: number, details?: object] {
  if (!sidesOf(row).includes(side)) return [403, { required_side: row.side }]
  if (row.scope !== null && !meant(scopes).has(row.scope)) return [403, { required_scope: row.scope }]
  const lacking = row.with?.find((scope) => !meant(scopes).has(scope))
  if (lacking !== undefined) return [403, { field: 'events', required_scope: lacking }]
  return [row.status]
}

describe('a credential with forged scopes', () => {
  it.each(CREDENTIAL_SIDES)(
    'of side %s is answered by every endpoint as the access table says',
    async (side) => {
      let calls = 0
      let served = 0
      const wrong: unknown[] = []
      for (const scopes of forgeries(side)) {
        const authorization = `Bearer ${await world.credential(side, { scopes })}`
        // An endpoint may rotate its secret only a few times a day.
        await market.deps.db.pool.query('update webhook_endpoints set previous_secrets = default')
        for (const { method, path } of ENDPOINTS) {
          const row = rowOf(`${method} ${path}`)
          const [status, details] = expected(row, side, scopes)
          const reply = await world.call(method, path, row, authorization, { side })
          calls += 1
          if (status < 300) served += 1
          const isRight = reply.status === status && (details === undefined || same(reply.body.details, details))
          if (!isRight) wrong.push([method, path, scopes, reply.status, reply.text, 'expected', status])
        }
      }
      report(`forged scopes of a ${side}`, { credentials: forgeries(side).length, calls, served, wrong: wrong.length })
      expect(wrong).toEqual([])
    },
    300_000,
  )

  it.each(CREDENTIAL_SIDES)('is not issued on side %s', async (side) => {
    const foreign = ALL.filter((scope) => !SIDE_SCOPES[side].includes(scope))
    expect(foreign).not.toEqual([])
    for (const scope of foreign) {
      const ask = { entity: OWNER[side], side, kind: 'test', scopes: [scope] } as const
      await expect(issueCredential(market.deps.db, ask)).rejects.toThrow(CredentialFault)
    }
    for (const other of CREDENTIAL_SIDES.filter((each) => each !== side))
      await expect(issueCredential(market.deps.db, { entity: OWNER[side], side: other, kind: 'test' })).rejects.toThrow(CredentialFault)
  })
})

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

describe('a configuration', () => {
  const DECIDES: Record<string, unknown> = {
    '/me/capabilities': { approval: 'pull', transports: { pull: { base_url: 'https://attacker.example', secret_ref: 'pull' } } },
    '/me/secrets/pull': { value: 'of the attacker' },
    '/me/approval-rules': { rules: [{ id: 'everything', when: {}, then: 'approve' }] },
  }
  it.each(Object.entries(DECIDES))('through which orders are decided asks for the scope that decides: PUT %s', async (path, body) => {
    const before = await deciding()
    const clerk = market.tenant(
      await world.credential('seller', { scopes: SIDE_SCOPES.seller.filter((scope) => scope !== 'orders:approve') }),
    )
    const reply = await clerk.put(path, body)
    expect([reply.status, reply.body.details]).toEqual([403, { required_scope: 'orders:approve' }])
    expect(await deciding()).toEqual(before)
  })
  const deciding = async () => {
    const [profile, rules] = await Promise.all(['/me/capabilities', '/me/approval-rules'].map((path) => market.cable.get(path)))
    const { rows } = await market.deps.db.pool.query('select * from tenant_secrets order by 1, 2')
    return [profile?.body, rules?.body, rows]
  }

  /** The first part of an event's type, with the path that reads the same data. */
  const READS: Record<Side, Record<string, string>> = {
    buyer: { order: '/orders', catalog: '/sellers', settlement: '/settlement/credit?agreement=agr-1' },
    seller: { order: '/me/orders', catalog: '/me/catalog', settlement: '/me/settlement/invoices' },
  }
  it.each(SIDES)('of a %s receives and shows only what its credential can read over the API', async (side) => {
    await market.created()
    await market.cable.put('/me/rate-cards', {
      commit: `of-${side}`,
      effective: { start: '2030-06-03', end: '2030-06-09' },
      entries: [
        {
          product_id: 'prime',
          market_class: 'scatter',
          advertiser_class: 'general',
          spot_length: 30,
          buy_type: 'preemptible',
          gross_rate_unit: 5,
        },
      ],
    })
    const { body: whole } = await market.tenant(market[OWNER[side]].token).post('/webhooks/endpoints', { url: 'https://all.example/hook' })
    await market.created()
    await feedSettled(market.deps.db)
    for (const scope of SIDE_SCOPES[side]) {
      const clerk = market.tenant(await world.credential(side, { scopes: ['webhooks:write', scope] }))
      const reads = new Set<string>()
      for (const [about, path] of Object.entries(READS[side])) if ((await clerk.get(path)).status === 200) reads.add(about)
      const beyond = (types: string[]) => types.filter((type) => type !== 'webhook.test' && !reads.has(type.split('.')[0] ?? ''))
      const made = await clerk.post('/webhooks/endpoints', { url: 'https://some.example/hook' })
      const queue = await clerk.put('/events/queue', {})
      expect([scope, queue.status === 200]).toEqual([scope, made.status === 201])
      if (made.status !== 201) expect([scope, made.status, reads.size]).toEqual([scope, 403, 0])
      expect([scope, beyond(made.body.readable_events ?? []), beyond(queue.body.readable_events ?? [])]).toEqual([scope, [], []])
      const log = await clerk.get(`/webhooks/endpoints/${whole.endpoint_id}/deliveries?limit=200`)
      const feed = await clerk.get('/events/feed?limit=500')
      expect([scope, feed.status]).toEqual([scope, meant([scope]).has('orders:read') ? 200 : 403])
      for (const items of [log.body.items, feed.body.events ?? []])
        expect([scope, beyond(items.map(({ event_type }: { event_type: string }) => event_type))]).toEqual([scope, []])
      if (made.status === 201) await clerk.delete(`/webhooks/endpoints/${made.body.endpoint_id}`)
    }
    await market[OWNER[side]].delete('/events/queue')
  })
})
