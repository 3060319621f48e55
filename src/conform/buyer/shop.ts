import { addDays, dateOf, mondayOf, weekOf } from '../../domain/calendar.ts'
import { freshTenant, type Target } from '../target.ts'
import { expected, type Wire, type WireReply } from '../wire.ts'

/** The seller that a buyer's program orders from: made for one run, and played by the suite. */
export interface Shop {
  readonly seller: string
  readonly wire: Wire
  readonly product_id: string
  /** The ISO week of every order. */
  readonly week: string
  /** The locked_rate_id of each published price. */
  readonly published: readonly string[]
  /** A buysheet of the product as agencies send them, in csv. */
  readonly buysheet: string
  /** Every order that has come, newest first. */
  orders(): Promise<WireReply['body'][]>
  read(order_id: string): Promise<WireReply['body']>
  events(order_id: string): Promise<WireReply['body'][]>
  approve(order_id: string): Promise<void>
  /** Counters every line a week later, at more. */
  counter(order_id: string): Promise<void>
  /** Posts a plan at the published price; returns its id. */
  plan(order_id: string): Promise<string>
}

const PRODUCT = 'conform-prime'
const PRICE = 100
const KEY = { market_class: 'scatter', advertiser_class: 'general', buy_type: 'preemptible', currency: 'USD' } as const
const SPOT_LENGTH = 30
const WEEKS_AHEAD = 5
const BUG = 'this is a fault of the suite or of the marketplace: tell those who run it'

/** Makes the seller with the token of the buyer, and puts one product on sale for two weeks. */
export async function openShop(buyer: Target): Promise<Shop> {
  const { tenant: seller, wire } = await freshTenant(buyer.wire, 'seller', 'Conformance of a buyer')
  const monday = mondayOf(weekOf(addDays(dateOf(new Date().toISOString()), 7 * WEEKS_AHEAD)))
  const [week, next] = [weekOf(monday), weekOf(addDays(monday, 7))]
  const effective = { start: monday, end: addDays(monday, 13) }
  await publish(wire, [week, next], effective)
  const { entries } = expected(await wire.get('/me/rate-cards/conform-1'), 200, BUG)
  const published: string[] = entries.map(({ locked_rate_id }: { locked_rate_id: string }) => locked_rate_id)
  const inWeek = entries.find((entry: { week: string }) => entry.week === week).locked_rate_id
  const read = async (order_id: string) => expected(await wire.get(`/me/orders/${order_id}`), 200, BUG)
  const decide = async (order_id: string, body: object) => {
    expected(await wire.post(`/me/orders/${order_id}/decide`, { actor: 'conform', ...body }), 202, BUG)
  }
  return {
    ...{ seller, wire, product_id: PRODUCT, week, published, read, buysheet: buysheetOf(monday) },
    orders: async () => expected(await wire.get('/me/orders?limit=200'), 200, BUG).orders,
    events: async (order_id) => expected(await wire.get(`/events?order=${order_id}`), 200, BUG).events,
    approve: (order_id) => decide(order_id, { decision: 'approve' }),
    async counter(order_id) {
      const { line_items } = await read(order_id)
      const offer = { action: 'counter', counter: { week: next, unit_cost: PRICE * 1.05 } }
      const units = line_items.map(({ unit_id }: { unit_id: string }) => ({ unit_id, ...offer }))
      await decide(order_id, { decision: 'counter', units })
    },
    async plan(order_id) {
      const rate = { ...KEY, unit_cost: PRICE, locked_rate_id: inWeek }
      const line = { product_id: PRODUCT, period: { grain: 'week', start: week }, units: 5, spot_length: SPOT_LENGTH, rate }
      const expires_at = new Date(Date.now() + 3_600_000).toISOString()
      const body = { actor: 'conform', line_items: [line], plan_totals: { gross: 5 * PRICE }, expires_at }
      return expected(await wire.post(`/me/orders/${order_id}/plan`, body), 202, BUG).plan_id
    },
  }
}

async function publish(wire: Wire, weeks: readonly string[], effective: { start: string; end: string }): Promise<void> {
  const modes = { catalog: true, proposal: true, document: true }
  expected(await wire.put('/me/capabilities', { modes, negotiation: true }), 200, BUG)
  const product = {
    ...{ product_id: PRODUCT, type: 'daypart', name: 'Conformance prime', network: 'CNF', effective },
    definition: {
      ...{ selling_title: 'Conformance prime', days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] },
      ...{ start: '19:00', end: '22:00', timezone: 'America/New_York' },
    },
    ...{
      currencies: [],
      buy_types: [KEY.buy_type],
      grains: ['week'],
      spot_lengths: [SPOT_LENGTH],
      advertiser_classes: [KEY.advertiser_class],
    },
    disclosure: { pricing_policy: 'published', avails_policy: 'published' },
  }
  expected(await wire.put('/me/catalog', { taxonomy_version: 'conform-1', products: [product] }), 200, BUG)
  const entries = [{ product_id: PRODUCT, ...KEY, spot_length: SPOT_LENGTH, gross_rate_unit: PRICE }]
  expected(await wire.put('/me/rate-cards', { commit: 'conform-1', effective, entries }), 200, BUG)
  const avails = weeks.map((start) => ({
    ...{ product_id: PRODUCT, period: { grain: 'week', start }, state: 'available', spots: { available: 500 } },
  }))
  expected(await wire.put('/me/avails', { avails }), 200, BUG)
}

function buysheetOf(monday: string): string {
  const head = ['Program', 'Network', 'Buy Type', 'Class', 'Advertiser Class', 'Length', 'Rate', monday]
  const row = [PRODUCT, 'CNF', KEY.buy_type, KEY.market_class, KEY.advertiser_class, `:${SPOT_LENGTH}`, PRICE, 4]
  return `${head.join(',')}\n${row.join(',')}\n`
}
