import { beforeEach, describe, expect, it } from '@jest/globals'
import {
  deleteOldSandboxRequests,
  OPEN_SANDBOX_REQUESTS,
  readSandboxRequest,
  saveSandboxOutcome,
  saveSandboxRequest,
  sweepSandboxRequests,
} from '../../../src/store/tenants/sandboxRequests.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeEach(async () => {
  await market.owner().query(`delete from outbox; delete from sandbox_requests`)
})

const order = (request_id: string) =>
  saveSandboxRequest(market.deps.db.as(['cable']), {
    ...{ request_id, tenant: 'cable', kind: 'order' },
    body: { template: 'catalog', then: 'accepts' },
  })
const agreements = () =>
  saveSandboxRequest(market.deps.db.as(['acme']), { request_id: 'agreements:acme', tenant: 'acme', kind: 'agreements', body: null })
const age = (interval: string) => market.owner().query(`update sandbox_requests set made_at = now() - $1::interval`, [interval])
const targets = async (sql: string) => (await market.owner().query<{ target: string }>(sql)).rows.map(({ target }) => target).sort()
const woken = () => targets(`select target from outbox where kind = 'sandbox_request'`)

describe('a request to the parties of a sandbox', () => {
  it('wakes its run in the commit that saves it', async () => {
    await order('sandbox_1')
    expect(await woken()).toEqual(['sandbox_1'])
    expect(await readSandboxRequest(market.deps.db.as(['cable']), 'sandbox_1')).toMatchObject({ tenant: 'cable', outcome: null })
  })

  it('is woken again when its run is lost, but an order no more after an hour', async () => {
    await order('sandbox_1')
    await order('sandbox_2')
    await agreements()
    await saveSandboxOutcome(market.deps.db, 'sandbox_2', {})
    await market.owner().query('delete from outbox')
    expect(await sweepSandboxRequests(market.deps.db)).toBe(0)
    await age('2 minutes')
    expect(await sweepSandboxRequests(market.deps.db)).toBe(2)
    expect([await woken(), await targets(OPEN_SANDBOX_REQUESTS)]).toEqual([
      ['agreements:acme', 'sandbox_1'],
      ['agreements:acme', 'sandbox_1'],
    ])
    expect(await sweepSandboxRequests(market.deps.db)).toBe(0)
    await age('61 minutes')
    expect(await targets(OPEN_SANDBOX_REQUESTS)).toEqual(['agreements:acme'])
  })

  it('may be made again once it is done', async () => {
    await agreements()
    await saveSandboxOutcome(market.deps.db, 'agreements:acme', {})
    await agreements()
    expect((await readSandboxRequest(market.deps.db, 'agreements:acme'))?.outcome).toBeNull()
  })

  it('is deleted after a week', async () => {
    await order('sandbox_1')
    await age('6 days 23 hours')
    expect(await deleteOldSandboxRequests(market.deps.db, 10)).toBe(0)
    await age('7 days 1 second')
    expect(await deleteOldSandboxRequests(market.deps.db, 10)).toBe(1)
  })
})
