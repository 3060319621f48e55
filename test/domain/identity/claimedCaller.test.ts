import { describe, expect, it } from '@jest/globals'
import { claimedCaller } from '../../../src/domain/identity/claimedCaller.ts'

const NAMES = { tenant: 'org', side: 'role', scope: 'scp' }
const claims = (more: object = {}) => ({ org: 'acme', role: 'buyer', scp: 'openid orders:write orders:read orders:read', ...more })
const refusalOf = (more: object) => {
  try {
    claimedCaller(claims(more), NAMES)
    return undefined
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: { claim: string } }
    expect(code).toBe('FORBIDDEN')
    return [details.claim, message]
  }
}

describe('the caller that a token names', () => {
  it('has a tenant, a side and the scopes of that side, each once', () => {
    const caller = { entity: 'acme', side: 'buyer', scopes: ['orders:write', 'orders:read'] }
    expect(claimedCaller(claims(), NAMES)).toEqual(caller)
    expect(claimedCaller(claims({ scp: ['orders:write', 'orders:read', 'profile'] }), NAMES)).toEqual(caller)
    expect(claimedCaller(claims({ role: 'seller', scp: 'catalog:write' }), NAMES)).toMatchObject({
      side: 'seller',
      scopes: ['catalog:write'],
    })
  })

  it.each([
    [{ org: undefined }, 'org', /it is missing\.$/],
    [{ org: 'a/b' }, 'org', /it is "a\/b"\.$/],
    [{ org: ['acme'] }, 'org', /it is \["acme"\]\.$/],
    [{ org: 'a'.repeat(101) }, 'org', /1 to 100 letters/],
    [{ role: 'operator' }, 'role', /must be buyer or seller; it is "operator"\.$/],
    [{ role: undefined }, 'role', /it is missing/],
    [{ scp: undefined }, 'scp', /a text of scopes/],
    [{ scp: ['orders:read', 7] }, 'scp', /a text of scopes/],
    [{ scp: 'openid profile' }, 'scp', /has no scope of a buyer; it can hold orders:write/],
    [{ scp: 'orders:read catalog:write' }, 'scp', /has catalog:write, which a buyer cannot hold/],
    [{ scp: 'ops:write' }, 'scp', /has ops:write, which a buyer cannot hold/],
  ])('is refused for %j', (more, claim, message) => {
    expect(refusalOf(more)).toEqual([claim, expect.stringMatching(message)])
  })
})
