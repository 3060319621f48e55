import { beforeAll, describe, expect, it } from '@jest/globals'
import { aCatalog, anAvail, aProduct } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const PRODUCTS = scale(100, 2_000)
const WEEKS = Array.from({ length: 50 }, (_, index) => `2031-W${String(index + 1).padStart(2, '0')}`)
const READS = 8

const market = useMarket()
beforeAll(async () => {
  const ids = Array.from({ length: PRODUCTS }, (_, index) => `bulk-${index}`)
  await market.station.put('/me/catalog', aCatalog(...ids.map((id) => aProduct(id))))
  const avails = ids.flatMap((id) => WEEKS.map((start) => anAvail(id, { period: { grain: 'week', start } })))
  const { body } = await market.station.put('/me/avails', { avails })
  expect(body.accepted).toBe(PRODUCTS * WEEKS.length)
}, 120_000)

const readAll = () => market.zenith.get('/sellers/station/avails')

describe(`${READS} large reads of avails at once`, () => {
  it('are answered or refused with 429, and do not slow another buyer', async () => {
    const listed = async () => expect((await market.acme.get('/sellers')).status).toBe(200)
    const before = await quiet(listed)
    const reads = Promise.all(Array.from({ length: READS }, readAll))
    const during = await victim(listed, reads)
    const statuses = (await reads).map(({ status }) => status)
    report('GET /sellers beside large reads of avails', { reads: READS, ...besideQuiet(before, during) })
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
    expect(during.failures).toEqual([])
    expectWithin(during.p99, Math.max(5 * before.p99, 1_000), 3)
  }, 120_000)

  it.each(['zenith', 'station'])('are 429 while replies to %s use up all memory for replies', async (tenant) => {
    const held = market.deps.replyBytes.count(tenant, Number.MAX_SAFE_INTEGER / 2)
    const { status, body } = await readAll()
    expect([status, body.error_code]).toEqual([429, 'RATE_LIMITED'])
    expect(body.details).toMatchObject({ retry_after: 1 })
    held.release()
    expect((await readAll()).status).toBe(200)
  })
})
