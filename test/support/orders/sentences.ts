import { expect } from '@jest/globals'
import type { Market } from '../market.ts'

type Json = Record<string, unknown>

/** The answer that a sentence of the specification promises for a create. */
interface Answer {
  status: number
  code?: string
  details?: Json
  /** Members of the created order's snapshot. */
  reads?: Json
  /** Members of the reply itself. */
  reply?: Json
  buyer?: 'zenith'
}

/** A sentence of the specification about a create, a body, and the answer that the sentence promises. */
export type Sentence = [sentence: string, body: () => Json, answer: Answer | (() => Answer)]

export const invalid = (field: string, more: Json = {}): Answer => ({
  status: 422,
  code: 'INVALID_INPUT',
  details: { field, ...more },
})
export const missing = (field: string): Answer => invalid(field, { missing: [field] })
export const created = (reads: Json = {}): Answer => ({ status: 201, reads })
export const firstLine = (more: Json): Answer => created({ line_items: [expect.objectContaining(more)] })

/** Sends the body of a sentence and compares the service's answer with it. */
export async function expectAnswer(market: Market, body: () => Json, answer: Sentence[2]): Promise<void> {
  const expected = typeof answer === 'function' ? answer() : answer
  const sent = body()
  const buyer = market[expected.buyer ?? 'acme']
  const reply = await buyer.post('/orders', sent)
  expect({ status: reply.status, code: reply.body.error_code }).toEqual({ status: expected.status, code: expected.code })
  expect(reply.body).toMatchObject(expected.reply ?? {})
  if (expected.status === 201) return expect(await market.snapshot(reply.body.order_id)).toMatchObject(expected.reads ?? {})
  const { error_code, error_message, details } = reply.body
  for (const [name, value] of Object.entries(expected.details ?? {})) expect([name, details[name]]).toEqual([name, value])
  if (expected.status === 422 && details.field !== undefined) {
    const pointer = `/${details.field.replaceAll('.', '/')}`
    expect(details.errors[0]).toMatchObject({ pointer, field: details.field, error_code, message: error_message })
  }
  const { rowCount } = await market.deps.db.pool.query('select from orders where external_order_id = $1', [sent.external_order_id])
  expect(rowCount).toBe(0)
}
