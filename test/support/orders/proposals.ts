import type { Market } from '../market.ts'

/** Proposals of a market, over its API. A test names only what matters to it. */
export interface Proposals {
  /** Creates a proposal that waits for its plan; returns its order id. */
  asked(request?: Record<string, unknown>, more?: Record<string, unknown>): Promise<string>
  /** Returns a line that cites published data: ten units of prime time in one week. */
  line(more?: Record<string, unknown>, rate?: Record<string, unknown>): Record<string, unknown>
  /** Returns a line with a quote, for a price that is not published. */
  quoted(more?: Record<string, unknown>, quote?: Record<string, unknown>, rate?: Record<string, unknown>): Record<string, unknown>
  plan(more?: Record<string, unknown>): Record<string, unknown>
  /** Posts a plan, which must be accepted; returns the reply. */
  planned(
    orderId: string,
    more?: Record<string, unknown>,
  ): Promise<{ plan_id: string; status: string; last_seq: number; acceptance_band: string | null }>
}

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

export async function proposalsOf(market: Market): Promise<Proposals> {
  await market.cable.put('/me/capabilities', { modes: { catalog: true, proposal: true, document: false } })
  const line: Proposals['line'] = (more, rate) => market.line(more, rate)
  const quoted: Proposals['quoted'] = (more = {}, quote = {}, rate = {}) => {
    const cost = 'cpm' in quote ? {} : { unit_cost: 900.5 }
    const key = { market_class: 'scatter', advertiser_class: 'general', buy_type: 'preemptible', currency: 'USD', ...rate }
    const period = { grain: 'week', start: '2030-W24' }
    return {
      product_id: 'prime',
      period,
      units: 4,
      spot_length: 30,
      rate: key,
      quote: { ...cost, expires_at: inHours(48), ...quote },
      ...more,
    }
  }
  const plan: Proposals['plan'] = (more = {}) => ({ actor: 'Ada', line_items: [line()], plan_totals: {}, expires_at: inHours(24), ...more })
  return {
    line,
    quoted,
    plan,
    async asked(request = {}, more = {}) {
      const { line_items: _, ...order } = market.order()
      const body = { ...order, request: { request_type: 'specs', budget_gross: 100_000, ...request }, ...more }
      const reply = await market.acme.post('/orders', body)
      if (reply.status !== 201) throw new Error(reply.text)
      await market.validate(reply.body.order_id)
      return reply.body.order_id
    },
    async planned(orderId, more) {
      const reply = await market.cable.post(`/me/orders/${orderId}/plan`, plan(more))
      if (reply.status !== 202) throw new Error(reply.text)
      return reply.body
    },
  }
}
