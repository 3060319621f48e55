import { beforeAll } from '@jest/globals'
import { aCard, aCatalog, anAvail, anAgreement as anyAgreement, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

type Method = 'get' | 'put' | 'post'

/** An app in which cable sells what agreements are about: products in the open, by agreement, by quote and withheld. */
export function useAgreements() {
  const app = useApp()
  const as = (token: () => string) => (method: Method, path: string, body?: object) => {
    const request = app.request[method](path).auth(token(), { type: 'bearer' })
    return body === undefined ? request : request.send(body)
  }
  const seller = as(() => app.tokens.sellers.cable)
  const station = as(() => app.tokens.sellers.station)
  const acme = as(() => app.tokens.buyers.acme)
  const zenith = as(() => app.tokens.buyers.zenith)
  beforeAll(async () => {
    await seller(
      'put',
      '/v1/me/catalog',
      aCatalog(
        aProduct('open', { grains: ['day', 'week'], buy_types: ['preemptible', 'non_preemptible'] }),
        aProduct('secret', { visibility: 'by_agreement' }),
        aProduct('quoted', { disclosure: { pricing_policy: 'quote', avails_policy: 'withheld' } }),
        aProduct('withheld', { disclosure: { avails_policy: 'withheld' } }),
      ),
    ).expect(200)
    const entries = [aRate('open'), aRate('open', { buy_type: 'non_preemptible' }), aRate('secret'), aRate('quoted'), aRate('withheld')]
    await seller('put', '/v1/me/rate-cards', aCard('open-1', entries)).expect(200)
    await seller('put', '/v1/me/avails', { avails: ['open', 'quoted', 'withheld'].map((id) => anAvail(id)) }).expect(200)
  })
  const anAgreement = (more: object = {}) => anyAgreement({ catalog_scope: [], ...more })
  const grant = (id: string, more: object = {}) => seller('put', `/v1/me/agreements/${id}`, anAgreement(more))
  const end = (...ids: string[]) => Promise.all(ids.map((id) => grant(id, { status: 'ended' }).expect(200)))

  let orders = 0
  /** A body of one line at the price of the card, with an external_order_id of its own. */
  async function orderOf(
    product_id: string,
    { buy_type = 'preemptible', period = { grain: 'week', start: '2026-W50' }, ...more }: Record<string, unknown> = {},
  ) {
    const { body } = await seller('get', '/v1/me/rate-cards/open-1').expect(200)
    const rate = body.entries.find(
      (entry: Record<string, unknown>) => entry.product_id === product_id && entry.week === '2026-W50' && entry.buy_type === buy_type,
    )
    const { locked_rate_id, market_class, advertiser_class, currency, gross_rate_unit: unit_cost } = rate
    const line = {
      product_id,
      period,
      units: 3,
      spot_length: 30,
      rate: { market_class, advertiser_class, buy_type, unit_cost, locked_rate_id, currency },
    }
    return {
      seller: 'cable',
      external_order_id: `ext-${++orders}`,
      rate_version: 'open-1',
      buyer_metadata: { advertiser_id: 'adv' },
      line_items: [line],
      ...more,
    }
  }
  return { app, seller, station, acme, zenith, anAgreement, grant, end, orderOf }
}

export const productIds = (body: { products: { product_id: string }[] }) => body.products.map(({ product_id }) => product_id)
