import { beforeAll, describe, expect, it } from '@jest/globals'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { disputing } from '../../support/settlement/disputing.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const { disputable, answer, settle, late } = disputing(market)
let order: string

beforeAll(async () => {
  const { order: made, id } = await disputable({ rows: (of) => [late(of), late(of, '23:40')] })
  order = made
  const other = (await market.acme.get(`/orders/${order}/reconciliation`)).body.lines
    .flatMap(({ variances }: { variances: { variance_id: string; code: string }[] }) => variances)
    .find(({ variance_id, code }: { variance_id: string; code: string }) => variance_id !== id && code === 'OUT_OF_DAYPART')
  await answer(order, id, 'dispute')
  await settle(order, id, 'credit', { amount: 100 })
  await answer(order, other.variance_id, 'dispute')
})

describe('the checker sees', () => {
  it('nothing wrong with disputes and credits that were recorded', () => expectInvariants(market.databaseUrl))

  it.each([
    [
      'more disputed than the disputes come to',
      'update invoices set disputed = disputed + 1',
      'update invoices set disputed = disputed - 1',
    ],
    ['another credit than its note', 'update variance_actions set amount = amount + 1', 'update variance_actions set amount = amount - 1'],
    ['a missing action', 'update variance_actions set n = n + 10', 'update variance_actions set n = n - 10'],
  ])('%s', async (_, change, back) => {
    const run = async (statement: string) => {
      await market.owner().query('alter table variance_actions disable trigger user')
      await market.owner().query(`${statement} where order_id = $1`, [order])
      await market.owner().query('alter table variance_actions enable trigger user')
    }
    await run(change)
    const broken = await checkInvariants(market.databaseUrl)
    await run(back)
    expect(broken.filter(({ invariant, order_id }) => invariant === 'I19' && order_id === order).length).toBeGreaterThan(0)
  })
})
