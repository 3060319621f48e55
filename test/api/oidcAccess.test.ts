import { beforeAll, describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/index.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { type Scope, SIDE_SCOPES, SIDES, type Side } from '../../src/contract/vocabulary/access.ts'
import { type AccessWorld, accessWorld, enoughOf, lackingOf, OWNER, rowOf, sidesOf } from '../support/access/accessWorld.ts'
import { AUDIENCE } from '../support/signOn/issuer.ts'
import { useIssuer } from '../support/signOn/useIssuer.ts'
import { useMarket } from '../support/useMarket.ts'

const issuer = useIssuer()
const market = useMarket(() => ({ signOn: readConfig({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE }).signOn }))
let world: AccessWorld
beforeAll(async () => {
  world = await accessWorld(market)
})

const bearer = async (side: Side, scopes: readonly Scope[]) =>
  `Bearer ${await issuer.signed({ tenant: OWNER[side], side, scope: scopes.join(' ') })}`

describe.each(ENDPOINTS.map(({ method, path }) => [`${method} ${path}`, method, path] as const))('%s', (operation, method, path) => {
  it('gives a token of the issuer the rights that its claims state', async () => {
    const row = rowOf(operation)
    // The issuer signs in buyers and sellers, never operators.
    for (const side of SIDES.filter((one) => sidesOf(row).includes(one))) {
      // A token of the issuer that has no scope at all lets nobody in.
      const narrow = await bearer(side, row.scope === null ? SIDE_SCOPES[side].slice(0, 1) : enoughOf(row))
      expect((await world.call(method, path, row, narrow, { side })).status).toBe(row.status)
      if (row.scope === null) continue
      const refused = await world.call(method, path, row, await bearer(side, lackingOf(side, row.scope)))
      expect([refused.status, refused.body.details]).toEqual([403, { required_scope: row.scope }])
    }
    for (const other of SIDES.filter((one) => !sidesOf(row).includes(one))) {
      const refused = await world.call(method, path, row, await bearer(other, SIDE_SCOPES[other]))
      expect([refused.status, refused.body.details]).toEqual([403, { required_side: row.side }])
    }
  })
})
