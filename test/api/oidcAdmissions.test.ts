import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/index.ts'
import { AUDIENCE } from '../support/signOn/issuer.ts'
import { useIssuer } from '../support/signOn/useIssuer.ts'
import { useMarket } from '../support/useMarket.ts'

const issuer = useIssuer()
const market = useMarket(() => ({
  signOn: readConfig({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE, OIDC_CREATE_TENANTS: 'true' }).signOn,
}))

/** The number of subjects that a process admits at once. */
const BURST = 100

const tokenOf = (sub: string, tenant: string) => issuer.signed({ sub, tenant, side: 'buyer', scope: 'orders:read' })
/** Requests that wait too long for a connection, as on a busy machine, are sent again. */
const readAll = async (tokens: readonly string[]): Promise<number[]> => {
  const read = async (token: string): Promise<number> => {
    for (;;) {
      const { status } = await market.request.get('/v1/orders?limit=1').auth(token, { type: 'bearer' })
      if (status !== 503) return status
      await sleep(100)
    }
  }
  return Promise.all(tokens.map(read))
}
/** Ten at a time, since each writes and must not wait long for a connection. */
const readInTurn = async (tokens: readonly string[]): Promise<number[]> => {
  const statuses: number[] = []
  for (let at = 0; at < tokens.length; at += 10) statuses.push(...(await readAll(tokens.slice(at, at + 10))))
  return statuses
}
const counted = async (sql: string): Promise<number> => (await market.owner().query(`select count(*)::int as n from ${sql}`)).rows[0].n
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))

describe('parallel first requests', () => {
  it('of one subject count once, and leave the rest of the budget to other subjects of its tenant', async () => {
    const first = await Promise.all(times(BURST + 50, () => tokenOf('ada', 'acme')))
    expect(new Set(await readAll(first))).toEqual(new Set([200]))
    expect(await counted(`subjects where subject = 'ada'`)).toBe(1)
    expect(await counted(`security_events where action = 'subject.admitted' and after->>'subject' = 'ada'`)).toBe(1)
    const others = await Promise.all(times(BURST - 1, (index) => tokenOf(`other-${index}`, 'acme')))
    expect(new Set(await readInTurn(others))).toEqual(new Set([200]))
  }, 120_000)

  it('of one new tenant count once, and leave the rest of the budget to other new tenants', async () => {
    const first = await Promise.all(times(BURST + 50, (index) => tokenOf(`person-${index % 2}`, 'agency')))
    expect(new Set(await readAll(first))).toEqual(new Set([200]))
    expect(await counted(`tenants where entity = 'agency'`)).toBe(1)
    const others = await Promise.all(times(BURST - 1, (index) => tokenOf('ada', `agency-${index}`)))
    expect(new Set(await readInTurn(others))).toEqual(new Set([200]))
  }, 120_000)
})
