import type { Market } from '../market.ts'

/** Creates a paid invoice of acme and cable, under a new agreement. */
export async function paidInvoice(market: Market): Promise<string> {
  const effective = { start: '2020-01-01', end: '2099-12-31' }
  await market.cable.put('/me/agreements/agr-cleared', { buyer_entity: 'acme', effective, settlement_mode: 'cleared' })
  await market.placed({ agreement_id: 'agr-cleared' })
  const { body } = await market.cable.post('/sandbox/settlement', { as_of: '2031-01-01T00:00:00Z' })
  const [{ invoice_id }] = body.issued
  await market.cable.post(`/me/settlement/invoices/${invoice_id}/paid`, {})
  return invoice_id
}
