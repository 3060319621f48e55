import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { feedHoldUp } from '../support/engines/feedHoldUp.ts'
import { anAvail, aProduct, aRate } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'

const market = useMarket()

const ids = (count: number) => Array.from({ length: count }, (_, index) => `bulk-${index}`)
const WEEKS = Array.from({ length: 50 }, (_, index) => `2031-W${String(index + 1).padStart(2, '0')}`)

const holdUp = (work: Promise<unknown>) => feedHoldUp(market.deps.db, { seller: 'station', reader: 'zenith' }, work)

const put = async (what: string, body: object) => {
  const { status, body: reply } = await market.cable.put(`/me/${what}`, body)
  expect([status, reply.rejected]).toEqual([200, 0])
}

let quiet: number
beforeAll(async () => {
  quiet = await holdUp(sleep(scale(500, 3_000)))
})
beforeAll(() => put('catalog', { taxonomy_version: 'bulk', products: ids(scale(400, 10_000)).map((id) => aProduct(id)) }), 60_000)

describe("one seller's large publish", () => {
  it(
    'of a catalog in which every product changes does not delay the feed of others',
    async () => {
      const products = (name: string) => ids(scale(2_500, 60_000)).map((id) => aProduct(id, { name }))
      await put('catalog', { taxonomy_version: 'bulk', products: products('before') })
      const worst = await holdUp(put('catalog', { taxonomy_version: 'bulk', products: products('after') }))
      report('feed of another tenant during PUT /me/catalog', {
        products: scale(2_500, 60_000),
        quiet_ms: quiet,
        longest_hold_up_ms: worst,
      })
      expectWithin(worst, Math.max(1_000, 10 * quiet))
    },
    scale(60_000, 600_000),
  )

  it.each([
    [
      'rate-cards',
      scale(20_000, 500_000),
      (count: number) => ({
        commit: 'bulk',
        effective: { start: '2030-12-30', end: '2031-12-14' },
        entries: ids(count / WEEKS.length).map((id) => aRate(id)),
      }),
    ],
    [
      'avails',
      scale(10_000, 100_000),
      (count: number) => ({
        avails: ids(count / WEEKS.length).flatMap((id) => WEEKS.map((start) => anAvail(id, { period: { grain: 'week', start } }))),
      }),
    ],
  ])(
    'of %s, %i rows, does not delay the feed of others',
    async (what, rows, bodyOf) => {
      const worst = await holdUp(put(what, bodyOf(rows)))
      report(`feed of another tenant during PUT /me/${what}`, { rows, quiet_ms: quiet, longest_hold_up_ms: worst })
      expectWithin(worst, Math.max(1_000, 10 * quiet))
    },
    scale(60_000, 600_000),
  )
})
