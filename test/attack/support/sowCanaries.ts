import type { OrderHead } from '../../../src/domain/order/head.ts'
import { decideByRules } from '../../../src/operations/orders/decideByRules.ts'
import { readHead } from '../../../src/store/orders/orderHead.ts'
import { attachment, PDF, uploaded } from '../../support/files/uploads.ts'
import type { Market, Tenant } from '../../support/market.ts'
import { csvOf } from '../../support/orders/buysheets.ts'
import { documentOrder, parsed, readingOf, sheetOf } from '../../support/orders/documentOrders.ts'
import { inHours } from '../../support/orders/proposals.ts'
import { aCard, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { type Canaries, newCanaries } from './canaries.ts'
import { disputed } from './disputed.ts'

export const BUYERS = ['acme', 'zenith'] as const
export const SELLERS = ['cable', 'station'] as const
export const TENANTS = [...BUYERS, ...SELLERS] as const
export type Buyer = (typeof BUYERS)[number]
export type Seller = (typeof SELLERS)[number]

/** The ids that the tenants own, by the names of the path and query parameters of the endpoint table. */
export type Sown = Record<string, string[]> & { order_id: string[] }

const EVER = { start: '2026-01-01', end: '2030-12-31' }
const ITS_DAYS = { start: '2030-06-03', end: '2030-06-09' }
const WEEK = { grain: 'week', start: '2030-W23' }

/** Makes every buyer deal with every seller, with a canary in every text that any of them can write. */
export async function sowCanaries(market: Market, hookUrl: (tenant: string) => string): Promise<{ canaries: Canaries; sown: Sown }> {
  const canaries = newCanaries()
  const sown = { order_id: [] } as unknown as Sown
  const own = (name: string, ...values: string[]) => {
    sown[name] = [...(sown[name] ?? []), ...values]
  }
  const { word, mark } = canaries
  for (const tenant of TENANTS) {
    mark(market[tenant].token, `the token of ${tenant}`, [])
    for (const url of [hookUrl(tenant), `https://${word(`a webhook URL of ${tenant}`, [tenant])}.example/hook`]) {
      const { endpoint_id, secret, credential_id } = await done(market[tenant].post('/webhooks/endpoints', { url }))
      own('endpoint_id', mark(endpoint_id, `an endpoint of ${tenant}`, [tenant]))
      mark(secret, `a webhook secret of ${tenant}`, [])
      mark(credential_id, `the credential of ${tenant}`, [tenant])
      const { delivery_id } = await done(market[tenant].post(`/webhooks/endpoints/${endpoint_id}/test`, undefined))
      own('delivery_id', mark(delivery_id, `a ping of ${tenant}`, [tenant]))
    }
    await done(market[tenant].put('/events/queue', {}))
  }
  const offers = {} as Record<Seller, Awaited<ReturnType<typeof offer>>>
  for (const seller of SELLERS) offers[seller] = await offer(market, canaries, seller, own)
  for (const buyer of BUYERS) await registries(market, canaries, buyer, own)
  for (const seller of SELLERS) for (const buyer of BUYERS) await deals(market, canaries, { buyer, seller, rate: offers[seller] }, own)
  await documents(market, canaries, own)
  for (const seller of SELLERS) await connects(market, canaries, seller)
  return { canaries, sown }
}

type Own = (name: string, ...values: string[]) => void

/** Publishes texts that a seller shows to every buyer, and others that it keeps to itself. */
async function offer(market: Market, { word }: Canaries, seller: Seller, own: Own) {
  const tenant = market[seller]
  const open = (what: string) => word(`${what} of ${seller}`, [seller, ...BUYERS])
  const kept = (what: string) => word(`${what} of ${seller}`, [seller])
  const product_id = open('a product id')
  const advertiser_class = open('an advertiser class')
  const product = aProduct(product_id, {
    name: open('a product name'),
    network: open('a network'),
    definition: { selling_title: open('a title'), days: ['Mon'], start: '20:00', end: '23:00', timezone: 'UTC' },
    posting_policy: open('a posting policy'),
    billboard: { [open('a billboard key')]: open('a billboard') },
    advertiser_classes: [advertiser_class],
    currencies: [open('an audience code')],
    external_ref: kept('an external_ref'),
  })
  const commit = open('a commit')
  const taxonomy = open('a taxonomy')
  await done(tenant.put('/me/catalog', { taxonomy_version: taxonomy, products: [product] }))
  await done(tenant.put('/me/rate-cards', aCard(commit, [aRate(product_id, { advertiser_class })], { effective: ITS_DAYS })))
  const impressions = { source: open('a source'), stream: open('a stream') }
  await done(tenant.put('/me/avails', { avails: [anAvail(product_id, { period: WEEK, impressions })] }))
  const rules = [
    { id: kept('a rule'), when: { advertisers: [kept('an advertiser in a rule')], products: [kept('a product in a rule')] }, then: 'hold' },
  ]
  await done(tenant.put('/me/approval-rules', { rules }))
  await done(tenant.put('/me/capabilities', { holds: true, negotiation: true, modes: { catalog: true, proposal: true, document: true } }))
  own('seller', seller)
  own('commit', commit)
  own('product_id', product_id)
  const { body } = await market.acme.get(`/sellers/${seller}/avails?product_id=${product_id}`)
  const { locked_rate_id } = body.avails[0].rates[0]
  return { product_id, commit, taxonomy, advertiser_class, locked_rate_id: locked_rate_id as string }
}

/** Registers texts of a buyer that nobody else has been shown. */
async function registries(market: Market, { word, mark }: Canaries, buyer: Buyer, own: Own): Promise<void> {
  const kept = (what: string) => word(`${what} of ${buyer}`, [buyer])
  const creative = { creative_code: kept('a creative code'), name: kept('a creative name'), length_seconds: 30 }
  own('creative_id', mark((await done(market[buyer].post('/creatives', creative))).creative_id, `a creative of ${buyer}`, [buyer]))
  const upload = { filename: kept('a filename'), format: 'pdf', size_bytes: 5 }
  own('upload_id', mark((await done(market[buyer].post('/uploads', upload))).upload_id, `an upload of ${buyer}`, [buyer]))
  own('buyer_entity', buyer)
}

interface Deal {
  buyer: Buyer
  seller: Seller
  rate: Awaited<ReturnType<typeof offer>>
}

/** Writes texts that one buyer and one seller share, each only for these two. */
async function deals(market: Market, { word, mark }: Canaries, { buyer, seller, rate }: Deal, own: Own): Promise<void> {
  const [buys, sells] = [market[buyer], market[seller]]
  const both = [buyer, seller]
  const shared = (what: string) => word(`${what} of ${buyer} and ${seller}`, both)
  const id = <Text extends string>(text: Text, what: string): Text => mark(text, `${what} of ${buyer} and ${seller}`, both)

  const hidden = shared('a product by agreement')
  const product = aProduct(hidden, { name: shared('its name'), network: shared('its network'), visibility: 'by_agreement' })
  await done(sells.put('/me/catalog', { taxonomy_version: rate.taxonomy, products: [product] }))
  const agreement_id = shared('an agreement id')
  const agreement = {
    buyer_entity: buyer,
    effective: EVER,
    catalog_scope: [hidden],
    posting_policy_overrides: [{ product_id: '*', posting_policy: shared('a posting policy override') }],
    external_ref: word(`the external_ref of an agreement of ${seller}`, [seller]),
  }
  await done(sells.put(`/me/agreements/${agreement_id}`, agreement))
  await done(sells.put(`/me/buyers/${buyer}`, { allowlisted: true }))
  const card = [aRate(hidden, { advertiser_class: shared('an advertiser class') })]
  await done(sells.put('/me/rate-cards', aCard(shared('a commit by agreement'), card, { effective: ITS_DAYS, agreement_id })))
  await done(sells.put('/me/avails', { avails: [anAvail(hidden, { period: WEEK })] }))
  const request = { product_id: hidden, period: WEEK, note: shared('a note'), agreement: agreement_id }
  const asked = await buys.post(`/sellers/${seller}/avails/requests`, request)
  if (asked.status < 300) id(asked.body.request_id, 'an avails request')

  const holdLines = [{ product_id: rate.product_id, period: WEEK, units: 1, spot_length: 30 }]
  const { hold_id } = await done(buys.post('/holds', { seller, lines: holdLines, ttl_minutes: 60 }))
  own('hold_id', id(hold_id, 'a hold'))

  const creative = { creative_code: shared('a creative code'), name: shared('a creative name'), length_seconds: 30 }
  const creative_id = id((await done(buys.post('/creatives', creative))).creative_id, 'a creative')
  const upload = id(await uploaded(market, buys), 'an upload')
  const line = {
    product_id: rate.product_id,
    period: WEEK,
    units: 2,
    spot_length: 30,
    creative_id,
    traffic_instructions: { rotation: 'equal', creative_splits: [{ creative_id }] },
    rc_impressions: { [shared('an impressions key')]: 5 },
    rate: {
      market_class: 'scatter',
      advertiser_class: rate.advertiser_class,
      buy_type: 'preemptible',
      unit_cost: 1250.5,
      locked_rate_id: rate.locked_rate_id,
      currency: 'USD',
    },
  }
  const order = () => ({
    seller,
    external_order_id: shared('an external_order_id'),
    rate_version: rate.commit,
    buyer_metadata: {
      advertiser_id: shared('an advertiser'),
      campaign_id: shared('a campaign'),
      estimate_id: shared('an estimate'),
      buyer_contact: { name: shared('a contact'), email: shared('an address'), more: shared('more of a contact') },
    },
    line_items: [line] as unknown[] | undefined,
  })
  const created = async (body: object): Promise<string> => {
    const { order_id } = await done(buys.post('/orders', body))
    own('order_id', id(order_id, 'an order'))
    await market.validate(order_id)
    return order_id
  }
  const extras = { agreement_id, attachments: [attachment(upload, PDF, { filename: shared('an attachment') })] }
  const decided = await created({ ...order(), ...extras })
  own('external_order_id', (await done(buys.get(`/orders/${decided}`))).external_order_id)
  const yes = { decision: 'approve', actor: shared('who decides'), seller_order_id: shared('a seller_order_id') }
  await done(sells.post(`/me/orders/${decided}/decide`, { ...yes, reason: shared('a reason to approve') }))
  own('variance_id', id(await disputed(market, { buyer, seller, order: decided, shared }), 'a variance'))
  const canceled = await created(order())
  await done(buys.post(`/orders/${canceled}/cancel`, { actor: shared('who cancels'), reason: shared('a reason to cancel') }))

  const countered = await created(order())
  const [{ unit_id }] = (await done(sells.get(`/me/orders/${countered}`))).line_items
  const counter = { unit_id: id(unit_id, 'a unit'), action: 'counter', counter: { week: '2030-W24', unit_cost: 5 } }
  const answer = { decision: 'counter', actor: shared('who counters'), reason: shared('a reason to counter'), units: [counter] }
  await done(sells.post(`/me/orders/${countered}/decide`, answer))
  await done(buys.post(`/orders/${countered}/respond`, { action: 'withdraw', actor: shared('who responds'), reason: shared('a reason') }))

  const ruled = await created(order())
  const [{ id: rule }] = (await done(sells.get('/me/approval-rules'))).rules
  await done(sells.put('/me/capabilities', { ...(await profile(sells)), approval: 'rules' }))
  await done(sells.put('/me/approval-rules', { rules: [{ id: rule, when: {}, then: 'hold' }] }))
  const { db, orders } = market.deps
  await decideByRules(orders, db, (await readHead(db, ruled)) as OrderHead, `rules:${ruled}`)
  await done(sells.put('/me/capabilities', { ...(await profile(sells)), approval: 'api' }))

  const brief = {
    request_type: 'open',
    brief: shared('a brief'),
    anchor_package_ids: [shared('an anchor')],
    constraints: { [shared('a constraint')]: shared('a constraint') },
    [shared('a member of a request')]: shared('a member of a request'),
  }
  const proposal = await created({ ...order(), line_items: undefined, request: brief })
  const { creative_id: _, traffic_instructions: __, rc_impressions: ___, rate: ____, product_id: _____, ...bare } = line
  const { product_id: ______, ...minted } = aProduct('any', { name: shared('a minted product'), network: shared('its network') })
  const { unit_cost: _cost, locked_rate_id: _lock, ...unpriced } = line.rate
  const plan = {
    plan_id: shared('a plan'),
    actor: shared('who plans'),
    line_items: [{ ...bare, product: minted, rate: unpriced, quote: { unit_cost: 5, expires_at: inHours(48) } }],
    plan_totals: { [shared('a total')]: shared('a total') },
    unmet: [shared('a shortfall')],
    expires_at: inHours(24),
  }
  await done(sells.post(`/me/orders/${proposal}/plan`, plan))
  const { artifacts } = await done(buys.get(`/orders/${proposal}`))
  id(artifacts.at(-1).line_items[0].product_id, 'a minted product id')
  await done(buys.post(`/orders/${proposal}/confirm`, { action: 'confirm', plan_id: plan.plan_id, actor: shared('who confirms') }))
  own('agreement_id', agreement_id)
  own('product_id', hidden)
}

/** Orders with a document of acme for cable that has values of no catalog. */
async function documents(market: Market, { word, mark }: Canaries, own: Own): Promise<void> {
  const shared = (what: string) => word(`${what} of acme and cable`, ['acme', 'cable'])
  const bytes = csvOf(sheetOf({ Product: shared('a product of a document') }, { 'Advertiser Class': shared('a class of a document') }))
  const orderId = mark(await documentOrder(market, bytes), 'a document order of acme and cable', ['acme', 'cable'])
  await parsed(market, orderId, await readingOf(bytes))
  own('order_id', orderId)
}

/** Connects a seller's own API. Runs last, since holds and decisions would otherwise go to it. */
async function connects(market: Market, { word }: Canaries, seller: Seller): Promise<void> {
  const kept = (what: string) => word(`${what} of ${seller}`, [seller])
  const secret_ref = kept('a secret name')
  await done(market[seller].put(`/me/secrets/${secret_ref}`, { value: word(`a secret of ${seller}`, []) }))
  const pull = { base_url: `https://${kept('a base_url')}.example/api`, secret_ref }
  await done(market[seller].put('/me/capabilities', { ...(await profile(market[seller])), holds: false, transports: { pull } }))
}

async function profile(seller: Tenant): Promise<Record<string, unknown>> {
  const { conformance_level: _, next_level: __, warnings: ___, ...profile } = await done(seller.get('/me/capabilities'))
  return profile
}

async function done(reply: ReturnType<Tenant['get']>) {
  const { status, body, text } = await reply
  if (status >= 300 || (body.rejected ?? 0) > 0) throw new Error(`${status} ${text}`)
  return body
}
