import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { aCatalog, anAvail, aProduct } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'
import { besideFlood } from './support/besideFlood.ts'
import { call } from './support/call.ts'
import { attackMs, scale } from './support/scale.ts'

const PRODUCTS = scale(100, 2_000)
const WEEKS = Array.from({ length: 50 }, (_, index) => `2031-W${String(index + 1).padStart(2, '0')}`)
const READS = 8
const ATTACK_MS = attackMs(1_000, 30_000)

const market = useMarket()
let api: ApiProcess
beforeAll(async () => {
  const ids = Array.from({ length: PRODUCTS }, (_, index) => `bulk-${index}`)
  await market.station.put('/me/catalog', aCatalog(...ids.map((id) => aProduct(id))))
  const avails = ids.flatMap((id) => WEEKS.map((start) => anAvail(id, { period: { grain: 'week', start } })))
  const { body } = await market.station.put('/me/avails', { avails })
  expect(body.accepted).toBe(PRODUCTS * WEEKS.length)
  api = await startApiProcess(market, { env: { RATE_LIMITS: 'off' } })
}, 120_000)
market.beforeStop(() => api.stop())

const readAll = () => market.zenith.get('/sellers/station/avails')

describe(`${READS} large reads of avails at a time`, () => {
  it.each([1, 4])(
    'of %d buyers together are answered or refused with 429, and do not slow another',
    async (count) => {
      const tokens = await otherBuyers(count)
      const { answers } = await besideFlood({
        name: `${READS} large reads of avails at a time, of ${count} buyers`,
        baseUrl: api.baseUrl,
        call: () => call(api.baseUrl, { path: '/sellers', token: market.acme.token }),
        floods: tokens.map((token) => ({ method: 'GET', path: '/sellers/station/avails', token, atOnce: READS / count })),
        ms: ATTACK_MS,
      })
      expect([...answers.keys()]).toContain(200)
      expect([200, 429]).toEqual(expect.arrayContaining([...answers.keys()]))
    },
    180_000,
  )

  it.each(['zenith', 'station'])('are 429 while replies to %s use up all memory for replies', async (tenant) => {
    const held = market.deps.replyBytes.count(tenant, Number.MAX_SAFE_INTEGER / 2)
    const { status, body } = await readAll()
    expect([status, body.error_code]).toEqual([429, 'RATE_LIMITED'])
    expect(body.details).toMatchObject({ retry_after: 1 })
    held.release()
    expect((await readAll()).status).toBe(200)
  })
})

/** Makes buyers with a name and a credential. Returns their tokens. */
async function otherBuyers(count: number): Promise<string[]> {
  const { db } = market.deps
  const issued: string[] = []
  for (let made = 0; made < count; made += 1) {
    const entity = `reader-${randomUUID()}`
    await db.pool.query(`insert into tenants (entity, side, name) values ($1, 'buyer', $1)`, [entity])
    issued.push((await issueCredential(db, { entity, side: 'buyer', kind: 'test' })).token)
  }
  return issued
}
