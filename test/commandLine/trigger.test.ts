import { beforeAll, describe, expect, it } from '@jest/globals'
import { useCommandLine } from '../support/commandLine.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const line = useCommandLine()
let acme: { baseUrl: string; token: string }
beforeAll(() => {
  acme = { baseUrl: market.baseUrl, token: market.acme.token }
})

// test/e2e/triggers.ts makes the statuses of orders happen.
describe('trigger', () => {
  it('says what can be made to happen, by the side of the token', async () => {
    const [buyer, seller] = await Promise.all([
      line.json(acme, 'trigger', '--list'),
      line.json({ ...acme, token: market.cable.token }, 'trigger', '--list'),
    ])
    const of = (rows: { what: string }[]) => rows.map(({ what }) => what)
    expect(of(buyer)).toEqual(expect.arrayContaining(['placed', 'negotiating', 'stale_rate', 'catalog.window_opened']))
    expect(of(seller)).toEqual(expect.arrayContaining(['placed', 'awaiting_plan', 'webhook.test']))
  })

  it('posts an example of an event to the only endpoint', async () => {
    expect(await line.as(acme, 'trigger', 'webhook.test')).toMatchObject({ code: 2, err: 'There is no webhook endpoint.\n' })
    const { body: endpoint } = await market.acme.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
    const { code, out } = await line.as(acme, 'trigger', 'catalog.window_opened')
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^An example of catalog\\.window_opened goes to ${endpoint.endpoint_id} as evt_\\w+\\.\n$`)),
    ])
  })

  it.each([
    ['nothing', [], 2, /^Name what is to happen, one of seller_review, placed, /],
    ['a status that there is not', ['exploded'], 2, /^Name what is to happen, /],
    ['a name of every object', ['constructor'], 2, /^Name what is to happen, /],
    ['an event that there is not', ['order.exploded', '--endpoint', 'whe_1'], 1, /order\.exploded|INVALID_INPUT|NOT_FOUND/],
    ['a sandbox whose sellers are not played', ['placed'], 1, /NOT_FOUND|has no price of sbx-approved/],
  ])('refuses %s in one sentence', async (_, args, code, err) => {
    expect(await line.as(acme, 'trigger', ...args)).toEqual({ code, out: '', err: expect.stringMatching(err) })
  })
})

describe('in production', () => {
  const production = useMarket({ mode: 'production' })

  it('trigger does nothing', async () => {
    const tenant = { baseUrl: production.baseUrl, token: production.acme.token }
    const said = 'Nothing can be made to happen in production: this needs a sandbox.\n'
    expect(await line.as(tenant, 'trigger', 'placed')).toEqual({ code: 1, out: '', err: said })
  })
})
