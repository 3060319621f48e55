import { describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/index.ts'
import { AUDIENCE } from '../support/signOn/issuer.ts'
import { useIssuer } from '../support/signOn/useIssuer.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

const issuer = useIssuer()
const market = useMarket(() => ({
  signOn: readConfig({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE, OIDC_CREATE_TENANTS: 'true' }).signOn,
}))

const tokenOf = (sub: string, tenant: string) => issuer.signed({ sub, tenant, side: 'buyer', scope: 'orders:read' })
const read = async (token: string) => market.request.get('/v1/orders?limit=1').auth(token, { type: 'bearer' })
const counted = async (sql: string): Promise<number> => (await market.owner().query(`select count(*)::int as n from ${sql}`)).rows[0].n

/** More than a process admits while they are sent. */
const MANY = scale(300, 3_000)
/** The number that the rate limit admits at once. */
const BURST = 100

describe('a flood of valid tokens, each of another subject', () => {
  it('is admitted at a bounded rate; what is refused writes nothing, and others are served', async () => {
    const known = await tokenOf('ada', 'acme')
    expect((await read(known)).status).toBe(200)
    const tokens = await Promise.all(Array.from({ length: MANY }, (_, index) => tokenOf(`flood-${index}`, 'acme')))
    const flood = Promise.all(tokens.map(read))
    const others = await Promise.all([read(known), tokenOf('zoe', 'zenith').then(read)])
    const replies = await flood
    expect(others.map(({ status }) => status)).toEqual([200, 200])

    const admitted = replies.filter(({ status }) => status === 200).length
    const refused = replies.filter(({ status }) => status === 429)
    expect(admitted + refused.length).toBe(MANY)
    expect(admitted).toBeGreaterThanOrEqual(BURST)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, body } of refused) expect([Number(headers['retry-after']) > 0, body.error_code]).toEqual([true, 'RATE_LIMITED'])
    expect(await counted(`subjects where subject like 'flood-%'`)).toBe(admitted)
    expect(await counted(`security_events where action = 'subject.admitted' and after->>'subject' like 'flood-%'`)).toBe(admitted)

    const late = tokens[replies.findIndex(({ status }) => status === 429)] ?? ''
    await until(async () => (await read(late)).status === 200)
    report('new subjects of one tenant', { tokens: MANY, admitted, refused: refused.length })
  }, 120_000)

  it('creates tenants at a bounded rate as well', async () => {
    const tokens = await Promise.all(Array.from({ length: MANY }, (_, index) => tokenOf('ada', `agency-${index}`)))
    const statuses = (await Promise.all(tokens.map(read))).map(({ status }) => status)
    const admitted = statuses.filter((status) => status === 200).length
    expect(statuses.filter((status) => status === 429)).toHaveLength(MANY - admitted)
    expect([admitted >= BURST, admitted < MANY]).toEqual([true, true])
    expect(await counted(`tenants where entity like 'agency-%'`)).toBe(admitted)
    expect((await read(await tokenOf('eve', 'acme'))).status).toBe(200)
    report('new tenants of an issuer', { tokens: MANY, admitted, refused: MANY - admitted })
  }, 120_000)
})
