import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { useMarket } from '../support/useMarket.ts'
import { type FutureProxy, futureProxy, UNKNOWN } from './futureProxy.ts'
import { bodyFile, GENERATORS } from './generators.ts'

/** `npm run clients` runs them all; the suite runs those that take little, which are made once for each state of the contract. */
const ALL = process.env.CLIENTS === 'all'

const market = useMarket()
let folder: TemporaryFolder
let later: FutureProxy

beforeAll(async () => {
  folder = await temporaryFolder()
  later = await futureProxy(market.baseUrl)
})
afterAll(async () => {
  await later.close()
  await folder.remove()
})

for (const { name, isQuick, isPresent, make } of GENERATORS) {
  if (!isQuick && !ALL) continue
  if (!isPresent) {
    process.stdout.write(`${name} cannot run here: its client is not tested.\n`)
    continue
  }
  describe(`the client that ${name} makes of docs/openapi.json`, () => {
    it('compiles, places an order and reads it', async () => {
      const placed = await (await make())(market.baseUrl, market.tokens.buyers.acme, await bodyFile(folder.path, market.order()))
      expect(placed).toEqual({ order_id: expect.stringMatching(/^ord_/), status: 'submitted', lines: 1, last: 'order.status_changed' })
      expect((await market.snapshot(placed.order_id)).status).toBe('submitted')
    }, 600_000)

    it('survives a status, an event and members that it does not know', async () => {
      const placed = await (await make())(later.baseUrl, market.tokens.buyers.acme, await bodyFile(folder.path, market.order()))
      expect(placed).toMatchObject({ status: UNKNOWN.status, lines: 1, last: UNKNOWN.event_type })
    }, 600_000)
  })
}
