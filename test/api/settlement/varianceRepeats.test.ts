import { describe, expect, it } from '@jest/globals'
import { postWith } from '../../support/http/postWith.ts'
import { disputing } from '../../support/settlement/disputing.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const { disputable, answer, settle, invoicesOf, variances } = disputing(market)
const POST = 'POST /me/orders/{order_id}/reconciliation/variances/{variance_id}'

const keyed = (who: 'acme' | 'cable', order: string, id: string, key: string, body: object) =>
  postWith(
    market,
    market[who],
    `${who === 'cable' ? '/me' : ''}/orders/${order}/reconciliation/variances/${id}`,
    { 'Idempotency-Key': key },
    body,
  )
const creditsOf = async (order: string) => (await invoicesOf(order)).filter(({ kind }) => kind === 'credit_note').map(({ gross }) => gross)

describe(`${POST} with an Idempotency-Key: 200`, () => {
  it('credits once when the reply is lost and the buyer disputes again before the retry', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    const credit = { action: 'credit', amount: 100 }
    const first = await keyed('cable', order, id, 'k-1', credit)
    expect([first.status, first.body.state, first.headers['x-idempotent-replay']]).toEqual([200, 'credited', undefined])
    await answer(order, id, 'dispute', { note: 'not enough' })
    const again = await keyed('cable', order, id, 'k-1', credit)
    expect([again.status, again.body.state, again.headers['x-idempotent-replay']]).toEqual([200, 'disputed', 'true'])
    expect(again.body.actions).toHaveLength(3)
    expect(await creditsOf(order)).toEqual([-100])
    expect((await keyed('cable', order, id, 'k-2', credit)).body.state).toBe('credited')
    expect(await creditsOf(order)).toEqual([-100, -100])
  })

  it('credits once when many requests with one key arrive at the same time', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    const replies = await Promise.all(Array.from({ length: 4 }, () => keyed('cable', order, id, 'k-1', { action: 'credit', amount: 5 })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(replies.filter(({ headers }) => headers['x-idempotent-replay'] === 'true')).toHaveLength(3)
    expect(await creditsOf(order)).toEqual([-5])
  })

  it('acts under the same key of the other side, and again under another key', async () => {
    const { order, id } = await disputable()
    expect((await keyed('acme', order, id, 'k-1', { action: 'dispute' })).status).toBe(200)
    expect((await keyed('cable', order, id, 'k-1', { action: 'uphold' })).body.state).toBe('upheld')
    const second = await keyed('acme', order, id, 'k-2', { action: 'dispute' })
    expect([second.status, second.body.state, second.body.actions.length]).toEqual([200, 'disputed', 3])
  })
})

describe(`${POST} with an Idempotency-Key: 409`, () => {
  it('is CONFLICT with another body', async () => {
    const { order, id } = await disputable()
    await keyed('acme', order, id, 'k-1', { action: 'dispute' })
    expect((await keyed('cable', order, id, 'k-1', { action: 'uphold' })).body.state).toBe('upheld')
    const other = await keyed('cable', order, id, 'k-1', { action: 'credit' })
    expect([other.status, other.body.error_code, other.body.details.field]).toEqual([409, 'CONFLICT', 'Idempotency-Key'])
  })

  it('is INVALID_STATE for a second dispute under another key', async () => {
    const { order, id } = await disputable()
    expect((await keyed('acme', order, id, 'k-2', { action: 'dispute' })).body.state).toBe('disputed')
    expect(await keyed('acme', order, id, 'k-3', { action: 'dispute' })).toMatchObject({
      status: 409,
      body: { error_code: 'INVALID_STATE' },
    })
  })
})

describe(`${POST} with an Idempotency-Key: 422`, () => {
  it('refuses a key with a space', async () => {
    const { order, id } = await disputable()
    expect(await keyed('acme', order, id, 'k 1', { action: 'dispute' })).toMatchObject({
      status: 422,
      body: { details: { field: 'Idempotency-Key' } },
    })
  })
})

describe(`${POST} without an Idempotency-Key: 409`, () => {
  it('is the answer to a credit with the bytes of an earlier one', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    await settle(order, id, 'credit', { amount: 100, note: 'Sorry' })
    await answer(order, id, 'dispute', { note: 'not enough' })
    expect(await settle(order, id, 'credit', { amount: 100, note: 'Sorry' })).toMatchObject({
      status: 409,
      body: { error_code: 'CONFLICT', details: { field: 'Idempotency-Key' } },
    })
    expect([await creditsOf(order), (await variances(order, '?state=disputed')).length]).toEqual([[-100], 1])
    expect((await settle(order, id, 'credit', { amount: 100, note: 'Sorry again' })).status).toBe(200)
    expect(await creditsOf(order)).toEqual([-100, -100])
  })
})
